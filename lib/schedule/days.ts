import { dayNumber, monthLength, weekdayOf } from "./calendar.ts";
import { ScheduleError } from "./errors.ts";
import { DAY, parseValue, parseValues, WEEKDAY } from "./fields.ts";

/** Which days of a month match: what the two day fields say together, since one of them is always `?`. */
export type DayRule =
  | { readonly kind: "days"; readonly days: readonly number[] }
  | { readonly kind: "last-day"; readonly daysBefore: number }
  | { readonly kind: "nearest-weekday"; readonly day: number }
  | { readonly kind: "last-weekday" }
  | { readonly kind: "weekdays"; readonly weekdays: readonly number[] }
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
  return { kind: "days", days: parseValues(DAY, text) };
}

/** `L` (Saturday), `6L`, `FRIL`, `6#3`, `FRI#3`, or values; `L` and `#` stand alone. */
export function parseDayOfWeek(text: string): DayRule {
  const upper = text.toUpperCase();
  if (upper === "L") return { kind: "weekdays", weekdays: [7] };
  const last = /^([^-,/#]+)L$/.exec(upper)?.[1];
  if (last !== undefined) return { kind: "last-of-weekday", weekday: parseValue(WEEKDAY, last) };
  const [weekday = "", nth, ...more] = text.split("#");
  if (nth !== undefined) {
    if (more.length > 0 || text.includes(",")) throw standsAlone(WEEKDAY.name, text, "`6#3`");
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
  return { kind: "weekdays", weekdays: parseValues(WEEKDAY, text) };
}

/** The matching days as bits: bit `d` is set when day `d` of that month matches. */
export function daysOfMonth(rule: DayRule, year: number, month: number): number {
  const length = monthLength(year, month);
  switch (rule.kind) {
    case "days":
      return bitsOf(rule.days, length);
    case "last-day":
      return bit(length - rule.daysBefore);
    case "nearest-weekday":
      return rule.day > length ? 0 : bit(nearestWeekday(year, month, rule.day, length));
    case "last-weekday":
      return bit(nearestWeekday(year, month, length, length));
    case "weekdays":
      return rule.weekdays.reduce((bits, weekday) => bits | everyWeek(firstDay(year, month, weekday), length), 0);
    case "last-of-weekday":
      return bit(lastDay(firstDay(year, month, rule.weekday), length));
    case "nth-weekday": {
      const day = firstDay(year, month, rule.weekday) + 7 * (rule.nth - 1);
      return day > length ? 0 : bit(day);
    }
  }
}

function bit(day: number): number {
  return day < 1 ? 0 : 1 << day;
}

function bitsOf(days: readonly number[], length: number): number {
  let bits = 0;
  for (const day of days) if (day <= length) bits |= bit(day);
  return bits;
}

function everyWeek(first: number, length: number): number {
  let bits = 0;
  for (let day = first; day <= length; day += 7) bits |= bit(day);
  return bits;
}

function firstDay(year: number, month: number, weekday: number): number {
  return 1 + ((weekday - weekdayOf(dayNumber(year, month, 1)) + 7) % 7);
}

function lastDay(first: number, length: number): number {
  return first + 7 * Math.floor((length - first) / 7);
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
