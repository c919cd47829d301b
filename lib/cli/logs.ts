import type { Command } from "commander";
import type { LogLine } from "../operations/index.ts";
import type { LogsDocument } from "./documents.ts";
import { logLine } from "./log-line.ts";
import { addCommonOptions, type CommonOptions, wholeNumber } from "./options.ts";
import { paint, printJson, printLine } from "./output.ts";
import { timeText } from "./times.ts";
import { withOperations } from "./with-operations.ts";

interface LogsOptions extends CommonOptions {
  limit: number;
}

export function addLogsCommand(program: Command): void {
  const command = program
    .command("logs")
    .description("show a job's newest log lines, or those of one run")
    .argument("<job>")
    .argument("[run]", "a run id, in quotes")
    .option("--limit <number>", "at most so many lines", wholeNumber(1000), 100);
  addCommonOptions(command).action(logs);
}

async function logs(job: string, runId: string | undefined, options: LogsOptions): Promise<void> {
  const { limit } = options;
  await withOperations(options, async (operations) => {
    const lines = await operations.logs(job, { runId, limit });
    if (options.json) printJson<LogsDocument>({ target: operations.target, job, lines });
    else if (lines.length === 0) printLine("No lines.");
    else for (const line of lines) printLogLine(line);
  });
}

function printLogLine({ at, text }: LogLine): void {
  const line = logLine(text);
  if (line !== undefined) printLine(at === undefined ? line : `${paint.dim(timeText(at))} ${line}`);
}
