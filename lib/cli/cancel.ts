import type { Command } from "commander";
import type { Cancelled } from "../operations/index.ts";
import { commandLine, quoted } from "./command-line.ts";
import type { CancelDocument } from "./documents.ts";
import { addCommonOptions, addWho, type CommonOptions, type WhoOptions } from "./options.ts";
import { printAside, printable, printJson, printLine } from "./output.ts";
import { durationText, timeText } from "./times.ts";
import { withOperations } from "./with-operations.ts";

interface CancelOptions extends CommonOptions, WhoOptions {
  reason: string;
  run?: string;
}

export function addCancelCommand(program: Command): void {
  const command = program
    .command("cancel")
    .description("ask the run that holds a job's lock to stop, or take one out of the queue")
    .argument("<job>")
    .option("--run <id>", "this run and no other, in quotes; it may be one that waits for the lock")
    .requiredOption("--reason <text>", "why, told to the handler and kept with the run");
  addCommonOptions(addWho(command)).action(cancel);
}

async function cancel(job: string, options: CancelOptions): Promise<void> {
  await withOperations(options, async (operations) => {
    const by = options.by ?? (await operations.whoAmI());
    const answer = await operations.cancel(job, { by, reason: options.reason, runId: options.run });
    if (options.json) printJson<CancelDocument>({ target: operations.target, ...answer });
    else printCancelled(answer, options);
    if (answer.outcome === "cannot-hear" || answer.outcome === "has-started") process.exitCode = 1;
  });
}

function printCancelled(answer: Cancelled, options: CancelOptions): void {
  const { job, outcome, runId, heartbeatMs = 0, askedBy, askedReason, withdrawal, endsAt } = answer;
  const run = printable(runId);
  switch (outcome) {
    case "asked":
      printLine(`Run ${run} is asked to stop: it hears of it within ${durationText(heartbeatMs)}.`);
      printLine(`See how it ends: ${commandLine(`run ${job} ${quoted(run)}`, options)}`);
      return;
    case "asked-before":
      printLine(`Run ${run} has been asked before, by ${printable(askedBy)}: ${printable(askedReason ?? "no reason")}`);
      return;
    case "not-running":
      printLine(
        `No run of ${job} holds its lock${options.run !== undefined ? `, or waits for it, under that id` : ""}: nothing to do.`,
      );
      return;
    case "withdrawn":
      printLine(`Run ${run} waits no more: it is recorded as skipped (cancelled), and does not run.`);
      return;
    case "withdrawn-before":
      printLine(`Run ${run} waits no more: ${printable(withdrawal)}`);
      return;
    case "has-started":
      printAside(`Run ${run} has had an attempt and waits for its next one, which comes: cancel it then.`);
      return;
    case "cannot-hear":
      printAside(
        `Run ${run} cannot be reached: its job has no heartbeat. It ends by itself at ${timeText(endsAt ?? "")} at the latest.`,
      );
      printAside(
        `For the next time give the job a heartbeat ("20 seconds"). To let other runs start now, though this one may be at work still: ${commandLine(`unlock ${job} --reason "…"`, options)}`,
      );
  }
}
