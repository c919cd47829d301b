import { occurrencesBetween, parseSchedule } from "../schedule/index.ts";
import type { ListedJob } from "../store/index.ts";

/** One occurrence of one of a job's schedules. */
export interface Occurrence {
  readonly schedule: string;
  readonly timeMs: number;
}

/** The end of EventBridge's calendar, in any zone. */
const CALENDAR_END_MS = Date.UTC(2200, 0, 2);

/**
 * The first occurrences, `max` at most, of all of a job's schedules in a half-open range, in the order of time. A rate
 * without a start is counted from when the job was first seen.
 */
export function occurrencesOf(
  job: Pick<ListedJob, "schedules" | "firstSeenMs">,
  range: { readonly fromMs: number; readonly toMs: number },
  max: number,
): Occurrence[] {
  const toMs = Math.min(range.toMs, CALENDAR_END_MS);
  const found = Object.entries(job.schedules).flatMap(([schedule, spec]) => {
    const compiled = parseSchedule(spec, { anchorMs: job.firstSeenMs });
    return firstOf(occurrencesBetween(compiled, range.fromMs, toMs), max).map((timeMs) => ({ schedule, timeMs }));
  });
  return found.sort((one, other) => one.timeMs - other.timeMs).slice(0, max);
}

function firstOf<T>(values: Iterable<T>, max: number): T[] {
  const found: T[] = [];
  for (const value of values) {
    found.push(value);
    if (found.length === max) break;
  }
  return found;
}
