import { DAY_MS, HOUR_MS, MINUTE_MS } from "./calendar.ts";
import { ScheduleError } from "./errors.ts";
import { nearest } from "./nearest.ts";

export interface Rate {
  readonly value: number;
  readonly unit: RateUnit;
  readonly periodMs: number;
}

const UNITS = ["minute", "hour", "day"] as const;
export type RateUnit = (typeof UNITS)[number];

const UNIT_MS: Readonly<Record<RateUnit, number>> = { minute: MINUTE_MS, hour: HOUR_MS, day: DAY_MS };

/** As far as JavaScript can count time; AWS names no limit. */
const LONGEST_PERIOD_MS = 8.64e15;

/** Reads what stands between the parentheses of `rate(...)`; `1 minutes` and `5 minute` are put right, capitals too. */
export function parseRate(body: string): Rate {
  if (body !== body.trim()) throw refused(body, `leave out the spaces inside the parentheses: rate(${body.trim()})`);
  const [, amount = "", word = ""] = /^(\S+)\s+(\S+)$/.exec(body) ?? [];
  if (word === "") throw refused(body, "write a whole number and a unit, as in rate(5 minutes)");
  const unit = parseUnit(body, amount, word);
  if (!/^\d+$/.test(amount) || Number(amount) < 1) {
    throw refused(body, `${amount} is not a whole number from 1 up; the shortest rate is ${rateText(1, "minute")}`);
  }
  const value = Number(amount);
  const periodMs = value * UNIT_MS[unit];
  if (periodMs > LONGEST_PERIOD_MS) throw refused(body, `${amount} ${word} is longer than the calendar`);
  return { value, unit, periodMs };
}

/** EventBridge's strict form: the singular with 1, else the plural. */
export function rateText(value: number, unit: RateUnit): string {
  return `rate(${value} ${unit}${value === 1 ? "" : "s"})`;
}

function parseUnit(body: string, amount: string, word: string): RateUnit {
  const singular = word.toLowerCase().replace(/s$/, "");
  const unit = UNITS.find((known) => known === singular);
  if (unit !== undefined) return unit;
  if (singular === "second") throw refused(body, "the shortest rate is 1 minute, and only whole minutes count");
  const meant = ABBREVIATIONS.get(singular) ?? UNITS.find((known) => known === nearest(word, UNITS));
  const hint = meant === undefined ? "" : `; did you mean ${rateText(Number(amount), meant)}?`;
  throw refused(body, `the unit ${word} is not one of minutes, hours, days${hint}`);
}

const ABBREVIATIONS: ReadonlyMap<string, RateUnit> = new Map([
  ["min", "minute"],
  ["hr", "hour"],
  ["h", "hour"],
  ["d", "day"],
]);

function refused(body: string, why: string): ScheduleError {
  return new ScheduleError("rate", body, why);
}
