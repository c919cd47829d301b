import type { RunRecord } from "../run/index.ts";
import { dueUntilMs, expectedOccurrences, withoutRun } from "../run/watch/expected.ts";
import { isIn, type Span } from "../run/watch/pauses.ts";
import { own, parseSchedule, type Schedule } from "../schedule/index.ts";
import type { ListedJob } from "../store/index.ts";
import type { Backend } from "./backend.ts";
import type { Range } from "./backfill/range.ts";

/** What fell due for a job in a range, by its schedules as they are now, since they are so. */
export interface Due {
  /** How many occurrences should have a record by now. */
  readonly expected: number;
  /** What falls due after it may still be on its way. */
  readonly judgedToMs: number;
  /** In the order of time. */
  readonly unrecorded: readonly Unrecorded[];
}

/** An occurrence without a record. `due`: it may still be on its way. */
export interface Unrecorded {
  readonly schedule: string;
  readonly timeMs: number;
  readonly state: "missed" | "paused" | "due";
}

/** What was read of the job. */
export interface Readings {
  /** Newest first, from `lookBackMs` before the range on. */
  readonly records: readonly RunRecord[];
  readonly pauses: readonly Span[];
  readonly nowMs: number;
}

/** As many are read where a rate counts on from the newest. */
export const NEWEST_RUNS = 10;

/** How far before a range its records have to be known: a rate counts on from the run before. */
export function lookBackMs(job: ListedJob): number {
  return 2 * Math.max(0, ...schedulesOf(job).map(({ schedule }) => ratePeriodMs(schedule)));
}

/** Since when a schedule is as it is: nothing is known of what it did before, but what is recorded. */
export function sinceMsOf(
  { schedulesSinceMs = {}, firstSeenMs }: Pick<ListedJob, "schedulesSinceMs" | "firstSeenMs">,
  schedule: string,
): number {
  return own(schedulesSinceMs, schedule) ?? firstSeenMs;
}

/**
 * What a rate without a start counts on from, before an instant: its newest recorded occurrence since it is as it is, or
 * when it was first seen so.
 *
 * @param records newest first
 */
export function anchorMsOf(
  job: Pick<ListedJob, "schedulesSinceMs" | "firstSeenMs">,
  schedule: string,
  beforeMs: number,
  records: readonly RunRecord[],
): number {
  const times = records.flatMap((run) => (run.schedule === schedule ? (run.scheduledTimeMs ?? []) : []));
  return Math.max(sinceMsOf(job, schedule), times.find((timeMs) => timeMs < beforeMs) ?? 0);
}

/** The job with those of its schedules alone that the template enables, as far as that is known. */
export function withFiredSchedules(job: ListedJob, { isDisabled }: Pick<Backend, "isDisabled">): ListedJob {
  const fired = Object.entries(job.schedules).filter(([name]) => !isDisabled?.(job.job, name));
  return { ...job, schedules: Object.fromEntries(fired) };
}

export function whatFellDue(job: ListedJob, { fromMs, toMs }: Range, { records, pauses, nowMs }: Readings): Due {
  const untilMs = Math.min(toMs, job.removedMs ?? toMs, nowMs + 1) - 1;
  let expected = 0;
  let judgedToMs = toMs;
  const unrecorded: Unrecorded[] = [];
  for (const { name, schedule } of schedulesOf(job)) {
    const recorded = records.flatMap((run) => (run.schedule === name ? (run.scheduledTimeMs ?? []) : [])).reverse();
    const beginsMs = Math.max(fromMs, sinceMsOf(job, name));
    const mark = { untilMs: beginsMs - 1, anchorMs: anchorMsOf(job, name, beginsMs, records) };
    const dueMs = dueUntilMs(schedule, job.maxLatenessMs[name] ?? 0, nowMs);
    judgedToMs = Math.min(judgedToMs, Math.max(dueMs, fromMs));
    const fell = expectedOccurrences(schedule, mark, untilMs, Number.POSITIVE_INFINITY);
    expected += fell.filter((timeMs) => timeMs <= dueMs).length;
    const inRange = recorded.filter((timeMs) => timeMs >= beginsMs);
    for (const timeMs of withoutRun(schedule, mark, fell, inRange)) {
      unrecorded.push({
        schedule: name,
        timeMs,
        state: isIn(pauses, timeMs) ? "paused" : timeMs <= dueMs ? "missed" : "due",
      });
    }
  }
  return { expected, judgedToMs, unrecorded: unrecorded.sort((one, other) => one.timeMs - other.timeMs) };
}

/** Nothing falls due of a job that its code disables. */
function schedulesOf({ enabled, schedules }: ListedJob): { name: string; schedule: Schedule }[] {
  return Object.entries(enabled ? schedules : {}).map(([name, spec]) => ({ name, schedule: parseSchedule(spec) }));
}

function ratePeriodMs(schedule: Schedule): number {
  return schedule.kind === "rate" ? schedule.rate.periodMs : 0;
}
