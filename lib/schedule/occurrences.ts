import type { Cron } from "./cron.ts";
import { ScheduleError } from "./errors.ts";
import { checkInstant } from "./instant.ts";
import { firstReadingFrom, lastReadingBefore } from "./readings.ts";
import type { RateSchedule, Schedule } from "./schedule.ts";
import { instantOf, shownBefore, type Zone } from "./zone.ts";

/** The years 1970-2199 in any time zone: EventBridge's calendar. */
const CALENDAR_START_MS = Date.UTC(1969, 11, 31);
const CALENDAR_END_MS = Date.UTC(2200, 0, 2);

/**
 * The first occurrence strictly after an instant (epoch ms), or `undefined` when there is none in EventBridge's calendar, which ends
 * with the year 2199 of whatever zone.
 *
 * A time that the clock skips has no occurrence; a time that it shows twice has one, the first (AWS: "runs only once").
 * @throws RangeError where `afterMs` is no number.
 * @throws ScheduleError for a rate without `start` and anchor: nobody can know its occurrences.
 */
export function nextOccurrence(schedule: Schedule, afterMs: number): number | undefined {
  checkInstant(afterMs);
  const { earliestMs, latestMs } = limitsOf(schedule);
  const fromMs = Math.max(Math.floor(afterMs) + 1, earliestMs);
  const occurrenceMs = fromMs > latestMs ? undefined : firstFrom(schedule, fromMs);
  return occurrenceMs === undefined || occurrenceMs > latestMs ? undefined : occurrenceMs;
}

/** The last occurrence strictly before an instant (epoch ms), or `undefined`; the inverse of `nextOccurrence`. */
export function previousOccurrence(schedule: Schedule, beforeMs: number): number | undefined {
  checkInstant(beforeMs);
  const { earliestMs, latestMs } = limitsOf(schedule);
  const untilMs = Math.min(Math.ceil(beforeMs), latestMs + 1);
  const occurrenceMs = untilMs <= earliestMs ? undefined : lastBefore(schedule, untilMs);
  return occurrenceMs === undefined || occurrenceMs < earliestMs ? undefined : occurrenceMs;
}

/** The occurrences from one instant (inclusive) to another (exclusive), one at a time. */
export function* occurrencesBetween(schedule: Schedule, fromMs: number, toMs: number): Generator<number> {
  checkInstant(fromMs);
  checkInstant(toMs);
  let occurrenceMs = nextOccurrence(schedule, fromMs - 1);
  while (occurrenceMs !== undefined && occurrenceMs < toMs) {
    yield occurrenceMs;
    occurrenceMs = nextOccurrence(schedule, occurrenceMs);
  }
}

/** Both inclusive. AWS ignores the start and end of an `at`. */
function limitsOf(schedule: Schedule): { earliestMs: number; latestMs: number } {
  if (schedule.kind === "at") return { earliestMs: CALENDAR_START_MS, latestMs: CALENDAR_END_MS };
  return {
    earliestMs: Math.max(schedule.startMs ?? CALENDAR_START_MS, CALENDAR_START_MS),
    latestMs: Math.min(schedule.endMs ?? CALENDAR_END_MS, CALENDAR_END_MS),
  };
}

function firstFrom(schedule: Schedule, fromMs: number): number | undefined {
  switch (schedule.kind) {
    case "cron":
      return firstCronFrom(schedule.cron, schedule.zone, fromMs);
    case "rate": {
      const anchorMs = anchorOf(schedule);
      const { periodMs } = schedule.rate;
      return anchorMs + Math.max(0, Math.ceil((fromMs - anchorMs) / periodMs)) * periodMs;
    }
    case "at": {
      const onlyMs = instantOf(schedule.zone, schedule.readingMs);
      return onlyMs !== undefined && onlyMs >= fromMs ? onlyMs : undefined;
    }
  }
}

function lastBefore(schedule: Schedule, beforeMs: number): number | undefined {
  switch (schedule.kind) {
    case "cron":
      return lastCronBefore(schedule.cron, schedule.zone, beforeMs);
    case "rate": {
      const anchorMs = anchorOf(schedule);
      const { periodMs } = schedule.rate;
      return beforeMs <= anchorMs ? undefined : anchorMs + (Math.ceil((beforeMs - anchorMs) / periodMs) - 1) * periodMs;
    }
    case "at": {
      const onlyMs = instantOf(schedule.zone, schedule.readingMs);
      return onlyMs !== undefined && onlyMs < beforeMs ? onlyMs : undefined;
    }
  }
}

function firstCronFrom(cron: Cron, zone: Zone, fromMs: number): number | undefined {
  let readingMs = firstReadingFrom(cron, shownBefore(zone, fromMs));
  while (readingMs !== undefined) {
    const instantMs = instantOf(zone, readingMs);
    if (instantMs !== undefined) return instantMs;
    readingMs = firstReadingFrom(cron, readingMs + 1);
  }
  return undefined;
}

function lastCronBefore(cron: Cron, zone: Zone, beforeMs: number): number | undefined {
  let readingMs = lastReadingBefore(cron, shownBefore(zone, beforeMs));
  while (readingMs !== undefined) {
    const instantMs = instantOf(zone, readingMs);
    if (instantMs !== undefined) return instantMs;
    readingMs = lastReadingBefore(cron, readingMs);
  }
  return undefined;
}

function anchorOf(schedule: RateSchedule): number {
  if (schedule.anchorMs !== undefined) return schedule.anchorMs;
  const message = `${schedule.expression} counts from the instant it was created; give it a start to know its occurrences`;
  throw new ScheduleError("start", "", message);
}
