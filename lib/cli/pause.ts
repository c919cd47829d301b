import type { Command } from "commander";
import type { Paused, PauseView } from "../operations/index.ts";
import { commandLine } from "./command-line.ts";
import type { PauseDocument } from "./documents.ts";
import { addCommonOptions, addWho, type CommonOptions, type WhoOptions } from "./options.ts";
import { paint, printAside, printable, printJson, printLine } from "./output.ts";
import { timeText } from "./times.ts";
import { withOperations } from "./with-operations.ts";

interface PauseOptions extends CommonOptions, WhoOptions {
  reason: string;
  until?: string;
}

export function addPauseCommand(program: Command): void {
  const command = program
    .command("pause")
    .description("skip a job's occurrences until it is resumed")
    .argument("<job>")
    .requiredOption("--reason <text>", "why, shown to everybody who looks")
    .option("--until <instant>", "go on by itself from then on, ISO 8601 with Z or an offset");
  addCommonOptions(addWho(command)).action(pause);
}

async function pause(job: string, options: PauseOptions): Promise<void> {
  const { reason, until } = options;
  await withOperations(options, async (operations) => {
    const by = options.by ?? (await operations.whoAmI());
    const answer = await operations.pause(job, { by, reason, until });
    if (options.json) printJson<PauseDocument>({ target: operations.target, ...answer });
    else printPaused(answer, options);
    if (answer.outcome !== "paused") process.exitCode = 1;
  });
}

function printPaused({ job, outcome, paused }: Paused, place: CommonOptions): void {
  const stands = paused ? pauseText(paused) : "it is not paused";
  if (outcome === "paused") {
    printLine(`${paint.bold(job)} is paused ${stands}`);
    printLine("Its occurrences are recorded as skipped. Runs at work go on; a trigger still starts one.");
  } else if (outcome === "already-paused") {
    printAside(`${job} is paused already, ${stands}. Resume it first to change that.`);
  } else {
    printAside(
      `Nothing was done: somebody else was faster, and now ${stands}. Look at it: ${commandLine(`describe ${job}`, place)}`,
    );
  }
}

/** `since 2026-05-02 10:00:00 UTC by ada, until …: the source is down` */
export function pauseText({ at, by, until, reason }: PauseView): string {
  const end = until ? `, until ${timeText(until)}` : "";
  return `since ${timeText(at)} by ${printable(by)}${end}: ${printable(reason)}`;
}
