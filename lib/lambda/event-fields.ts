import { isPart, PART_RULE, SKEW_TOLERANCE_MS } from "../run/index.ts";
import type { Receiver } from "./arrival.ts";
import { shown } from "./check.ts";
import { EventError } from "./errors.ts";
import { parseInstant } from "./instant.ts";

// Checks of an event's single fields. Each says what is wrong, the value, and what is allowed.

export type Fields = Readonly<Record<string, unknown>>;

export function sameJob(field: string, value: unknown, { job }: Receiver): void {
  if (value !== job) throw refuse(field, value, `this function's job, ${shown(job)}`);
}

export function timeThatHasCome(field: string, value: unknown, receiver: Receiver): number {
  const ms = instant(field, value);
  notInFuture(field, ms, receiver);
  return ms;
}

export function instant(field: string, value: unknown): number {
  const ms = parseInstant(value);
  if (ms !== undefined) return ms;
  throw refuse(field, value, "an instant in UTC such as 2026-05-01T00:30:00Z");
}

export function notInFuture(field: string, ms: number, { nowMs }: Receiver): void {
  if (ms <= nowMs + SKEW_TOLERANCE_MS) return;
  const latest = new Date(nowMs + SKEW_TOLERANCE_MS).toISOString();
  throw refuse(field, new Date(ms).toISOString(), `a time that has come (now: up to ${latest})`);
}

/** A value that becomes a part of a run id. */
export function part(field: string, value: unknown): string {
  if (typeof value === "string" && isPart(value)) return value;
  throw refuse(field, value, `text of ${PART_RULE}`);
}

/** What the operator said about the trigger. */
export function said(field: string, value: unknown): string | undefined {
  if (value === undefined) return undefined;
  if (typeof value === "string" && value.length <= 512) return value.toWellFormed();
  throw refuse(field, value, "text of up to 512 characters");
}

export function fieldsOf(value: unknown): Fields {
  return isObject(value) ? value : {};
}

export function isObject(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

export function refuse(field: string, value: unknown, allowed: string): EventError {
  return new EventError(field, value, `The event's ${field} is ${shown(value)}. Allowed: ${allowed}.`);
}
