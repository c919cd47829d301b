import { DAY_MS, dayNumber, MINUTE_MS, MINUTES_PER_DAY } from "./calendar.ts";
import type { Cron } from "./cron.ts";
import { listDays } from "./day-bits.ts";
import { daysOfMonth } from "./days.ts";
import type { Schedule } from "./schedule.ts";

/**
 * The shortest time between two neighbouring occurrences, in ms of wall-clock time: a clock change may stretch or shrink one by its shift.
 * It depends on the expression alone, never on today. `Infinity` when there are not two.
 */
export function shortestGapMs(schedule: Schedule): number {
  switch (schedule.kind) {
    case "cron":
      return shortestCronGap(schedule.cron);
    case "rate":
      return schedule.rate.periodMs;
    case "at":
      return Number.POSITIVE_INFINITY;
  }
}

function shortestCronGap(cron: Cron): number {
  const times = cron.hours.flatMap((hour) => cron.minutes.map((minute) => hour * 60 + minute));
  const withinDay = smallestStep(times);
  const overnight = MINUTES_PER_DAY - (times.at(-1) as number) + (times[0] as number);
  const days = matchingDays(cron);
  // One matching day is enough for the gap within it, none at all for nothing.
  if (days.next().done) return Number.POSITIVE_INFINITY;
  if (withinDay <= overnight) return withinDay * MINUTE_MS;
  const betweenDays = (smallestStep(matchingDays(cron)) - 1) * DAY_MS + overnight * MINUTE_MS;
  return Math.min(withinDay * MINUTE_MS, betweenDays);
}

function smallestStep(ascending: Iterable<number>): number {
  let smallest = Number.POSITIVE_INFINITY;
  let previous = Number.NEGATIVE_INFINITY;
  for (const value of ascending) {
    smallest = Math.min(smallest, value - previous);
    if (smallest === 1) break;
    previous = value;
  }
  return smallest;
}

function* matchingDays(cron: Cron): Generator<number> {
  for (const year of cron.years) {
    for (const month of cron.months) {
      for (const day of listDays(daysOfMonth(cron.days, year, month))) yield dayNumber(year, month, day);
    }
  }
}
