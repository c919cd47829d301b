import { manualRunId, scheduledRunId } from "../run/index.ts";
import type { Arrival, Receiver } from "./arrival.ts";
import { shown } from "./check.ts";
import {
  type Fields,
  fieldsOf,
  isObject,
  notInFuture,
  part,
  refuse,
  said,
  sameJob,
  timeThatHasCome,
} from "./event-fields.ts";
import { parseInstant } from "./instant.ts";
import { isRunRequested, parseRunRequest } from "./run-request.ts";
import { startedRun } from "./start-event.ts";

/**
 * Reads any event that can reach a job's function. What is none of ours, `{}` too, is a manual run with the payload as its input.
 *
 * @throws {EventError} where the event is meant for another job, or its scheduled time is unreadable or in the future.
 */
export function readEvent(event: unknown, receiver: Receiver): Arrival {
  const { escapement, source, "detail-type": detailType } = fieldsOf(event);
  if (isObject(escapement) && "start" in escapement) return startedRun(escapement, fieldsOf(event), receiver);
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
    trigger: { kind: "schedule", account: said("account", event["account"]) },
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
  const { scheduledTimeMs: workTimeMs } = request;
  const scheduledTimeMs = workTimeMs ?? requestedMs;
  // The sender may set the event's time, too.
  if (requestedMs !== undefined) notInFuture("time", requestedMs, receiver);
  if (workTimeMs !== undefined) notInFuture("detail.scheduledTime", workTimeMs, receiver);
  return {
    runId: manualRunId(id, requestedMs),
    ...(scheduledTimeMs !== undefined && { scheduledTimeMs }),
    ...(workTimeMs !== undefined && { workTimeMs }),
    trigger: {
      kind: "run-requested",
      by: request.by,
      reason: request.reason,
      account: said("account", event["account"]),
    },
    deliveryId: id,
    redelivered: true,
    input: request.input,
  };
}

/** A trigger by the CLI or the dashboard: `{"escapement":{"job","request":{"id","at","by","reason"?,"scheduledTime"?}},"input"?}`. */
function operatorTrigger(escapement: Fields, event: Fields, receiver: Receiver): Arrival {
  sameJob("escapement.job", escapement["job"], receiver);
  const { id, at, by, reason, scheduledTime } = fieldsOf(escapement["request"]);
  const requestId = part("escapement.request.id", id);
  const requestedMs = timeThatHasCome("escapement.request.at", at, receiver);
  const workTimeMs =
    scheduledTime === undefined
      ? undefined
      : timeThatHasCome("escapement.request.scheduledTime", scheduledTime, receiver);
  return {
    runId: manualRunId(requestId, requestedMs),
    scheduledTimeMs: workTimeMs ?? requestedMs,
    ...(workTimeMs !== undefined && { workTimeMs }),
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
    typeof arn === "string" ? arn : "",
  );
  if (match?.[1] !== undefined) return part("resources", match[1]);
  throw refuse("resources", resources, "the ARN of one schedule or rule");
}

function startOfMinute(ms: number): number {
  return ms - (ms % 60_000);
}
