import type { RunRecord } from "../run/index.ts";
import { occurrencesBetween, parseSchedule } from "../schedule/index.ts";
import type { ListedJob } from "../store/index.ts";
import { anchorMsOf } from "./due.ts";

/** One occurrence of one of a job's schedules. */
export interface Occurrence {
  readonly schedule: string;
  readonly timeMs: number;
}

/** The end of EventBridge's calendar, in any zone. */
const CALENDAR_END_MS = Date.UTC(2200, 0, 2);

/**
 * The first occurrences, `max` at most, of all of a job's schedules in a half-open range, in the order of time.
 *
 * @param records newest first; a rate counts on from the last one before the range
 */
export function occurrencesOf(
  job: Pick<ListedJob, "schedules" | "schedulesSinceMs" | "firstSeenMs">,
  range: { readonly fromMs: number; readonly toMs: number },
  max: number,
  records: readonly RunRecord[] = [],
): Occurrence[] {
  const toMs = Math.min(range.toMs, CALENDAR_END_MS);
  const found = Object.entries(job.schedules).flatMap(([schedule, spec]) => {
    const compiled = parseSchedule(spec, { anchorMs: anchorMsOf(job, schedule, range.fromMs, records) });
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
