import { DAY_MS, HOUR_MS, MINUTE_MS } from "./calendar.ts";
import { firstAccepted, ScheduleError } from "./errors.ts";
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
  if (body !== body.trim()) throw refused(body, "leave out the spaces inside the parentheses");
  const [, amount = "", word = ""] = /^(\S+)\s+(\S+)$/.exec(body) ?? [];
  if (word === "") throw refused(body, "write a whole number and a unit, as in rate(5 minutes)");
  const unit = UNITS.find((known) => known === singular(word));
  if (unit === undefined) throw wrongUnit(body, word);
  if (!/^\d+$/.test(amount) || Number(amount) < 1) {
    const message = `${amount} is not a whole number from 1 up; the shortest rate is ${rateText(1, "minute")}`;
    throw new ScheduleError("rate", body, message);
  }
  const value = Number(amount);
  const periodMs = value * UNIT_MS[unit];
  if (periodMs > LONGEST_PERIOD_MS) {
    throw new ScheduleError("rate", body, `${amount} ${word} is longer than the calendar`);
  }
  return { value, unit, periodMs };
}

/** EventBridge's strict form: the singular with 1, else the plural. */
export function rateText(value: number, unit: RateUnit): string {
  return `rate(${rateBody(value, unit)})`;
}

export function rateBody(value: number, unit: RateUnit): string {
  return `${value} ${unit}${value === 1 ? "" : "s"}`;
}

/** What a text that is no rate likely means, as a rate's body: `5 m`, `every 10 min`, `1 week`. */
export function likelyRates(text: string): string[] {
  const [, every, amount, word = ""] = /^(@?every\s+)?(\d+)?\s*([a-z]+)$/i.exec(text.trim()) ?? [];
  if (every === undefined && amount === undefined) return [];
  const value = Number(amount ?? 1);
  if (/^w(ee)?ks?$/i.test(word)) return [rateBody(7 * value, "day")];
  const unit = ABBREVIATIONS.get(singular(word)) ?? UNITS.find((known) => known === nearest(singular(word), UNITS));
  return unit === undefined ? [] : [rateBody(value, unit)];
}

const ABBREVIATIONS: ReadonlyMap<string, RateUnit> = new Map([
  ["m", "minute"],
  ["min", "minute"],
  ["hr", "hour"],
  ["h", "hour"],
  ["d", "day"],
]);

function singular(word: string): string {
  return word.toLowerCase().replace(/s$/, "");
}

function wrongUnit(body: string, word: string): ScheduleError {
  if (singular(word) === "second") {
    return new ScheduleError("rate", body, "the shortest rate is 1 minute, and only whole minutes count");
  }
  return refused(body, `the unit ${word} is not one of minutes, hours, days`);
}

/** What is likely has a right unit and no spaces around it, so that it is never refused here again. */
function refused(body: string, why: string): ScheduleError {
  const meant = firstAccepted([...(body === body.trim() ? [] : [body.trim()]), ...likelyRates(body)], parseRate);
  const hint = meant === undefined ? "" : `; did you mean rate(${meant})?`;
  return new ScheduleError("rate", body, `${why}${hint}`);
}
