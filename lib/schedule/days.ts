import { dayNumber, monthLength, weekdayOf } from "./calendar.ts";
import { bitsOf, daysUpTo, EVERY_DAY, EVERY_WEEKDAY, everyWeek, NO_DAYS, oneDay } from "./day-bits.ts";
import { ScheduleError } from "./errors.ts";
import { DAY, parseValue, parseValues, WEEKDAY } from "./fields.ts";

/** Which days of a month match: what the two day fields say together, since one of them is always `?`. */
export type DayRule =
  | { readonly kind: "days" /** As bits. */; readonly days: number }
  | { readonly kind: "last-day"; readonly daysBefore: number }
  | { readonly kind: "nearest-weekday"; readonly day: number }
  | { readonly kind: "last-weekday" }
  | { readonly kind: "weekdays" /** As bits. */; readonly weekdays: number }
  | { readonly kind: "last-of-weekday"; readonly weekday: number }
  | { readonly kind: "nth-weekday"; readonly weekday: number; readonly nth: number };

/** `L`, `L-3`, `LW`, `15W`, or values; `L` and `W` stand alone. */
export function parseDayOfMonth(text: string): DayRule {
  const upper = text.toUpperCase();
  if (upper === "L") return { kind: "last-day", daysBefore: 0 };
  if (upper === "LW") return { kind: "last-weekday" };
  const before = /^L-(\d{1,2})$/.exec(upper)?.[1];
  if (before !== undefined) return { kind: "last-day", daysBefore: parseDaysBefore(text, Number(before)) };
  const weekdayNear = /^(\d+)W$/.exec(upper)?.[1];
  if (weekdayNear !== undefined) return { kind: "nearest-weekday", day: parseValue(DAY, weekdayNear) };
  if (/[LW]/.test(upper)) throw standsAlone(DAY.name, text, "`L`, `LW` or `15W`");
  return { kind: "days", days: bitsOf(parseValues(DAY, text)) };
}

/** `L` (Saturday), `6L`, `FRIL`, `6#3`, `FRI#3`, or values; `L` and `#` stand alone. */
export function parseDayOfWeek(text: string): DayRule {
  const upper = text.toUpperCase();
  if (upper === "L") return { kind: "weekdays", weekdays: oneDay(7) };
  const last = /^([^-,/#]+)L$/.exec(upper)?.[1];
  if (last !== undefined) return { kind: "last-of-weekday", weekday: parseValue(WEEKDAY, last) };
  const [weekday = "", nth, ...more] = text.split("#");
  if (nth !== undefined) {
    if (more.length > 0 || text.includes(",")) throw standsAlone(WEEKDAY.name, text, "`6#3`");
    if (weekday === "")
      throw new ScheduleError(WEEKDAY.name, text, `day-of-week ${text}: before \`#\` comes the weekday`);
    return { kind: "nth-weekday", weekday: parseValue(WEEKDAY, weekday), nth: parseNth(text, nth) };
  }
  if (/(^|[\d,-])L|L[,-]/.test(upper)) throw standsAlone(WEEKDAY.name, text, "`L` or `6L`");
  if (text.includes("/")) {
    throw new ScheduleError(
      WEEKDAY.name,
      text,
      `day-of-week ${text}: AWS lists no steps here; list the days: \`MON,WED\``,
    );
  }
  const weekdays = bitsOf(parseValues(WEEKDAY, text));
  return weekdays === EVERY_WEEKDAY ? { kind: "days", days: EVERY_DAY } : { kind: "weekdays", weekdays };
}

/** The matching days of a month, as bits. */
export function daysOfMonth(rule: DayRule, year: number, month: number): number {
  const length = monthLength(year, month);
  return matchingDays(rule, year, month, length) & daysUpTo(length);
}

function matchingDays(rule: DayRule, year: number, month: number, length: number): number {
  switch (rule.kind) {
    case "days":
      return rule.days;
    case "last-day":
      return oneDay(length - rule.daysBefore);
    case "nearest-weekday":
      return rule.day > length ? NO_DAYS : oneDay(nearestWeekday(year, month, rule.day, length));
    case "last-weekday":
      return oneDay(nearestWeekday(year, month, length, length));
    case "weekdays":
      return everyWeek(rule.weekdays, weekdayOf(dayNumber(year, month, 1)));
    case "last-of-weekday": {
      const first = firstOf(rule.weekday, weekdayOf(dayNumber(year, month, 1)));
      return oneDay(first + 7 * Math.floor((length - first) / 7));
    }
    case "nth-weekday": {
      const day = firstOf(rule.weekday, weekdayOf(dayNumber(year, month, 1))) + 7 * (rule.nth - 1);
      return day > length ? NO_DAYS : oneDay(day);
    }
  }
}

/** The first day of a month that is this weekday. */
function firstOf(weekday: number, weekdayOfFirst: number): number {
  return 1 + ((weekday - weekdayOfFirst + 7) % 7);
}

/** Monday to Friday nearest to a day, never in another month (Quartz's rule; AWS does not say). */
function nearestWeekday(year: number, month: number, day: number, length: number): number {
  const weekday = weekdayOf(dayNumber(year, month, day));
  if (weekday === 7) return day === 1 ? 3 : day - 1;
  if (weekday === 1) return day === length ? day - 2 : day + 1;
  return day;
}

function parseDaysBefore(text: string, daysBefore: number): number {
  if (daysBefore >= 1 && daysBefore <= 30) return daysBefore;
  throw new ScheduleError(DAY.name, text, `day-of-month ${text}: the days before the last one are 1 to 30`);
}

function parseNth(text: string, nth: string): number {
  if (/^[1-5]$/.test(nth)) return Number(nth);
  throw new ScheduleError(WEEKDAY.name, text, `day-of-week ${text}: after \`#\` comes 1 to 5, the week of the month`);
}

function standsAlone(field: string, text: string, forms: string): ScheduleError {
  return new ScheduleError(field, text, `${field} ${text}: ${forms} must stand alone, without a list, range or step`);
}
