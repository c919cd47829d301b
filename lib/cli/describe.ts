import type { Command } from "commander";
import type { JobDetail, Target } from "../operations/index.ts";
import { warningsOf } from "../operations/warnings.ts";
import { printAudit } from "./audit.ts";
import type { DescribeDocument } from "./documents.ts";
import { nextCell, nextTitle, scheduleCell } from "./list.ts";
import { addCommonOptions, type CommonOptions } from "./options.ts";
import { paint, printable, printFields, printJson, printLine, printTable, printWarning } from "./output.ts";
import { pauseText } from "./pause.ts";
import { printRuns } from "./runs.ts";
import { stateText, waitingText } from "./status.ts";
import { durationText, timeText } from "./times.ts";
import { withOperations } from "./with-operations.ts";

export function addDescribeCommand(program: Command): void {
  const command = program
    .command("describe")
    .description("show one job: schedules, options, lock, newest runs")
    .argument("<job>");
  addCommonOptions(command).action(describe);
}

async function describe(name: string, options: CommonOptions): Promise<void> {
  await withOperations(options, async (operations) => {
    const job = await operations.describe(name);
    if (options.json) printJson<DescribeDocument>({ target: operations.target, job });
    else printJob(job, operations.target);
  });
}

function printJob(job: JobDetail, target: Target): void {
  const { lock, paused } = job;
  printFields({
    Job: paint.bold(job.job),
    About: job.description && printable(job.description),
    State: stateText(job.state),
    "In code": job.disabled ? "disabled (enabled: false in its file)" : undefined,
    Paused: paused && pauseText(paused),
    Lock:
      lock &&
      `${printable(lock.runId)}, attempt ${lock.attempt}, until ${timeText(lock.expiresAt)}${lock.dead ? ", died" : lock.heldOver ? ", held after its time-out" : ""}`,
    "Lock's owner": lock && printable(lock.owner),
    "Shared locks": lock?.locks && printable(lock.locks.join(", ")),
    Progress:
      lock?.progress && `${Math.round(lock.progress.fraction * 100)} % ${printable(lock.progress.note ?? "")}`.trim(),
    Waiting: job.waiting.map((waits) => `${printable(waits.runId)}, ${waitingText(waits)}`).join("\n") || undefined,
    "Last scheduled success": job.lastSuccess && `the run of ${timeText(job.lastSuccess)}`,
    "Failures in a row": job.consecutiveFailures > 0 ? paint.red(String(job.consecutiveFailures)) : undefined,
    "Time-out": durationText(job.timeoutMs),
    "Held after a time-out": job.holdAfterTimeoutMs === undefined ? undefined : durationText(job.holdAfterTimeoutMs),
    Heartbeat: job.heartbeatMs === undefined ? undefined : durationText(job.heartbeatMs),
    Overlap: job.overlap,
    "Queue length": job.queueLength === undefined ? undefined : String(job.queueLength),
    "Catch-up": job.catchUp,
    Retries: String(job.retries),
    "Records kept": durationText(job.retentionMs),
    Function: job.functionName,
    "First seen": job.firstSeen && timeText(job.firstSeen),
  });
  printLine();
  printTable(
    ["Name", "Schedule", nextTitle(target), "Skipped when later than"],
    job.schedules.map((schedule) => [
      schedule.name,
      scheduleCell(schedule),
      nextCell(schedule),
      latenessText(job.maxLatenessMs[schedule.name]),
    ]),
  );
  for (const warning of warningsOf(job.schedules)) printWarning(warning);
  printLine();
  if (job.runs.length === 0) printLine("No runs yet.");
  else printRuns(job.runs);
  if (job.audit.length > 0) {
    printLine();
    printAudit(job.audit);
  }
}

function latenessText(ms: number | undefined): string {
  return ms === undefined ? "" : durationText(ms);
}
