import { parseAt } from "./at.ts";
import { type Cron, parseCron } from "./cron.ts";
import { cronText } from "./cron-text.ts";
import { checkKeys, located, ScheduleError } from "./errors.ts";
import { rateText } from "./fields.ts";
import { parseRate, type Rate } from "./rate.ts";
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

export interface CronSchedule extends Limits {
  readonly kind: "cron";
  readonly cron: Cron;
}

export interface RateSchedule extends Limits {
  readonly kind: "rate";
  readonly rate: Rate;
  /** The first occurrence. Without it the occurrences cannot be known: a rate counts from its creation. */
  readonly anchorMs?: number;
}

export interface AtSchedule extends Limits {
  readonly kind: "at";
  /** The wall-clock reading of the one occurrence. */
  readonly readingMs: number;
}

interface Limits {
  readonly expression: string;
  readonly timeZone: string;
  readonly zone: Zone;
  readonly startMs?: number;
  readonly endMs?: number;
  readonly flexibleWindowMinutes?: number;
}

/** What `parseSchedule` reads: a `ScheduleSpec`, or one whose parts were written by hand. */
export interface ScheduleInput {
  readonly expression: string;
  readonly timeZone?: string;
  readonly start?: string;
  readonly end?: string;
  readonly flexibleWindowMinutes?: number;
}

/**
 * Reads and checks a schedule by EventBridge Scheduler's rules.
 *
 * @param options.anchorMs the first occurrence of a rate that has no `start`: the instant it was created, epoch ms.
 * @throws ScheduleError that names the field, its value, what is allowed, and the likely meant line.
 * @example parseSchedule({ expression: "cron(0 2 * * ? *)", timeZone: "Europe/Berlin" })
 */
export function parseSchedule(input: ScheduleInput, options: { readonly anchorMs?: number } = {}): Schedule {
  checkKeys(input, ["expression", "timeZone", "start", "end", "flexibleWindowMinutes"]);
  const [form, body] = splitExpression(input.expression);
  const zone = findZone(input.timeZone ?? "UTC");
  const limits = { timeZone: zone.name, zone, ...parseLimits(input) };
  return located(input.expression, () => {
    switch (form) {
      case "cron": {
        const cron = parseCron(body);
        return { kind: "cron", expression: cronText(cron.texts), ...limits, cron };
      }
      case "rate": {
        const rate = parseRate(body);
        const anchorMs = limits.startMs ?? options.anchorMs;
        const anchor = anchorMs === undefined ? {} : { anchorMs };
        return { kind: "rate", expression: rateText(rate.value, rate.unit), ...limits, rate, ...anchor };
      }
      case "at":
        return { kind: "at", expression: input.expression, ...limits, readingMs: parseAt(body) };
    }
  });
}

/** The schedule as data again; `parseSchedule` of it gives the same schedule. */
export function specOf(schedule: Schedule): ScheduleSpec {
  const { startMs, endMs, flexibleWindowMinutes } = schedule;
  return Object.freeze({
    expression: schedule.expression,
    timeZone: schedule.timeZone,
    ...(startMs === undefined ? {} : { start: instantText(startMs) }),
    ...(endMs === undefined ? {} : { end: instantText(endMs) }),
    ...(flexibleWindowMinutes === undefined ? {} : { flexibleWindowMinutes }),
  });
}

const LONGEST_EXPRESSION = 256;

function splitExpression(expression: unknown): ["cron" | "rate" | "at", string] {
  if (typeof expression !== "string") {
    throw new ScheduleError(
      "expression",
      String(expression),
      "the schedule expression must be text: cron(...), rate(...) or at(...)",
    );
  }
  const [, form, body = ""] = /^(cron|rate|at)\((.*)\)$/s.exec(expression) ?? [];
  if (form === undefined) throw bareText(expression);
  if (expression.length > LONGEST_EXPRESSION) {
    throw new ScheduleError(
      "expression",
      expression,
      `the expression has ${expression.length} characters; AWS allows ${LONGEST_EXPRESSION}`,
    );
  }
  return [form as "cron" | "rate" | "at", body];
}

function bareText(expression: string): ScheduleError {
  const text = expression.trim();
  const form = /^(cron|rate|at)\s*\((.*)\)$/is.exec(text);
  let meant = "";
  if (form !== null) meant = `; did you mean ${form[1]?.toLowerCase()}(${form[2]})?`;
  else if (/^\d{4}-\d\d-\d\dT/.test(text)) meant = `; did you mean at(${text})?`;
  else if (/^\d+ [a-z]+$/i.test(text)) meant = `; did you mean rate(${text})?`;
  else if (text.split(/\s+/).length >= 5) meant = `; did you mean cron(${text})?`;
  return new ScheduleError(
    "expression",
    expression,
    `"${expression}" must be written as cron(...), rate(...) or at(...)${meant}`,
  );
}

function parseLimits({ start, end, flexibleWindowMinutes }: ScheduleInput) {
  const startMs = start === undefined ? undefined : parseInstant("start", start);
  const endMs = end === undefined ? undefined : parseInstant("end", end);
  if (startMs !== undefined && endMs !== undefined && endMs <= startMs) {
    throw new ScheduleError("end", end as string, `end ${end} is not after start ${start}`);
  }
  if (flexibleWindowMinutes !== undefined) checkWindow(flexibleWindowMinutes);
  return {
    ...(startMs === undefined ? {} : { startMs }),
    ...(endMs === undefined ? {} : { endMs }),
    ...(flexibleWindowMinutes === undefined ? {} : { flexibleWindowMinutes }),
  };
}

function parseInstant(field: "start" | "end", text: unknown): number {
  const parts = typeof text === "string" ? /^(\d{4}-\d\d-\d\dT\d\d:\d\d)(:\d\d)?(?:\.0+)?Z$/.exec(text) : null;
  if (parts === null) {
    throw new ScheduleError(
      field,
      String(text),
      `${field} "${text}" must be an instant in UTC, such as 2030-02-01T15:00:00Z`,
    );
  }
  return located(`${field} "${text}"`, () => parseAt(`${parts[1]}${parts[2] ?? ":00"}`));
}

function checkWindow(minutes: unknown): void {
  if (Number.isInteger(minutes) && (minutes as number) >= 1 && (minutes as number) <= 1440) return;
  const message = `flexibleWindowMinutes ${minutes} must be a whole number from 1 to 1440; leave it out for exact delivery`;
  throw new ScheduleError("flexibleWindowMinutes", String(minutes), message);
}

function instantText(instantMs: number): string {
  return new Date(instantMs).toISOString().replace(".000Z", "Z");
}
