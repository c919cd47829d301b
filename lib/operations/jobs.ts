import PQueue from "p-queue";
import type { RunRecord } from "../run/index.ts";
import type { JobPage, ListedJob, UnreadableJob } from "../store/index.ts";
import { auditView } from "./audit.ts";
import { type Backend, findJob } from "./backend.ts";
import { anchorMsOf } from "./due.ts";
import { instantText } from "./instants.ts";
import type { JobDetail, JobState, JobSummary, LockView, ScheduleView } from "./job-types.ts";
import { pausedNow, pauseView } from "./pause.ts";
import { NO_RECENT_RUNS, recentRuns } from "./recent.ts";
import { upcoming } from "./upcoming.ts";
import { lockView, runView } from "./views.ts";
import { waitingViews } from "./waiting.ts";

const PARALLEL_QUERIES = 50;
const RUNS_ON_PAGE = 10;
const ACTIONS_IN_DETAIL = 5;

/** One query for the fleet and one for each job; a job that cannot be read does not hide the others. */
export async function listJobs(backend: Backend): Promise<JobSummary[]> {
  const { jobs, unreadable } = await backend.fleet.readFleet();
  const queue = new PQueue({ concurrency: PARALLEL_QUERIES });
  const summaries = await queue.addAll(jobs.map((job) => () => summarize(backend, job)));
  return [...summaries, ...unreadable.map(unlisted)].sort((one, other) => (one.job < other.job ? -1 : 1));
}

export async function describeJob(backend: Backend, name: string): Promise<JobDetail> {
  const job = await findJob(backend, name);
  const { summary, page } = await readJob(backend, job);
  const last = await lastRun(backend, name, page);
  const actions = await backend.records.listAudit(name, { limit: ACTIONS_IN_DETAIL });
  const { functionName, timeoutMs, overlap, queueLength, catchUp, heartbeatMs, maxLatenessMs, retries, retentionMs } =
    job;
  return {
    ...summary,
    lastRun: last && runView(last, job, backend),
    functionName,
    timeoutMs,
    overlap,
    queueLength,
    catchUp,
    heartbeatMs,
    maxLatenessMs,
    retries,
    retentionMs,
    runs: page.runs.map((run) => runView(run, job, backend)),
    audit: actions.map(auditView),
  };
}

async function summarize(backend: Backend, job: ListedJob): Promise<JobSummary> {
  try {
    return (await readJob(backend, job)).summary;
  } catch (error) {
    if (!isUnreadableItem(error)) throw error;
    return { ...listedView(job, backend, []), ...unreadable(error) };
  }
}

/** What little is known of a job whose item in the list cannot be read. */
function unlisted({ job, error }: UnreadableJob): JobSummary {
  return { job, schedules: [], ...unreadable(error) };
}

function unreadable(error: Error) {
  const nothing = { waiting: [], consecutiveFailures: 0, recent: NO_RECENT_RUNS };
  return { state: "unreadable", error: error.message, ...nothing } as const;
}

function isUnreadableItem(error: unknown): error is Error {
  if (!(error instanceof Error && "code" in error)) return false;
  return error.code === "STORE_ITEM_INVALID" || error.code === "STORE_ITEM_NEWER";
}

/** One query, whatever there is of the job. */
async function readJob(backend: Backend, job: ListedJob) {
  const page = await backend.records.readJob(job.job, { limit: RUNS_ON_PAGE });
  const { state } = page;
  const last = lastOnPage(page);
  const lock = lockView(state?.lease, backend);
  const paused = pausedNow(state, backend.nowMs());
  const summary: JobSummary = {
    ...listedView(job, backend, page.runs),
    state: stateOf(job, paused !== undefined, lock),
    lock,
    waiting: waitingViews(state ?? {}),
    paused: paused && pauseView(paused),
    lastRun: last && runView(last, job, backend),
    lastSuccess: state?.lastSuccess && instantText(state.lastSuccess.scheduledTimeMs),
    consecutiveFailures: state?.consecutiveFailures ?? 0,
    recent: recentRuns(page.runs),
  };
  return { summary, page };
}

/** Runs are sorted by the time they are for, which a manual run may lack. */
function lastOnPage({ runs }: JobPage): RunRecord | undefined {
  return [...runs].sort((one, other) => latestMs(other) - latestMs(one))[0];
}

/** The one that ended last, which the state knows, need not be on the page. */
async function lastRun({ records }: Backend, job: string, page: JobPage): Promise<RunRecord | undefined> {
  const newest = lastOnPage(page);
  const ended = page.state?.last;
  if (!ended || (newest && latestMs(newest) >= ended.endedMs)) return newest;
  return (await records.readRun(job, ended.runId)) ?? newest; // its record may have expired
}

function latestMs({ startedMs = 0, endedMs = startedMs }: RunRecord): number {
  return endedMs;
}

/** What the fleet's list says of the job; its newest runs tell where a rate stands. */
function listedView(job: ListedJob, backend: Backend, runs: readonly RunRecord[]) {
  return {
    job: job.job,
    description: job.description,
    schedules: scheduleViews(job, backend, runs),
    disabled: !job.enabled,
    holdAfterTimeoutMs: job.holdAfterTimeoutMs,
    firstSeen: instantText(job.firstSeenMs),
  };
}

function stateOf(job: ListedJob, paused: boolean, lock: LockView | undefined): JobState {
  if (lock && !lock.dead && !lock.heldOver) return "running";
  if (job.removedMs !== undefined) return "removed";
  if (!job.enabled) return "disabled";
  if (paused) return "paused";
  return lock?.dead ? "interrupted" : "idle";
}

function scheduleViews(job: ListedJob, { nowMs, isDisabled }: Backend, runs: readonly RunRecord[]): ScheduleView[] {
  return Object.entries(job.schedules).map(([name, spec]) => {
    const { occurrences, description, warnings } = upcoming(spec, {
      fromMs: nowMs(),
      count: 1,
      createdMs: anchorMsOf(job, name, nowMs() + 1, runs),
    });
    const disabled = job.enabled && isDisabled?.(job.job, name) ? true : undefined;
    return {
      name,
      disabled,
      expression: spec.expression,
      timeZone: spec.timeZone,
      description,
      next: job.enabled && !disabled && job.removedMs === undefined ? occurrences[0] : undefined,
      warnings,
    };
  });
}
