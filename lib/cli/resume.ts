import type { Command } from "commander";
import type { HeldUp, PauseLook, Resumed } from "../operations/index.ts";
import { instantText } from "../operations/instants.ts";
import { commandLine } from "./command-line.ts";
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
    if (!options.json) printLook(look, options);
    if (look.paused && !(await confirm(`Resume ${job}?`, options))) {
      printAside("Nothing was done.");
      process.exitCode = 1;
      return;
    }
    const by = options.by ?? (await operations.whoAmI());
    const answer = await operations.resume(job, { by, reason: options.reason, pausedAt: look.paused?.at });
    const { skipped, unrecorded, next } = look;
    if (options.json) printJson<ResumeDocument>({ target, ...answer, skipped, unrecorded, next });
    else printResumed(answer);
    if (answer.outcome === "conflict") process.exitCode = 1;
  });
}

function printLook({ job, paused, skipped, unrecorded, next }: PauseLook, place: CommonOptions): void {
  if (!paused) return;
  printLine(`${paint.bold(job)} is paused ${pauseText(paused)}`);
  if (skipped.count + unrecorded.count === 0) printLine("No occurrence was skipped since.");
  printHeldUp("Skipped since", skipped, `backfill ${job} --only skipped`, place);
  printHeldUp("Fell due since, without a record", unrecorded, `backfill ${job} --only missing`, place);
  printLine(next ? `The next run is that of ${timeText(next)}.` : "No further occurrence is due.");
}

function printHeldUp(title: string, { count, first, last }: HeldUp, backfill: string, place: CommonOptions): void {
  if (first === undefined || last === undefined) return;
  printLine(`${title}: ${count}, from ${timeText(first)} to ${timeText(last)}. They do not run now.`);
  printLine(
    `Run them afterwards, if they are needed: ${commandLine(`${backfill} --from ${first} --to ${after(last)}`, place)}`,
  );
}

/** The end of a range that holds this instant. */
function after(instant: string): string {
  return instantText(Date.parse(instant) + 1_000);
}

function printResumed({ job, outcome, paused }: Resumed): void {
  if (outcome === "resumed") printLine(`${paint.bold(job)} is resumed.`);
  else if (outcome === "not-paused") printLine(`${job} is not paused: nothing to do.`);
  else {
    const stands = paused ? `it is paused ${pauseText(paused)}` : "it is not paused any more";
    printAside(`Nothing was done: somebody else was faster, and now ${stands}.`);
  }
}
