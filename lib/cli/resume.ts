import type { Command } from "commander";
import type { PauseLook, Resumed } from "../operations/index.ts";
import { commandName } from "./command-name.ts";
import { confirm } from "./confirm.ts";
import type { ResumeDocument } from "./documents.ts";
import { addCommonOptions, addWho, addYes, type CommonOptions, type WhoOptions, type YesOptions } from "./options.ts";
import { paint, printAside, printJson, printLine } from "./output.ts";
import { pauseText } from "./pause.ts";
import { timeText } from "./times.ts";
import { withOperations } from "./with-operations.ts";

interface ResumeOptions extends CommonOptions, WhoOptions, YesOptions {
  reason?: string;
}

export function addResumeCommand(program: Command): void {
  const command = program
    .command("resume")
    .description("end a job's pause, after showing what it held up")
    .argument("<job>")
    .option("--reason <text>", "why, kept with the action");
  addCommonOptions(addYes(addWho(command))).action(resume);
}

async function resume(job: string, options: ResumeOptions): Promise<void> {
  await withOperations(options, async (operations) => {
    const { target } = operations;
    const look = await operations.lookAtPause(job);
    if (!options.json) printLook(look);
    if (look.paused && !(await confirm(`Resume ${job}?`, options))) {
      printAside("Nothing was done.");
      process.exitCode = 1;
      return;
    }
    const by = options.by ?? (await operations.whoAmI());
    const answer = await operations.resume(job, { by, reason: options.reason, pausedAt: look.paused?.at });
    if (options.json) printJson<ResumeDocument>({ target, ...answer, skipped: look.skipped, next: look.next });
    else printResumed(answer);
    if (answer.outcome === "conflict") process.exitCode = 1;
  });
}

function printLook({ job, paused, skipped, next }: PauseLook): void {
  if (!paused) return;
  printLine(`${paint.bold(job)} is paused ${pauseText(paused)}`);
  const { count, first, last } = skipped;
  if (first === undefined || last === undefined) {
    printLine("No occurrence fell due since.");
  } else {
    printLine(`Skipped since: ${count}, from ${timeText(first)} to ${timeText(last)}. They do not run now.`);
    const range = `--from ${first} --to <instant>`;
    printLine(`Run them, if they are needed: ${commandName()} backfill ${job} ${range} --only skipped`);
  }
  printLine(next ? `The next run is that of ${timeText(next)}.` : "No further occurrence is due.");
}

function printResumed({ job, outcome, paused }: Resumed): void {
  if (outcome === "resumed") printLine(`${paint.bold(job)} is resumed.`);
  else if (outcome === "not-paused") printLine(`${job} is not paused: nothing to do.`);
  else {
    const stands = paused ? `it is paused ${pauseText(paused)}` : "it is not paused any more";
    printAside(`Nothing was done: somebody else was faster, and now ${stands}.`);
  }
}
