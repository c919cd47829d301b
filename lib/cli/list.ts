import type { Command } from "commander";
import type { JobSummary, ScheduleView, Target } from "../operations/index.ts";
import { warningsOf } from "../operations/warnings.ts";
import type { ListDocument } from "./documents.ts";
import { addCommonOptions } from "./options.ts";
import { paint, printable, printJson, printLine, printTable, printWarning } from "./output.ts";
import { stateText, statusText } from "./status.ts";
import { timeText } from "./times.ts";
import { addWatch, showOrWatch, type WatchOptions } from "./watch.ts";

export function addListCommand(program: Command): void {
  const command = program.command("list").description("list the jobs: schedule, next occurrence, state, last run");
  addCommonOptions(addWatch(command)).action(list);
}

async function list(options: WatchOptions): Promise<void> {
  await showOrWatch(options, async (operations) => {
    const jobs = await operations.list();
    if (options.json) printJson<ListDocument>({ target: operations.target, jobs });
    else printJobs(jobs, operations.target);
  });
}

export function printJobs(jobs: JobSummary[], target: Target): void {
  if (jobs.length === 0) {
    printLine(noJobsText(target));
    return;
  }
  printTable(
    ["Job", "Schedule", nextTitle(target), "State", "Last run"],
    jobs.map((job) => [
      paint.bold(job.job),
      schedulesCell(job.schedules),
      job.schedules.map(nextCell).join("\n"),
      stateCell(job),
      lastRunCell(job),
    ]),
  );
  for (const { job, schedules } of jobs) {
    for (const { code, message } of warningsOf(schedules)) printWarning({ code, message: `${job}: ${message}` });
  }
}

/** Of a stack the watchdog writes the list, every five minutes. */
export function noJobsText({ kind }: Pick<Target, "kind">): string {
  return kind === "stack"
    ? "No jobs yet: the stack's watchdog lists them within five minutes of a deployment."
    : "No jobs yet: put one into functions/ and start again.";
}

/** Each with its name where there are several. */
export function schedulesCell(schedules: readonly ScheduleView[]): string {
  const named = schedules.length > 1;
  return schedules.map((schedule) => `${named ? `${schedule.name}: ` : ""}${scheduleCell(schedule)}`).join("\n");
}

/** A job that is disabled in code, or runs, can be paused besides. */
function stateCell({ state, paused }: JobSummary): string {
  return paused && state !== "paused" ? `${stateText(state)}\n${stateText("paused")}` : stateText(state);
}

export function scheduleCell({ description, expression, disabled }: ScheduleView): string {
  return `${description}${disabled ? paint.dim(" (disabled)") : ""}\n${paint.dim(expression)}`;
}

export function nextTitle({ running }: Target): string {
  return running ? "Next" : "Next, if a runner runs";
}

/** In UTC, and below it in the schedule's zone. */
export function nextCell({ next, timeZone }: ScheduleView): string {
  if (!next) return "none\n";
  return `${timeText(next.at)}\n${timeZone === "UTC" ? "" : timeText(next.local)}`;
}

function lastRunCell({ lastRun, error }: JobSummary): string {
  if (error !== undefined) return printable(error);
  if (!lastRun) return paint.dim("none yet");
  const time = lastRun.endedAt ?? lastRun.startedAt;
  return `${statusText(lastRun)}\n${time ? timeText(time) : ""}`;
}
