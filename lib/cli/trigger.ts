import type { Command } from "commander";
import type { QueueSeen, RunView, Triggered } from "../operations/index.ts";
import { commandLine, quoted } from "./command-line.ts";
import type { TriggerDocument } from "./documents.ts";
import { readInput } from "./input.ts";
import { addCommonOptions, addWho, type CommonOptions, type WhoOptions } from "./options.ts";
import { paint, printAside, printable, printJson, printLine } from "./output.ts";
import { printRun } from "./run.ts";
import { statusText, whyText } from "./status.ts";
import { withOperations } from "./with-operations.ts";

interface TriggerOptions extends CommonOptions, WhoOptions {
  input?: string;
  reason?: string;
  wait?: true;
}

export function addTriggerCommand(program: Command): void {
  const command = program
    .command("trigger")
    .description("run a job once now, outside its schedule")
    .argument("<job>")
    .option("--input <json>", "what the handler finds at run.input: JSON, @file, or - for stdin")
    .option("--reason <text>", "why, kept with the run")
    .option("--wait", "follow the run to its end; exit 0 only if it succeeded");
  addCommonOptions(addWho(command)).action(trigger);
}

async function trigger(job: string, options: TriggerOptions): Promise<void> {
  const input = options.input === undefined ? undefined : await readInput(options.input);
  await withOperations(options, async (operations) => {
    const triggered = await operations.trigger(job, {
      input,
      by: options.by ?? (await operations.whoAmI()),
      reason: options.reason,
    });
    if (!options.json) printTriggered(triggered);
    const run = options.wait && (await operations.follow(job, triggered.runId, printProgress));
    if (options.json) printJson<TriggerDocument>({ target: operations.target, ...triggered, run });
    else if (run) printRun(run);
    else printLine(`See how it went: ${commandLine(`run ${job} ${quoted(triggered.runId)}`, options)}`);
    if (run && run.status !== "SUCCEEDED") process.exitCode = 1;
  });
}

function printProgress(run: RunView): void {
  const attempt = run.attempts.length > 0 ? ` attempt ${run.attempts.length}` : "";
  printAside(`${statusText(run)}${attempt} ${paint.dim(whyText(run))}`.trimEnd());
}

function printTriggered({ runId, heldBy, overlap, queue }: Triggered): void {
  printLine(`Requested run ${paint.bold(runId)}`);
  if (heldBy && overlap) {
    printLine(`The lock is held by ${printable(heldBy)}: unless that ends first, ${meanwhile(overlap, queue)}.`);
  }
}

/** What becomes of a run that finds the lock held. */
export function meanwhile(overlap: NonNullable<Triggered["overlap"]>, queue: Triggered["queue"]): string {
  switch (overlap) {
    case "skip":
      return "this run is skipped (overlap)";
    case "queue":
      return queue ? inQueue(queue) : "this run waits for its turn";
    case "replace":
      return "that one is asked to stop for this run";
    case "allow":
      return "this run goes beside it";
  }
}

function inQueue({ waiting, length }: QueueSeen): string {
  if (length === undefined) return `this run waits for its turn behind ${waiting}, or is skipped if no more may wait`;
  if (waiting >= length) return `this run is skipped (overlap): ${waiting} wait, and no more may (queueLength)`;
  return "this run waits for its turn";
}
