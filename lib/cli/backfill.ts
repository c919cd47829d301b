import type { Command } from "commander";
import { SELECTIONS } from "../operations/choices.ts";
import type { Backfilled, BackfillPlan, BackfillProgress, PlannedRun, Target } from "../operations/index.ts";
import { confirm } from "./confirm.ts";
import type { BackfillDocument } from "./documents.ts";
import { listenForInterrupt } from "./interrupt.ts";
import {
  addCommonOptions,
  addWho,
  addYes,
  type CommonOptions,
  oneOf,
  type WhoOptions,
  wholeNumber,
  type YesOptions,
} from "./options.ts";
import { paint, printAside, printable, printJson, printLine, printTable, printWarning } from "./output.ts";
import { createProgressBar } from "./progress-bar.ts";
import { durationText, timeText } from "./times.ts";
import { withOperations } from "./with-operations.ts";

interface BackfillOptions extends CommonOptions, WhoOptions, YesOptions {
  from: string;
  to: string;
  only?: string;
  id?: string;
  dryRun?: true;
  evenIfPaused?: true;
  maxParallel: number;
  reason?: string;
}

/** Listed in full up to here; beyond it the first and the last ones. */
const MAX_LISTED = 20;
/** As a shell's of what Ctrl-C ended: 128, and the number of SIGINT. */
const INTERRUPTED = 130;

export function addBackfillCommand(program: Command): void {
  const command = program
    .command("backfill")
    .description("run a job's past occurrences, after showing which")
    .argument("<job>")
    .requiredOption("--from <instant>", "the first instant, inclusive, ISO 8601 with Z or an offset")
    .requiredOption("--to <instant>", "the last instant, exclusive")
    .addOption(oneOf("--only <which>", "of the occurrences (default: missing and failed)", SELECTIONS))
    .option("--dry-run", "show what would run, and no more")
    .option("--max-parallel <number>", "so many runs at once, for a job whose runs may overlap", wholeNumber(50), 1)
    .option("--even-if-paused", "also while the job is paused")
    .option("--id <id>", "go on with this backfill: what it has run again is left out")
    .option("--reason <text>", "why, kept with each run");
  addCommonOptions(addYes(addWho(command))).action(backfill);
}

async function backfill(job: string, options: BackfillOptions): Promise<void> {
  const { from, to, only, evenIfPaused, maxParallel, reason, json } = options;
  await withOperations(options, async (operations) => {
    const { target } = operations;
    const query = { from, to, only, evenIfPaused, maxParallel, id: options.id };
    const plan = await operations.planBackfill(job, query);
    if (!json) printPlan(plan, target);
    if (options.dryRun || plan.runs.length === 0) {
      if (json) printJson<BackfillDocument>({ target, job, plan });
      return;
    }
    if (!(await confirm(`Run ${plan.runs.length === 1 ? "it" : `these ${plan.runs.length}`}?`, options))) {
      printAside("Nothing was done.");
      process.exitCode = 1;
      return;
    }
    const by = options.by ?? (await operations.whoAmI());
    const runs = plan.runs.map(({ runId }) => runId);
    const bar = createProgressBar(runs.length);
    const interrupt = listenForInterrupt(() => {
      bar.stop();
      process.exit(INTERRUPTED);
    });
    interrupt.signal.addEventListener("abort", () => {
      bar.stop();
      printAside(
        "Stopping: no more runs start, and this waits for those at work. Ctrl-C again leaves them to themselves.",
      );
    });
    const done = await operations
      .backfill(
        job,
        { ...query, id: plan.id, runs, by, reason },
        (progress) => bar.show(progress.succeeded + progress.failed, progressText(progress)),
        interrupt.signal,
      )
      .finally(() => {
        interrupt.release();
        bar.stop();
      });
    if (json) printJson<BackfillDocument>({ target, job, ...done });
    else printDone(done, runs.length, only);
    if (done.outcome === "stopped" || done.failed.length > 0) process.exitCode = 1;
    if (done.outcome === "cancelled") process.exitCode = INTERRUPTED;
  });
}

function printPlan(
  { job, id, from, to, occurrences, changed, runs, estimatedMs, estimatedDollars }: BackfillPlan,
  target: Target,
): void {
  for (const { schedule, since } of changed) {
    const message = `${schedule} is as it is since ${timeText(since)}: of what fell due before, only what has a record is known`;
    printWarning({ code: "SCHEDULE_CHANGED", message });
  }
  const range = `from ${from} (included) to ${to} (excluded)`;
  if (runs.length === 0) {
    printLine(`Nothing to run: of ${occurrences} occurrences of ${paint.bold(job)} ${range} none is asked for.`);
    return;
  }
  const [first] = runs;
  const last = runs.at(-1);
  printLine(`${paint.bold(job)}, ${range}: ${runs.length} of ${occurrences} occurrences (backfill ${id})`);
  printTable(["Scheduled time", "Schedule", "Now", "Runs as"], listed(runs));
  printLine(`First ${timeText(first?.scheduledTime ?? "")}, last ${timeText(last?.scheduledTime ?? "")}.`);
  const cost = target.kind === "local" ? "" : `, about $${estimatedDollars.toFixed(2)} (256 MB, us-east-1)`;
  printLine(`One after the other it takes about ${durationText(estimatedMs)}${cost}.`);
}

function listed(runs: readonly PlannedRun[]): string[][] {
  const shown = runs.length <= MAX_LISTED ? runs : [...runs.slice(0, MAX_LISTED / 2), ...runs.slice(-MAX_LISTED / 2)];
  const rows = shown.map(({ scheduledTime, schedule, was, manual }) => [
    timeText(scheduledTime),
    printable(schedule),
    was,
    manual ? "a manual run for its time" : "itself",
  ]);
  if (shown.length < runs.length) rows.splice(MAX_LISTED / 2, 0, [`… ${runs.length - shown.length} more`, "", "", ""]);
  return rows;
}

function progressText({ runId, status, failed }: BackfillProgress): string {
  return `${status} ${printable(runId)}${failed > 0 ? `, ${failed} failed` : ""}`;
}

function printDone({ plan, outcome, succeeded, failed }: Backfilled, shown: number, only: string | undefined): void {
  const total = plan.runs.length;
  printLine(`Succeeded: ${succeeded.length} of ${total}. Not: ${failed.length}.`);
  if (total < shown) printLine(`Of those shown, ${shown - total} no longer had to run.`);
  for (const runId of failed) printLine(`  ${paint.red("not")} ${printable(runId)}`);
  if (outcome === "done") return;
  const same = only === "all" ? `the same command with --id ${plan.id}` : "the same command";
  if (outcome === "stopped") {
    printAside(`Stopped: too many failed. When the cause is gone, ${same} goes on with what is left.`);
  } else {
    printAside(`Stopped: ${total - succeeded.length - failed.length} not started. To go on with them: ${same}.`);
  }
}
