import type { Command } from "commander";
import { OperationError } from "../operations/errors.ts";
import { parseInstant } from "../operations/instants.ts";
import { type Upcoming, type UpcomingOccurrence, upcoming } from "../operations/upcoming.ts";
import type { NextDocument } from "./documents.ts";
import { addCommonOptions, type CommonOptions, wholeNumber } from "./options.ts";
import { paint, printJson, printLine, printTable, printWarning } from "./output.ts";
import { dayAndTimeText } from "./times.ts";
import { withOperations } from "./with-operations.ts";

interface NextOptions extends CommonOptions {
  timeZone?: string;
  from?: string;
  count: number;
}

export function addNextCommand(program: Command): void {
  const command = program
    .command("next")
    .description("show the next occurrences of a job or of an expression")
    .argument("<job-or-expression>", 'such as nightly-report, or "cron(0 2 * * ? *)"')
    .option("--time-zone <zone>", "the expression's zone, such as Europe/Berlin (default: UTC)")
    .option("--from <instant>", "after this instant, ISO 8601 with Z or an offset (default: now)")
    .option("--count <number>", "how many", wholeNumber(1000), 5);
  addCommonOptions(command).action(next);
}

async function next(subject: string, options: NextOptions): Promise<void> {
  const { timeZone, from, count } = options;
  if (!isJobName(subject)) {
    const fromMs = from === undefined ? startOfSecond(Date.now()) : parseInstant("from", from);
    const spec = { expression: subject, timeZone: timeZone ?? "UTC" };
    printUpcoming(upcoming(spec, { fromMs, count }), options);
    return;
  }
  if (timeZone !== undefined) {
    throw new OperationError("INVALID_INPUT", `--time-zone goes with an expression; the job "${subject}" has its own`);
  }
  await withOperations(options, async (operations) => {
    printUpcoming(await operations.next(subject, { from, count }), options);
  });
}

/** Occurrences fall on whole seconds, also those of a rate that is counted from now. */
function startOfSecond(ms: number): number {
  return ms - (ms % 1000);
}

/** Anything that is no possible name is read as an expression, so that its mistake can be explained. */
function isJobName(text: string): boolean {
  return /^[\w-]+$/.test(text);
}

function printUpcoming(found: Upcoming, { json }: NextOptions): void {
  if (json) {
    printJson<NextDocument>(found);
    return;
  }
  printLine(paint.bold(found.description));
  if (found.occurrences.length === 0) {
    printLine("No further occurrence.");
  } else {
    printOccurrences(found.occurrences);
  }
  for (const warning of found.warnings) printWarning(warning);
}

function printOccurrences(occurrences: readonly (UpcomingOccurrence & { schedule?: string })[]): void {
  // A job's only schedule has the name "default"; several have names of their own.
  const named = occurrences.some(({ schedule = "default" }) => schedule !== "default");
  const noted = occurrences.some(({ note }) => note !== undefined);
  printTable(
    ["UTC", "Local", ...(named ? ["Schedule"] : []), ...(noted ? ["Note"] : [])],
    occurrences.map(({ at, local, schedule = "", note = "" }) => [
      ...[dayAndTimeText(at), dayAndTimeText(local)],
      ...(named ? [schedule] : []),
      ...(noted ? [note] : []),
    ]),
  );
}
