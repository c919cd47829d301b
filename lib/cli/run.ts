import type { Command } from "commander";
import type { AttemptView, RunView } from "../operations/index.ts";
import type { RunDocument } from "./documents.ts";
import { addCommonOptions, type CommonOptions } from "./options.ts";
import { paint, printable, printableLines, printFields, printJson, printLine } from "./output.ts";
import { statusText, whyText } from "./status.ts";
import { durationText, timeInBothZones } from "./times.ts";
import { withOperations } from "./with-operations.ts";

export function addRunCommand(program: Command): void {
  const command = program
    .command("run")
    .description("show one run with its attempts, error and log stream")
    .argument("<job>")
    .argument("<run-id>", 'as "runs" shows it, in quotes: "2026-03-28T01:30:00.000Z#default"');
  addCommonOptions(command).action(run);
}

async function run(job: string, runId: string, options: CommonOptions): Promise<void> {
  await withOperations(options, async (operations) => {
    const found = await operations.run(job, runId);
    if (options.json) printJson<RunDocument>({ target: operations.target, run: found });
    else printRun(found);
  });
}

export function printRun(found: RunView): void {
  const { timeZone, trigger, error, scheduledTime, requestedAt, deliveredAt, startedAt, endedAt } = found;
  printFields({
    Job: paint.bold(found.job),
    Run: printable(found.runId),
    Status: statusText(found),
    Why: error && !found.waiting ? undefined : whyText(found) || undefined,
    Schedule: printable(found.schedule ?? scheduleOfManual(found)),
    "Scheduled time": scheduledTime && timeInBothZones(scheduledTime, timeZone),
    "Works for": found.workTime && timeInBothZones(found.workTime, timeZone),
    "Run again by": found.rerunBy?.map(printable).join("\n"),
    Requested: requestedAt && timeInBothZones(requestedAt, timeZone),
    Delivered: deliveredAt && timeInBothZones(deliveredAt, timeZone),
    Started: startedAt && timeInBothZones(startedAt, timeZone),
    Late: found.lateMs === undefined ? undefined : durationText(found.lateMs),
    Ended: endedAt && timeInBothZones(endedAt, timeZone),
    Took: found.durationMs === undefined ? undefined : durationText(found.durationMs),
    Trigger: printable(
      [trigger.kind, trigger.by && `by ${trigger.by}`, trigger.reason && `"${trigger.reason}"`]
        .filter(Boolean)
        .join(" "),
    ),
    "Fencing token": String(found.fencingToken),
    Input: found.input && payloadText(found.input),
    Result: found.result && payloadText(found.result),
    Error: error && paint.red(printableLines(`${error.name}: ${error.message}`)),
    "Request id": printable(found.requestId),
    Log: found.log && printable(found.log),
  });
  for (const attempt of found.attempts) printLine(attemptLine(attempt));
}

function scheduleOfManual({ workSchedule }: RunView): string {
  return workSchedule === undefined ? "none, a manual run" : `a manual run for ${workSchedule}`;
}

/** `Attempt 1  FAILED  12.3 s  Error: …  (request 7c0e…)` */
function attemptLine(found: AttemptView): string {
  const { attempt, durationMs, error, requestId } = found;
  return [
    `Attempt ${attempt}`,
    statusText(found),
    durationMs === undefined ? "" : durationText(durationMs),
    whyText({ error }),
    paint.dim(`(request ${printable(requestId)})`),
  ]
    .filter(Boolean)
    .join("  ");
}

function payloadText({ json, bytes, hash }: NonNullable<RunView["input"]>): string {
  return printable(
    json ?? `${bytes} bytes, hash ${hash.slice(0, 12)} (the text is kept only where the job's "store" option says so)`,
  );
}
