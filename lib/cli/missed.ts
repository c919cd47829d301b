import type { Command } from "commander";
import type { Missed } from "../operations/index.ts";
import { commandLine } from "./command-line.ts";
import type { MissedDocument } from "./documents.ts";
import { addCommonOptions, type CommonOptions } from "./options.ts";
import { printable, printJson, printLine, printTable, printWarning } from "./output.ts";
import { timeText } from "./times.ts";
import { withOperations } from "./with-operations.ts";

interface MissedOptions extends CommonOptions {
  from?: string;
  to?: string;
}

export function addMissedCommand(program: Command): void {
  const command = program
    .command("missed")
    .description("list occurrences that fell due and have no record")
    .argument("[job]", "of one job (default: of all)")
    .option(
      "--from <instant>",
      "inclusive, ISO 8601 with Z or an offset (default: a day ago, or since the job is known)",
    )
    .option("--to <instant>", "exclusive (default: now)");
  addCommonOptions(command).action(missed);
}

async function missed(job: string | undefined, options: MissedOptions): Promise<void> {
  const { from, to } = options;
  await withOperations(options, async (operations) => {
    const query = { from, to };
    const found = job === undefined ? await operations.missedOfAll(query) : [await operations.missed(job, query)];
    if (options.json) printJson<MissedDocument>({ target: operations.target, jobs: found });
    else printMissed(found, options);
  });
}

const DRIFTS: Record<Missed["drifted"][number]["drift"], string> = {
  deleted: "is gone from EventBridge",
  disabled: "is disabled in EventBridge",
  changed: "is another one in EventBridge than in its code",
};

function printMissed(found: readonly Missed[], place: CommonOptions): void {
  for (const { job, drifted } of found) {
    for (const { schedule, drift } of drifted) {
      const message = `${job}: its schedule ${schedule} ${DRIFTS[drift]}: nothing of it counts as missed; see doctor`;
      printWarning({ code: "DRIFT", message });
    }
  }
  const expected = found.reduce((sum, job) => sum + job.expected, 0);
  const lost = found.filter(({ missed }) => missed.length > 0);
  if (lost.length === 0) {
    printLine(`None. Expected by now, and recorded: ${expected}.`);
    printOnTheWay(found);
    return;
  }
  printTable(
    ["Job", "Schedule", "Scheduled time"],
    lost.flatMap(({ job, missed }) =>
      missed.map(({ schedule, scheduledTime }) => [printable(job), printable(schedule), timeText(scheduledTime)]),
    ),
  );
  for (const { job, from, to } of lost) {
    const range = `--from ${from} --to ${to}`;
    printLine(`Run them: ${commandLine(`backfill ${job} ${range} --only missing`, place)}`);
  }
  printOnTheWay(found);
}

/** Of several jobs as of the one that is judged least far. */
function printOnTheWay(found: readonly Missed[]): void {
  const [first] = found
    .filter(({ judgedTo, to }) => Date.parse(judgedTo) < Date.parse(to))
    .map(({ judgedTo }) => judgedTo)
    .sort((one, other) => Date.parse(one) - Date.parse(other));
  if (first) printLine(`Not judged yet: what fell due after ${timeText(first)} may still be on its way.`);
}
