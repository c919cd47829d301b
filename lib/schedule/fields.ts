import { firstAccepted, ScheduleError } from "./errors.ts";
import { nearest } from "./nearest.ts";
import { parseRate, rateBody } from "./rate.ts";

/** One of the six fields of a cron expression, with AWS's own name and limits. */
export interface Field {
  readonly name: string;
  readonly min: number;
  readonly max: number;
  /** What a reader is told is allowed. */
  readonly allowed: string;
  /** Names that may stand for numbers; the first is `min`. */
  readonly names: readonly string[];
}

export const WEEKDAY_NAMES = ["SUN", "MON", "TUE", "WED", "THU", "FRI", "SAT"] as const;
export const MONTH_NAMES = [
  "JAN",
  "FEB",
  "MAR",
  "APR",
  "MAY",
  "JUN",
  "JUL",
  "AUG",
  "SEP",
  "OCT",
  "NOV",
  "DEC",
] as const;

export const MINUTE: Field = { name: "minute", min: 0, max: 59, allowed: "0-59", names: [] };
export const HOUR: Field = { name: "hour", min: 0, max: 23, allowed: "0-23", names: [] };
export const DAY: Field = { name: "day-of-month", min: 1, max: 31, allowed: "1-31", names: [] };
export const MONTH: Field = { name: "month", min: 1, max: 12, allowed: "1-12 or JAN-DEC", names: MONTH_NAMES };
export const WEEKDAY: Field = {
  name: "day-of-week",
  min: 1,
  max: 7,
  allowed: "1-7, 1 = Sunday, or SUN-SAT",
  names: WEEKDAY_NAMES,
};
export const YEAR: Field = { name: "year", min: 1970, max: 2199, allowed: "1970-2199", names: [] };

/** The values a field's text names, sorted. Accepts `*`, lists, ranges (also wrapping ones, except of years) and steps. */
export function parseValues(field: Field, text: string): readonly number[] {
  if (text === "*") return everyValue(field);
  const items = text.split(",");
  if (items.includes("")) {
    throw new ScheduleError(field.name, text, `${field.name} ${text} holds an empty value; allowed: ${field.allowed}`);
  }
  const values = items.flatMap((item) => parseItem(field, item));
  const isAscending = values.every((value, i) => i === 0 || value > (values[i - 1] as number));
  return isAscending ? values : [...new Set(values)].sort((a, b) => a - b);
}

/** One value of a field: a number within its limits, or a name. */
export function parseValue(field: Field, text: string): number {
  const named = field.names.indexOf(text.toUpperCase());
  if (named >= 0) return field.min + named;
  if (!/^\d+$/.test(text)) throw unreadable(field, text);
  const value = Number(text);
  if (value < field.min || value > field.max) {
    throw new ScheduleError(
      field.name,
      text,
      `${field.name} ${text} is outside ${field.allowed}${intent(field, value)}`,
    );
  }
  return value;
}

/** `*` or a value or a range of two, and perhaps a step. */
const ITEM = /^(?:\*|([^-/*]+)(?:-([^-/*]+))?)(?:\/(.*))?$/;

function parseItem(field: Field, item: string): number[] {
  if (!/[-/]/.test(item)) return [parseValue(field, item)];
  const parts = ITEM.exec(item);
  if (parts === null) throw unreadable(field, item);
  const [, first, last, step] = parts;
  const from = first === undefined ? field.min : parseValue(field, first);
  const to = last === undefined ? field.max : parseValue(field, last);
  return rangeOf(field, item, from, to, step === undefined ? 1 : parseStep(field, item, step));
}

function rangeOf(field: Field, item: string, from: number, to: number, by: number): number[] {
  if (to < from && field === YEAR) {
    throw new ScheduleError(field.name, item, `year ${item} runs backwards; write the earlier year first`);
  }
  const size = field.max - field.min + 1;
  const length = to < from ? to - from + size : to - from;
  const values: number[] = [];
  for (let i = 0; i <= length; i += by) values.push(field.min + ((from - field.min + i) % size));
  return values;
}

function parseStep(field: Field, item: string, step: string): number {
  const largest = field.max - field.min;
  const by = /^\d+$/.test(step) ? Number(step) : Number.NaN;
  if (by >= 1 && by <= largest) return by;
  const instead = rateInstead(field, by);
  const hint = instead === undefined ? "" : `; for an even interval use ${instead}`;
  throw new ScheduleError(
    field.name,
    item,
    `${field.name} ${item}: the step must be a whole number from 1 to ${largest}${hint}`,
  );
}

/** The rate that a step longer than its field was likely meant to be. */
function rateInstead(field: Field, step: number): string | undefined {
  const body = firstAccepted(rateBodies(field, step), parseRate);
  return body === undefined ? undefined : `rate(${body})`;
}

function rateBodies(field: Field, step: number): string[] {
  if (field === MINUTE) return [step % 60 === 0 ? rateBody(step / 60, "hour") : rateBody(step, "minute")];
  if (field === HOUR) return [step % 24 === 0 ? rateBody(step / 24, "day") : rateBody(step, "hour")];
  return field === DAY ? [rateBody(step, "day")] : [];
}

function unreadable(field: Field, text: string): ScheduleError {
  if (text.includes("?") && field !== DAY && field !== WEEKDAY) {
    return new ScheduleError(
      field.name,
      text,
      `${field.name} ${text}: \`?\` is only for the two day fields; write \`*\``,
    );
  }
  const stepped = text.startsWith("/") ? firstAccepted([`*${text}`], (likely) => parseItem(field, likely)) : undefined;
  const named = field.names.find((name) => text.toUpperCase().startsWith(name)) ?? nearest(text, field.names);
  const meant = stepped ?? named;
  const hint = meant === undefined ? "" : `; did you mean ${meant}?`;
  const message = `${field.name} ${text} cannot be read; allowed: ${field.allowed}${hint}`;
  return new ScheduleError(field.name, text, message);
}

function intent(field: Field, value: number): string {
  if (field === HOUR && value === 24) return "; midnight is hour 0";
  if (field === HOUR && value < 60) return "; did you write a seconds field? EventBridge has none";
  if (field === WEEKDAY && value === 0) return "; Sunday is 1 or SUN";
  return "";
}

function everyValue(field: Field): readonly number[] {
  let values = everyValueOf.get(field);
  if (values === undefined) {
    values = Array.from({ length: field.max - field.min + 1 }, (_, i) => field.min + i);
    everyValueOf.set(field, values);
  }
  return values;
}

/** `*` is the most common text of all; its values are made once per field. */
const everyValueOf = new Map<Field, readonly number[]>();
