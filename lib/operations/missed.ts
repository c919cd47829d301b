import { type Drift, scheduledRunId } from "../run/index.ts";
import { type ListedJob, readPauses } from "../store/index.ts";
import { type Backend, findJob } from "./backend.ts";
import { checkKnown, knownSinceMs, parseRange, type Range } from "./backfill/range.ts";
import { lookBackMs } from "./due.ts";
import { dueAsDeployed } from "./due-as-deployed.ts";
import { OperationError } from "./errors.ts";
import { instantText } from "./instants.ts";

export interface MissedQuery {
  /** Inclusive, ISO 8601 with `Z` or an offset. @default a day ago, or since the job is known */
  readonly from?: string | undefined;
  /** Exclusive. @default now */
  readonly to?: string | undefined;
}

/** What fell due for a job in a range and has no record. */
export interface Missed {
  readonly job: string;
  readonly from: string;
  readonly to: string;
  /** What fell due after it may still be on its way: of a job with several schedules, that of any. */
  readonly judgedTo: string;
  /** How many occurrences should have a record by now; those that may still be on their way are none of them. */
  readonly expected: number;
  /** In the order of time. */
  readonly missed: readonly { readonly schedule: string; readonly scheduledTime: string; readonly runId: string }[];
  /** Schedules that EventBridge does not have as the stack declares them: nothing of theirs counts as missed. */
  readonly drifted: readonly { readonly schedule: string; readonly drift: Drift }[];
}

const DAY_MS = 24 * 60 * 60_000;

/**
 * Compares what fell due, by the schedules as they are now, with what is recorded. What fell due before they were so, in a
 * pause, while the job is disabled in code, or after it left the stack is not missed; nor is what nobody had to deliver,
 * since the template disables the schedule here, or EventBridge has it disabled, another one or none.
 */
export async function missedOf(backend: Backend, name: string, query: MissedQuery = {}): Promise<Missed> {
  return missedOfJob(backend, await findJob(backend, name), query);
}

/** Of every job that the stack runs. */
export async function missedOfAll(backend: Backend, query: MissedQuery = {}): Promise<Missed[]> {
  const { jobs } = await backend.fleet.readFleet();
  const found: Missed[] = [];
  for (const job of jobs) {
    if (job.enabled && job.removedMs === undefined) found.push(await missedOfJob(backend, job, query));
  }
  return found;
}

async function missedOfJob(backend: Backend, job: ListedJob, query: MissedQuery): Promise<Missed> {
  const nowMs = backend.nowMs();
  const range = rangeOf(job, query, nowMs);
  const sinceMs = range.fromMs - lookBackMs(job);
  const records = await backend.records.listRuns(job.job, { sinceMs, limit: Number.POSITIVE_INFINITY });
  const pauses = await readPauses(backend.records, job.job);
  const { due, drifted } = await dueAsDeployed(backend, job, range, { records, pauses, nowMs });
  const missed = due.unrecorded.filter(({ state }) => state === "missed");
  return {
    job: job.job,
    from: instantText(range.fromMs),
    to: instantText(range.toMs),
    judgedTo: instantText(due.judgedToMs),
    expected: due.expected,
    missed: missed.map(({ schedule, timeMs }) => {
      return { schedule, scheduledTime: instantText(timeMs), runId: scheduledRunId(timeMs, schedule) };
    }),
    drifted,
  };
}

/** @throws OperationError for a range before what is known; the default begins no earlier */
function rangeOf(job: ListedJob, { from, to }: MissedQuery, nowMs: number): Range {
  const toText = to ?? instantText(nowMs);
  if (from !== undefined) {
    const range = parseRange(from, toText);
    checkKnown(job, range, nowMs);
    return range;
  }
  if (to !== undefined) throw new OperationError("INVALID_INPUT", "a range that has an end has a beginning: give from");
  return { fromMs: Math.max(knownSinceMs(job, nowMs), nowMs - DAY_MS), toMs: nowMs };
}
