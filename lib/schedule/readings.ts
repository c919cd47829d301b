import { DAY_MS, dateOf, dayNumber, MINUTE_MS, MINUTES_PER_DAY } from "./calendar.ts";
import type { Cron } from "./cron.ts";
import { daysOfMonth } from "./days.ts";

/** Which wall-clock readings match a cron expression: whole minutes of the calendar, before any time zone comes in. */

/** The first matching reading at or after another one; `undefined` when there is none until the end of 2199. */
export function firstReadingFrom(cron: Cron, fromMs: number): number | undefined {
  const minute = Math.ceil(fromMs / MINUTE_MS);
  const today = Math.floor(minute / MINUTES_PER_DAY);
  const time = isMatchingDay(cron, today) ? firstTimeFrom(cron, minute - today * MINUTES_PER_DAY) : undefined;
  if (time !== undefined) return reading(today, time);
  const day = firstDayFrom(cron, today + 1);
  return day === undefined ? undefined : reading(day, firstTimeFrom(cron, 0));
}

/** The last matching reading before another one; `undefined` when there is none since the start of 1970. */
export function lastReadingBefore(cron: Cron, beforeMs: number): number | undefined {
  const minute = Math.ceil(beforeMs / MINUTE_MS) - 1;
  const today = Math.floor(minute / MINUTES_PER_DAY);
  const time = isMatchingDay(cron, today) ? lastTimeUpTo(cron, minute - today * MINUTES_PER_DAY) : undefined;
  if (time !== undefined) return reading(today, time);
  const day = lastDayUpTo(cron, today - 1);
  return day === undefined ? undefined : reading(day, lastTimeUpTo(cron, MINUTES_PER_DAY - 1));
}

function reading(day: number, minuteOfDay = 0): number {
  return day * DAY_MS + minuteOfDay * MINUTE_MS;
}

function isMatchingDay(cron: Cron, day: number): boolean {
  const { year, month, day: dayOfMonth } = dateOf(day);
  if (!cron.years.includes(year) || !cron.months.includes(month)) return false;
  return (daysOfMonth(cron.days, year, month) & (1 << dayOfMonth)) !== 0;
}

function firstTimeFrom(cron: Cron, minuteOfDay: number): number | undefined {
  const hour = Math.floor(minuteOfDay / 60);
  if (cron.hours.includes(hour)) {
    const minute = cron.minutes.find((candidate) => candidate >= minuteOfDay % 60);
    if (minute !== undefined) return hour * 60 + minute;
  }
  const later = cron.hours.find((candidate) => candidate > hour);
  return later === undefined ? undefined : later * 60 + (cron.minutes[0] as number);
}

function lastTimeUpTo(cron: Cron, minuteOfDay: number): number | undefined {
  const hour = Math.floor(minuteOfDay / 60);
  if (cron.hours.includes(hour)) {
    const minute = cron.minutes.findLast((candidate) => candidate <= minuteOfDay % 60);
    if (minute !== undefined) return hour * 60 + minute;
  }
  const earlier = cron.hours.findLast((candidate) => candidate < hour);
  return earlier === undefined ? undefined : earlier * 60 + (cron.minutes.at(-1) as number);
}

function firstDayFrom(cron: Cron, from: number): number | undefined {
  const first = dateOf(from);
  for (const year of cron.years) {
    if (year < first.year) continue;
    for (const month of cron.months) {
      if (year === first.year && month < first.month) continue;
      const isFirst = year === first.year && month === first.month;
      const days = daysOfMonth(cron.days, year, month) & (isFirst ? -1 << first.day : -1);
      if (days !== 0) return dayNumber(year, month, lowestBit(days));
    }
  }
  return undefined;
}

function lastDayUpTo(cron: Cron, upTo: number): number | undefined {
  const last = dateOf(upTo);
  for (let y = cron.years.length - 1; y >= 0; y--) {
    const year = cron.years[y] as number;
    if (year > last.year) continue;
    for (let m = cron.months.length - 1; m >= 0; m--) {
      const month = cron.months[m] as number;
      if (year === last.year && month > last.month) continue;
      const isLast = year === last.year && month === last.month;
      const days = daysOfMonth(cron.days, year, month) & (isLast ? upToBit(last.day) : -1);
      if (days !== 0) return dayNumber(year, month, highestBit(days));
    }
  }
  return undefined;
}

function lowestBit(bits: number): number {
  return highestBit(bits & -bits);
}

function highestBit(bits: number): number {
  return 31 - Math.clz32(bits);
}

/** Bits 0 to `bit`; shifting by 32 would shift by nothing. */
function upToBit(bit: number): number {
  return bit === 31 ? -1 : ~(-1 << (bit + 1));
}
