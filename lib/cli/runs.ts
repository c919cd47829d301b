import type { Command } from "commander";
import { SHOWN_STATUSES } from "../operations/choices.ts";
import type { RunView } from "../operations/index.ts";
import type { RunsDocument } from "./documents.ts";
import { addCommonOptions, oneOf, wholeNumber } from "./options.ts";
import { printable, printJson, printLine, printTable } from "./output.ts";
import { statusText, whyText } from "./status.ts";
import { durationText, inZone, timeText } from "./times.ts";
import { addWatch, showOrWatch, type WatchOptions } from "./watch.ts";

interface RunsOptions extends WatchOptions {
  status?: string;
  since?: string;
  limit: number;
}

export function addRunsCommand(program: Command): void {
  const command = program
    .command("runs")
    .description("list a job's runs, newest first")
    .argument("<job>")
    .addOption(oneOf("--status <status>", "only these", SHOWN_STATUSES))
    .option("--since <instant>", "from this instant on, ISO 8601 with Z or an offset")
    .option("--limit <number>", "at most so many", wholeNumber(1000), 20);
  addCommonOptions(addWatch(command)).action(runs);
}

async function runs(job: string, options: RunsOptions): Promise<void> {
  const { status, since, limit } = options;
  await showOrWatch(options, async (operations) => {
    const found = await operations.runs(job, { status, since, limit });
    if (options.json) printJson<RunsDocument>({ target: operations.target, job, runs: found });
    else if (found.length === 0) printLine("No runs.");
    else printRuns(found);
  });
}

export function printRuns(found: readonly RunView[]): void {
  printTable(
    ["Run", "Status", "Attempts", "Started", "Took", "Why"],
    found.map((run) => [
      printable(run.runId),
      statusText(run),
      run.attempts.length > 0 ? String(run.attempts.length) : "",
      startedCell(run),
      run.durationMs === undefined ? "" : durationText(run.durationMs),
      whyText(run),
    ]),
  );
}

/** In UTC, and below it in the job's zone. */
function startedCell({ startedAt, timeZone }: RunView): string {
  if (!startedAt) return "";
  return timeZone === "UTC" ? timeText(startedAt) : `${timeText(startedAt)}\n${timeText(inZone(startedAt, timeZone))}`;
}
