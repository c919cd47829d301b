import type { Command } from "commander";
import type { Cancelled } from "../operations/index.ts";
import { commandName } from "./command-name.ts";
import type { CancelDocument } from "./documents.ts";
import { addCommonOptions, addWho, type CommonOptions, type WhoOptions } from "./options.ts";
import { printAside, printable, printJson, printLine } from "./output.ts";
import { durationText, timeText } from "./times.ts";
import { withOperations } from "./with-operations.ts";

interface CancelOptions extends CommonOptions, WhoOptions {
  reason: string;
}

export function addCancelCommand(program: Command): void {
  const command = program
    .command("cancel")
    .description("ask the run that holds a job's lock to stop")
    .argument("<job>")
    .requiredOption("--reason <text>", "why, told to the handler and kept with the run");
  addCommonOptions(addWho(command)).action(cancel);
}

async function cancel(job: string, options: CancelOptions): Promise<void> {
  await withOperations(options, async (operations) => {
    const by = options.by ?? (await operations.whoAmI());
    const answer = await operations.cancel(job, { by, reason: options.reason });
    if (options.json) printJson<CancelDocument>({ target: operations.target, ...answer });
    else printCancelled(answer);
    if (answer.outcome === "cannot-hear") process.exitCode = 1;
  });
}

function printCancelled({ job, outcome, runId, heartbeatMs = 0, askedBy, askedReason, endsAt }: Cancelled): void {
  const run = printable(runId);
  switch (outcome) {
    case "asked":
      printLine(`Run ${run} is asked to stop: it hears of it within ${durationText(heartbeatMs)}.`);
      printLine(`See how it ends: ${commandName()} run ${job} "${run}"`);
      return;
    case "asked-before":
      printLine(`Run ${run} has been asked before, by ${printable(askedBy)}: ${printable(askedReason ?? "no reason")}`);
      return;
    case "not-running":
      printLine(`No run of ${job} holds its lock: nothing to do.`);
      return;
    case "cannot-hear":
      printAside(
        `Run ${run} cannot be reached: its job has no heartbeat. It ends by itself at ${timeText(endsAt ?? "")} at the latest.`,
      );
      printAside(
        `For the next time give the job a heartbeat ("20 seconds"). To let other runs start now, though this one may be at work still: unlock ${job} --reason …`,
      );
  }
}
