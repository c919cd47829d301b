import type { Cron } from "./cron.ts";
import { EVERY_DAY, listDays } from "./day-bits.ts";
import type { DayRule } from "./days.ts";
import { describeTimes } from "./describe-times.ts";
import { type Schedule, specOf } from "./schedule.ts";
import {
  dateWords,
  evenStep,
  listWords,
  MONTH_WORDS,
  NTH_WORDS,
  runsOf,
  timeWords,
  valueWords,
  WEEKDAY_WORDS,
} from "./words.ts";

/**
 * A schedule in exact words: two schedules with the same words have the same occurrences.
 *
 * @example "At 10:15 on the last Friday of the month, 2026 to 2027, Europe/Berlin"
 */
export function describeSchedule(schedule: Schedule): string {
  return `${describeTiming(schedule)}${describeLimits(schedule)}`;
}

function describeTiming(schedule: Schedule): string {
  switch (schedule.kind) {
    case "cron":
      return `${describeCron(schedule.cron)}, ${schedule.timeZone}`;
    case "rate": {
      const { value, unit } = schedule.rate;
      return value === 1 ? `Every ${unit}` : `Every ${value} ${unit}s`;
    }
    case "at": {
      const weekday = WEEKDAY_WORDS[new Date(schedule.readingMs).getUTCDay()];
      const day = `${weekday} ${dateWords(schedule.readingMs)}`;
      return `Once, on ${day} at ${timeWords(schedule.readingMs)}, ${schedule.timeZone}`;
    }
  }
}

function describeLimits(schedule: Schedule): string {
  const { start, end, flexibleWindowMinutes: window } = specOf(schedule);
  const isLimited = schedule.kind !== "at";
  const from = isLimited && start !== undefined ? `, from ${start}` : "";
  const until = isLimited && end !== undefined ? `, until ${end}` : "";
  const within =
    window === undefined ? "" : `, within ${window} minute${window === 1 ? "" : "s"} after the scheduled time`;
  return `${from}${until}${within}`;
}

function describeCron(cron: Cron): string {
  const months =
    cron.months.length === 12 ? undefined : valueWords(cron.months, (month) => MONTH_WORDS[month - 1] ?? "");
  const days = describeDays(cron.days, months);
  return `${describeTimes(cron)}${days}${describeYears(cron.years)}`;
}

function describeDays(rule: DayRule, months: string | undefined): string {
  const ofMonth = months === undefined ? "of the month" : `of ${months}`;
  const inMonths = months === undefined ? "" : ` in ${months}`;
  switch (rule.kind) {
    case "days":
      return rule.days === EVERY_DAY ? inMonths : ` on ${dayWords(listDays(rule.days))} ${ofMonth}`;
    case "weekdays":
      return ` on ${weekdaysWords(listDays(rule.weekdays))}${inMonths}`;
    case "last-day":
      if (rule.daysBefore === 0) return ` on the last day ${ofMonth}`;
      return `, ${rule.daysBefore} day${rule.daysBefore === 1 ? "" : "s"} before the last day ${ofMonth}`;
    case "nearest-weekday":
      return ` on the weekday (Monday to Friday) nearest to day ${rule.day} ${ofMonth}`;
    case "last-weekday":
      return ` on the last weekday (Monday to Friday) ${ofMonth}`;
    case "last-of-weekday":
      return ` on the last ${weekdayWord(rule.weekday)} ${ofMonth}`;
    case "nth-weekday":
      return ` on the ${NTH_WORDS[rule.nth - 1]} ${weekdayWord(rule.weekday)} ${ofMonth}`;
  }
}

function dayWords(days: readonly number[]): string {
  return `${days.length === 1 ? "day" : "days"} ${valueWords(days)}`;
}

function describeYears(years: readonly number[]): string {
  if (years.length === 230) return "";
  const step = evenStep(years);
  if (step !== undefined && step > 1) return `, every ${step} years from ${years[0]} to ${years.at(-1)}`;
  return `, ${listWords(runsOf(years).map(({ first, last }) => (first === last ? `${first}` : `${first} to ${last}`)))}`;
}

/** Monday first, so that the weekend stays together. */
function weekdaysWords(weekdays: readonly number[]): string {
  const fromMonday = weekdays.map((weekday) => (weekday === 1 ? 8 : weekday)).sort((a, b) => a - b);
  return valueWords(fromMonday, (weekday) => weekdayWord(weekday === 8 ? 1 : weekday));
}

function weekdayWord(weekday: number): string {
  return WEEKDAY_WORDS[weekday - 1] ?? "";
}
