import { nearest } from "../schedule/index.ts";
import { shown } from "./check.ts";
import { EventError } from "./errors.ts";
import { parseInstant } from "./instant.ts";

/** The `source` and `detail-type` of an event that asks for a run. */
export const RUN_REQUESTED = { source: "escapement", detailType: "Run Requested" } as const;

/** The `detail` of a `Run Requested` event, checked. `by` is what the sender claims. */
export interface RunRequest {
  readonly stack: string;
  readonly job: string;
  readonly by?: string;
  readonly reason?: string;
  readonly input?: unknown;
  readonly scheduledTimeMs?: number;
}

const KEYS = ["stack", "job", "reason", "by", "input", "scheduledTime"];
const MAX_TEXT_LENGTH = 512;

export function isRunRequested(event: unknown): event is { readonly detail: unknown } {
  const { source, "detail-type": detailType } = (event ?? {}) as Record<string, unknown>;
  return source === RUN_REQUESTED.source && detailType === RUN_REQUESTED.detailType;
}

/**
 * Checks the `detail` of a `Run Requested` event.
 *
 * @throws {EventError} naming what is wrong, the value and what is allowed.
 */
export function parseRunRequest(detail: unknown): RunRequest {
  if (typeof detail !== "object" || detail === null || Array.isArray(detail)) {
    throw refuse("detail", detail, 'an object such as {"stack":"Escapement-dev","job":"nightly-report"}');
  }
  const request = detail as Record<string, unknown>;
  const unknown = Object.keys(request).find((key) => !KEYS.includes(key));
  if (unknown !== undefined) {
    const meant = nearest(unknown, KEYS);
    const hint = meant === undefined ? "" : ` Did you mean "${meant}"?`;
    const problem = `The run request has an unknown field "${unknown}".${hint} Allowed: ${KEYS.join(", ")}.`;
    throw new EventError(`detail.${unknown}`, request[unknown], problem);
  }
  const { stack, job, by, reason, input, scheduledTime } = request;
  return {
    stack: name("stack", stack),
    job: name("job", job),
    ...(by !== undefined && { by: text("by", by) }),
    ...(reason !== undefined && { reason: text("reason", reason) }),
    ...(input !== undefined && { input }),
    ...(scheduledTime !== undefined && { scheduledTimeMs: instant("scheduledTime", scheduledTime) }),
  };
}

function name(field: string, value: unknown): string {
  if (typeof value === "string" && value !== "") return value;
  throw refuse(`detail.${field}`, value, `the ${field}'s name`);
}

function text(field: string, value: unknown): string {
  if (typeof value === "string" && value.length <= MAX_TEXT_LENGTH) return value.toWellFormed();
  throw refuse(`detail.${field}`, value, `text of up to ${MAX_TEXT_LENGTH} characters`);
}

function instant(field: string, value: unknown): number {
  const ms = parseInstant(value);
  if (ms !== undefined) return ms;
  throw refuse(`detail.${field}`, value, "an instant in UTC such as 2026-05-01T00:30:00Z");
}

function refuse(field: string, value: unknown, allowed: string): EventError {
  return new EventError(field, value, `The run request's ${field} is ${shown(value)}. Allowed: ${allowed}.`);
}
