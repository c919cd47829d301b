import { DAY_MS, dateOf, dayNumber, MINUTE_MS, MINUTES_PER_DAY } from "./calendar.ts";
import type { Cron } from "./cron.ts";
import { daysFrom, daysUpTo, EVERY_DAY, firstDay, lastDay } from "./day-bits.ts";
import { daysOfMonth } from "./days.ts";
import { indexFrom } from "./sorted.ts";

/** Which wall-clock readings match a cron expression: whole minutes of the calendar, before any time zone comes in. */

/** The first matching reading at or after another one; `undefined` when there is none until the end of 2199. */
export function firstReadingFrom(cron: Cron, fromMs: number): number | undefined {
  const minute = Math.ceil(fromMs / MINUTE_MS);
  const today = Math.floor(minute / MINUTES_PER_DAY);
  let day = firstDayFrom(cron, today);
  if (day === today) {
    const time = firstTimeFrom(cron, minute - today * MINUTES_PER_DAY);
    if (time !== undefined) return reading(today, time);
    day = firstDayFrom(cron, today + 1);
  }
  return day === undefined ? undefined : reading(day, firstTimeFrom(cron, 0));
}

/** The last matching reading before another one; `undefined` when there is none since the start of 1970. */
export function lastReadingBefore(cron: Cron, beforeMs: number): number | undefined {
  const minute = Math.ceil(beforeMs / MINUTE_MS) - 1;
  const today = Math.floor(minute / MINUTES_PER_DAY);
  let day = lastDayUpTo(cron, today);
  if (day === today) {
    const time = lastTimeUpTo(cron, minute - today * MINUTES_PER_DAY);
    if (time !== undefined) return reading(today, time);
    day = lastDayUpTo(cron, today - 1);
  }
  return day === undefined ? undefined : reading(day, lastTimeUpTo(cron, MINUTES_PER_DAY - 1));
}

function reading(day: number, minuteOfDay = 0): number {
  return day * DAY_MS + minuteOfDay * MINUTE_MS;
}

function firstTimeFrom({ hours, minutes }: Cron, minuteOfDay: number): number | undefined {
  const hour = Math.floor(minuteOfDay / 60);
  let h = indexFrom(hours, hour);
  if (hours[h] === hour) {
    const minute = minutes[indexFrom(minutes, minuteOfDay - hour * 60)];
    if (minute !== undefined) return hour * 60 + minute;
    h++;
  }
  const later = hours[h];
  return later === undefined ? undefined : later * 60 + (minutes[0] as number);
}

function lastTimeUpTo({ hours, minutes }: Cron, minuteOfDay: number): number | undefined {
  const hour = Math.floor(minuteOfDay / 60);
  const h = indexFrom(hours, hour);
  if (hours[h] === hour) {
    const minute = minutes[indexFrom(minutes, minuteOfDay - hour * 60 + 1) - 1];
    if (minute !== undefined) return hour * 60 + minute;
  }
  const earlier = hours[h - 1];
  return earlier === undefined ? undefined : earlier * 60 + (minutes.at(-1) as number);
}

function firstDayFrom({ years, months, days }: Cron, from: number): number | undefined {
  const first = dateOf(from);
  for (let y = indexFrom(years, first.year); y < years.length; y++) {
    const year = years[y] as number;
    const isFirstYear = year === first.year;
    for (let m = isFirstYear ? indexFrom(months, first.month) : 0; m < months.length; m++) {
      const month = months[m] as number;
      const isFirstMonth = isFirstYear && month === first.month;
      const matching = daysOfMonth(days, year, month) & (isFirstMonth ? daysFrom(first.day) : EVERY_DAY);
      if (matching !== 0) return dayNumber(year, month, firstDay(matching));
    }
  }
  return undefined;
}

function lastDayUpTo({ years, months, days }: Cron, upTo: number): number | undefined {
  const last = dateOf(upTo);
  for (let y = indexFrom(years, last.year + 1) - 1; y >= 0; y--) {
    const year = years[y] as number;
    const isLastYear = year === last.year;
    for (let m = (isLastYear ? indexFrom(months, last.month + 1) : months.length) - 1; m >= 0; m--) {
      const month = months[m] as number;
      const isLastMonth = isLastYear && month === last.month;
      const matching = daysOfMonth(days, year, month) & (isLastMonth ? daysUpTo(last.day) : EVERY_DAY);
      if (matching !== 0) return dayNumber(year, month, lastDay(matching));
    }
  }
  return undefined;
}
