import PQueue from "p-queue";
import type { ListedJob } from "../store/index.ts";
import { type Backend, findJob } from "./backend.ts";
import { instantText } from "./instants.ts";
import type { JobDetail, JobState, JobSummary, LockView, ScheduleView } from "./types.ts";
import { upcoming } from "./upcoming.ts";
import { lockView, runView } from "./views.ts";

const PARALLEL_QUERIES = 50;
const RUNS_IN_DETAIL = 10;

/** One query for the fleet and one for each job. */
export async function listJobs(backend: Backend): Promise<JobSummary[]> {
  const jobs = await backend.fleet.readFleet();
  const queue = new PQueue({ concurrency: PARALLEL_QUERIES });
  return queue.addAll(jobs.map((job) => async () => (await readJob(backend, job, 1)).summary));
}

export async function describeJob(backend: Backend, name: string): Promise<JobDetail> {
  const job = await findJob(backend, name);
  const { summary, runs } = await readJob(backend, job, RUNS_IN_DETAIL);
  const { functionName, timeoutMs, overlap, maxLatenessMs, retries, retentionMs } = job;
  return {
    ...summary,
    functionName,
    timeoutMs,
    overlap,
    maxLatenessMs,
    retries,
    retentionMs,
    runs,
  };
}

async function readJob(backend: Backend, job: ListedJob, limit: number) {
  const nowMs = backend.nowMs();
  const { state, runs: records } = await backend.records.readJob(job.job, { limit });
  const runs = records.map((record) => runView(record, job, backend));
  const lock = lockView(state, backend);
  const paused = state?.paused;
  const summary: JobSummary = {
    job: job.job,
    description: job.description,
    schedules: scheduleViews(job, nowMs),
    state: stateOf(job, paused !== undefined, lock),
    firstSeen: instantText(job.firstSeenMs),
    lock,
    paused: paused && { by: paused.by, reason: paused.reason, at: instantText(paused.atMs) },
    lastRun: runs[0],
    lastSuccess: state?.lastSuccess && instantText(state.lastSuccess.scheduledTimeMs),
    consecutiveFailures: state?.consecutiveFailures ?? 0,
  };
  return { summary, runs };
}

function stateOf(job: ListedJob, paused: boolean, lock: LockView | undefined): JobState {
  if (lock && !lock.dead) return "running";
  if (job.removedMs !== undefined) return "removed";
  if (!job.enabled) return "disabled";
  if (paused) return "paused";
  return lock ? "interrupted" : "idle";
}

function scheduleViews(job: ListedJob, nowMs: number): ScheduleView[] {
  return Object.entries(job.schedules).map(([name, spec]) => {
    const { occurrences, description, warnings } = upcoming(spec, {
      fromMs: nowMs,
      count: 1,
      createdMs: job.firstSeenMs,
    });
    return {
      name,
      expression: spec.expression,
      timeZone: spec.timeZone,
      description,
      next: job.enabled && job.removedMs === undefined ? occurrences[0] : undefined,
      warnings,
    };
  });
}
