import { manualRunId, SKEW_TOLERANCE_MS, scheduledRunId, type Trigger } from "../run/index.ts";
import { shown } from "./check.ts";
import { EventError } from "./errors.ts";
import { parseInstant } from "./instant.ts";
import { isRunRequested, parseRunRequest } from "./run-request.ts";

/** What an event says about the run it asks for. Two deliveries of one occurrence agree on everything but `deliveryId`. */
export interface Arrival {
  readonly runId: string;
  /** The schedule's name; absent for a manual run. */
  readonly schedule?: string;
  /** The occurrence's time; for a manual run the time that it names, or else when it was asked for. Absent where the payload has none. */
  readonly scheduledTimeMs?: number;
  readonly trigger: Trigger;
  /** Equal for the platform's repetitions of one delivery. */
  readonly deliveryId: string;
  /** Whether the platform is known to deliver it again when it fails. */
  readonly redelivered: boolean;
  readonly input: unknown;
}

/** Who receives the event. */
export interface Receiver {
  readonly job: string;
  readonly fleet: string;
  readonly requestId: string;
  readonly nowMs: number;
}

type Fields = Readonly<Record<string, unknown>>;

/**
 * Reads any event that can reach a job's function. What is none of ours, `{}` too, is a manual run with the payload as its input.
 *
 * @throws {EventError} where the event is meant for another job, or its scheduled time is unreadable or in the future.
 */
export function readEvent(event: unknown, receiver: Receiver): Arrival {
  const { escapement, source, "detail-type": detailType } = fieldsOf(event);
  if (isObject(escapement) && "request" in escapement) return operatorTrigger(escapement, fieldsOf(event), receiver);
  if (isObject(escapement)) return schedulerInput(escapement, fieldsOf(event), receiver);
  if (isRunRequested(event)) return runRequested(fieldsOf(event), receiver);
  if (detailType === "Scheduled Event" && (source === "aws.scheduler" || source === "aws.events")) {
    return scheduledEvent(fieldsOf(event), receiver);
  }
  return {
    runId: manualRunId(receiver.requestId),
    trigger: { kind: "invoke" },
    deliveryId: receiver.requestId,
    redelivered: false,
    input: event,
  };
}

/** The input that our stack gives to its schedules, with Scheduler's context attributes filled in. */
function schedulerInput(escapement: Fields, event: Fields, receiver: Receiver): Arrival {
  sameJob("escapement.job", escapement["job"], receiver);
  const schedule = part("escapement.schedule", escapement["schedule"]);
  const scheduledTimeMs = timeThatHasCome("escapement.scheduledTime", escapement["scheduledTime"], receiver);
  return {
    runId: scheduledRunId(scheduledTimeMs, schedule),
    schedule,
    scheduledTimeMs,
    trigger: { kind: "schedule" },
    // New for every delivery by Scheduler, and the same when Lambda's own queue repeats one.
    deliveryId: part("escapement.executionId", escapement["executionId"]),
    redelivered: true,
    input: event["input"],
  };
}

/** A schedule or rule that somebody made in the console, without an input of its own. */
function scheduledEvent(event: Fields, receiver: Receiver): Arrival {
  const schedule = scheduleName(event["resources"]);
  // A schedule fires within its minute; the seconds are the delivery's.
  const scheduledTimeMs = startOfMinute(timeThatHasCome("time", event["time"], receiver));
  return {
    runId: scheduledRunId(scheduledTimeMs, schedule),
    schedule,
    scheduledTimeMs,
    trigger: { kind: "schedule", ...accountOf(event) },
    deliveryId: part("id", event["id"]),
    redelivered: true,
    input: undefined,
  };
}

/** `Run Requested`, sent to an event bus by a person or a program. */
function runRequested(event: Fields, receiver: Receiver): Arrival {
  const request = parseRunRequest(event["detail"]);
  if (request.stack !== receiver.fleet) {
    throw refuse("detail.stack", request.stack, `this function's stack, ${shown(receiver.fleet)}`);
  }
  sameJob("detail.job", request.job, receiver);
  const id = part("id", event["id"]);
  const requestedMs = parseInstant(event["time"]);
  const scheduledTimeMs = request.scheduledTimeMs ?? requestedMs;
  // The sender may set the event's time, too.
  if (requestedMs !== undefined) notInFuture("time", requestedMs, receiver);
  if (request.scheduledTimeMs !== undefined) notInFuture("detail.scheduledTime", request.scheduledTimeMs, receiver);
  return {
    runId: manualRunId(id, requestedMs),
    ...(scheduledTimeMs !== undefined && { scheduledTimeMs }),
    trigger: { kind: "run-requested", by: request.by, reason: request.reason, ...accountOf(event) },
    deliveryId: id,
    redelivered: true,
    input: request.input,
  };
}

/** A trigger by the CLI or the dashboard: `{"escapement":{"job","request":{"id","at","by","reason"?}},"input"?}`. */
function operatorTrigger(escapement: Fields, event: Fields, receiver: Receiver): Arrival {
  sameJob("escapement.job", escapement["job"], receiver);
  const { id, at, by, reason } = fieldsOf(escapement["request"]);
  const requestId = part("escapement.request.id", id);
  const requestedMs = timeThatHasCome("escapement.request.at", at, receiver);
  return {
    runId: manualRunId(requestId, requestedMs),
    scheduledTimeMs: requestedMs,
    trigger: {
      kind: "operator",
      by: said("escapement.request.by", by),
      reason: said("escapement.request.reason", reason),
    },
    deliveryId: requestId,
    redelivered: true,
    input: event["input"],
  };
}

/** `arn:aws:scheduler:<region>:<account>:schedule/<group>/<name>` or `arn:aws:events:…:rule/<name>`, in any partition. */
function scheduleName(resources: unknown): string {
  const arn: unknown = Array.isArray(resources) ? resources[0] : undefined;
  const match = /^arn:aws[a-z-]*:(?:scheduler:[^:]*:[^:]*:schedule\/[^/]+|events:[^:]*:[^:]*:rule)\/([^/]+)$/.exec(
    String(arn),
  );
  if (match?.[1] !== undefined) return part("resources", match[1]);
  throw refuse("resources", resources, "the ARN of one schedule or rule");
}

function sameJob(field: string, value: unknown, { job }: Receiver): void {
  if (value !== job) throw refuse(field, value, `this function's job, ${shown(job)}`);
}

function timeThatHasCome(field: string, value: unknown, receiver: Receiver): number {
  const ms = instant(field, value);
  notInFuture(field, ms, receiver);
  return ms;
}

function instant(field: string, value: unknown): number {
  const ms = parseInstant(value);
  if (ms !== undefined) return ms;
  throw refuse(field, value, "an instant in UTC such as 2026-05-01T00:30:00Z");
}

function notInFuture(field: string, ms: number, { nowMs }: Receiver): void {
  if (ms <= nowMs + SKEW_TOLERANCE_MS) return;
  const latest = new Date(nowMs + SKEW_TOLERANCE_MS).toISOString();
  throw refuse(field, new Date(ms).toISOString(), `a time that has come (now: up to ${latest})`);
}

/** A value that becomes a part of a run id. */
function part(field: string, value: unknown): string {
  if (typeof value === "string" && value.length >= 1 && value.length <= 256) return value;
  throw refuse(field, value, "text of 1 to 256 characters");
}

/** What the operator said about the trigger. */
function said(field: string, value: unknown): string | undefined {
  if (value === undefined || (typeof value === "string" && value.length <= 512)) return value;
  throw refuse(field, value, "text of up to 512 characters");
}

function accountOf(event: Fields): { account?: string } {
  return typeof event["account"] === "string" ? { account: event["account"] } : {};
}

function startOfMinute(ms: number): number {
  return ms - (ms % 60_000);
}

function fieldsOf(value: unknown): Fields {
  return isObject(value) ? value : {};
}

function isObject(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function refuse(field: string, value: unknown, allowed: string): EventError {
  return new EventError(field, value, `The event's ${field} is ${shown(value)}. Allowed: ${allowed}.`);
}
