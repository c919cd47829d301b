import type { Cron } from "./cron.ts";
import { checkKeys, ScheduleError } from "./errors.ts";
import { parseExpression } from "./expression.ts";
import { checkFinite } from "./instant.ts";
import { type Limits, type LimitTexts, limitTexts, parseLimits } from "./limits.ts";
import type { Rate } from "./rate.ts";
import { shown } from "./shown.ts";
import type { Zone } from "./zone.ts";
import { findZone } from "./zone-name.ts";

/** A schedule as plain JSON data, frozen: what a job's file holds and what is deployed. */
export interface ScheduleSpec {
  /** EventBridge's strict form: `cron(0 2 * * ? *)`, `rate(1 minute)`, `at(2030-02-01T15:00:00)`. */
  readonly expression: string;
  /** IANA name. @default "UTC" */
  readonly timeZone: string;
  /** No occurrence before this instant, ISO 8601 in UTC; a rate's first occurrence. @default no limit */
  readonly start?: string;
  /** No occurrence after this instant, ISO 8601 in UTC. @default no limit */
  readonly end?: string;
  /** EventBridge may deliver up to this many minutes after the scheduled time, 1-1440. @default at the scheduled time */
  readonly flexibleWindowMinutes?: number;
}

/** A schedule that has been read and checked. Made by `parseSchedule`. */
export type Schedule = CronSchedule | RateSchedule | AtSchedule;

export interface CronSchedule extends InZone {
  readonly kind: "cron";
  readonly cron: Cron;
}

export interface RateSchedule extends InZone {
  readonly kind: "rate";
  readonly rate: Rate;
  /** The first occurrence. Without it the occurrences cannot be known: a rate counts from its creation. */
  readonly anchorMs?: number;
}

export interface AtSchedule extends InZone {
  readonly kind: "at";
  /** The wall-clock reading of the one occurrence. */
  readonly readingMs: number;
}

interface InZone extends Limits {
  readonly expression: string;
  readonly timeZone: string;
  readonly zone: Zone;
}

/** What `parseSchedule` reads: a `ScheduleSpec`, or one that was written by hand. */
export interface ScheduleInput extends LimitTexts {
  readonly expression: string;
  /** @default "UTC" */
  readonly timeZone?: string;
}

/**
 * Reads and checks a schedule by EventBridge Scheduler's rules.
 *
 * @param options.anchorMs the first occurrence of a rate that has no `start`: the instant it was created, epoch ms.
 * @throws ScheduleError that names the field, its value, what is allowed, and the likely meant line.
 * @throws RangeError where `anchorMs` is no finite number.
 * @example parseSchedule({ expression: "cron(0 2 * * ? *)", timeZone: "Europe/Berlin" })
 */
export function parseSchedule(input: ScheduleInput, options: { readonly anchorMs?: number } = {}): Schedule {
  checkShape(input);
  if (options.anchorMs !== undefined) checkFinite(options.anchorMs);
  const expression = parseExpression(input.expression);
  const zone = findZone(input.timeZone === undefined ? "UTC" : input.timeZone);
  const limits = { timeZone: zone.name, zone, ...parseLimits(input) };
  if (expression.kind !== "rate") return { ...expression, ...limits };
  const anchorMs = limits.startMs ?? options.anchorMs;
  return { ...expression, ...limits, ...(anchorMs === undefined ? {} : { anchorMs }) };
}

/** The schedule as data again; `parseSchedule` of it gives the same schedule. */
export function specOf(schedule: Schedule): ScheduleSpec {
  const { expression, timeZone } = schedule;
  return Object.freeze({ expression, timeZone, ...limitTexts(schedule) });
}

function checkShape(input: unknown): void {
  if (typeof input !== "object" || input === null || Array.isArray(input)) {
    const message = `a schedule is made by cron("0 2 * * ? *"), rate("5 minutes") or at("2030-02-01T15:00:00"); found ${shown(input)}`;
    throw new ScheduleError("schedule", input, message);
  }
  checkKeys(input, ["expression", "timeZone", "start", "end", "flexibleWindowMinutes"]);
}
