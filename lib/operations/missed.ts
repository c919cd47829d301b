import { type AuditEntry, type Drift, driftOf, scheduledRunId } from "../run/index.ts";
import { dueUntilMs, expectedOccurrences, withoutRun } from "../run/watch/expected.ts";
import { own, parseSchedule, type Schedule } from "../schedule/index.ts";
import type { ListedJob } from "../store/index.ts";
import { type Backend, findJob } from "./backend.ts";
import { checkKnown, knownSinceMs, parseRange, type Range } from "./backfill/range.ts";
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
  /** How many occurrences should have a record by now; those that may still be on their way are none of them. */
  readonly expected: number;
  /** In the order of time. */
  readonly missed: readonly { readonly schedule: string; readonly scheduledTime: string; readonly runId: string }[];
  /** Schedules that EventBridge does not have as the stack declares them: nothing of theirs counts as missed. */
  readonly drifted: readonly { readonly schedule: string; readonly drift: Drift }[];
}

const DAY_MS = 24 * 60 * 60_000;
const MAX_ACTIONS = 1000;

/**
 * Compares what fell due, by the schedules as they are now, with what is recorded. What fell due before they were so, in a
 * pause, while the job is disabled in code, or after it left the stack is not missed; nor is what EventBridge did not have
 * to deliver, since there the schedule is disabled, gone or another one.
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
  const untilMs = Math.min(range.toMs, job.removedMs ?? range.toMs) - 1;
  const schedules = Object.entries(job.enabled ? job.schedules : {}).map(([name, spec]) => {
    return { name, schedule: parseSchedule(spec, { anchorMs: job.firstSeenMs }) };
  });
  const sinceMs = range.fromMs - 2 * Math.max(0, ...schedules.map(({ schedule }) => ratePeriodMs(schedule)));
  const records = await backend.records.listRuns(job.job, { sinceMs, limit: Number.POSITIVE_INFINITY });
  const pauses = pausesOf(await backend.records.listAudit(job.job, { limit: MAX_ACTIONS }));

  let count = 0;
  const missed: { schedule: string; timeMs: number }[] = [];
  const drifted: { schedule: string; drift: Drift }[] = [];
  for (const { name, schedule } of schedules) {
    const changedMs = own(job.schedulesSinceMs ?? {}, name) ?? job.firstSeenMs;
    const fromMs = Math.max(range.fromMs, changedMs);
    const recorded = records.flatMap((run) => (run.schedule === name ? (run.scheduledTimeMs ?? []) : [])).reverse();
    const anchorMs = recorded.findLast((timeMs) => timeMs < fromMs && timeMs >= changedMs) ?? changedMs;
    const mark = { untilMs: fromMs - 1, anchorMs };
    const dueMs = Math.min(untilMs, dueUntilMs(schedule, job.maxLatenessMs[name] ?? 0, nowMs));
    const expected = expectedOccurrences(schedule, mark, dueMs, Number.POSITIVE_INFINITY);
    const inRange = recorded.filter((timeMs) => timeMs >= fromMs);
    const left = withoutRun(schedule, mark, expected, inRange).filter(
      (timeMs) => !pauses.some((pause) => isWithin(pause, timeMs)),
    );
    const asked = left.length > 0 ? await askEventBridge(backend, job, name) : undefined;
    if (asked?.drift) drifted.push({ schedule: name, drift: asked.drift });
    count += asked?.drift ? 0 : expected.length;
    for (const timeMs of left) if (timeMs >= (asked?.knownSinceMs ?? 0)) missed.push({ schedule: name, timeMs });
  }
  return {
    job: job.job,
    from: instantText(range.fromMs),
    to: instantText(range.toMs),
    expected: count,
    missed: missed
      .sort((one, other) => one.timeMs - other.timeMs)
      .map(({ schedule, timeMs }) => ({
        schedule,
        scheduledTime: instantText(timeMs),
        runId: scheduledRunId(timeMs, schedule),
      })),
    drifted,
  };
}

/** As the watchdog does before it calls anything missing: nobody knows what a schedule did before it was last changed. */
async function askEventBridge(
  { deployedSchedule }: Backend,
  job: ListedJob,
  name: string,
): Promise<{ drift?: Drift | undefined; knownSinceMs: number } | undefined> {
  const spec = own(job.schedules, name);
  if (!deployedSchedule || !spec) return undefined;
  const deployed = await deployedSchedule(job.job, name);
  const drift = driftOf(spec, deployed);
  return { drift, knownSinceMs: drift ? Number.POSITIVE_INFINITY : (deployed?.modifiedMs ?? 0) };
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

/** The job's pauses, as its operators made and ended them. */
function pausesOf(entries: readonly AuditEntry[]): Range[] {
  const oldestFirst = [...entries].reverse();
  return oldestFirst.flatMap(({ action, atMs, untilMs = Number.POSITIVE_INFINITY }, index) => {
    if (action !== "pause") return [];
    const resumed = oldestFirst.slice(index + 1).find((later) => later.action === "resume");
    return { fromMs: atMs, toMs: Math.min(resumed?.atMs ?? Number.POSITIVE_INFINITY, untilMs) };
  });
}

function ratePeriodMs(schedule: Schedule): number {
  return schedule.kind === "rate" ? schedule.rate.periodMs : 0;
}

function isWithin({ fromMs, toMs }: Range, timeMs: number): boolean {
  return fromMs <= timeMs && timeMs < toMs;
}
