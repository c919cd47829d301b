import {
  manualRunId,
  parseRunId,
  type RunIdentity,
  START_CAUSES,
  scheduledRunId,
  TRIGGER_KINDS,
  type Trigger,
} from "../run/index.ts";
import type { Arrival, Receiver } from "./arrival.ts";
import { shown } from "./check.ts";
import { type Fields, fieldsOf, notInFuture, part, refuse, said, sameJob, timeThatHasCome } from "./event-fields.ts";

/**
 * A run that no fresh delivery asks for, as `startEvent` writes it:
 * `{"escapement":{"job","start":{"runId","cause","id","trigger","workTime"?,"workSchedule"?}},"input"?}`.
 */
export function startedRun(escapement: Fields, event: Fields, receiver: Receiver): Arrival {
  sameJob("escapement.job", escapement["job"], receiver);
  const { runId, cause, id, trigger, workTime, workSchedule } = fieldsOf(escapement["start"]);
  const identity = identityOf(runId, receiver);
  const workTimeMs =
    workTime === undefined ? undefined : timeThatHasCome("escapement.start.workTime", workTime, receiver);
  return {
    ...identity,
    ...(workTimeMs !== undefined && { workTimeMs, scheduledTimeMs: workTimeMs }),
    ...(workSchedule !== undefined && { workSchedule: part("escapement.start.workSchedule", workSchedule) }),
    cause: oneOf("escapement.start.cause", cause, START_CAUSES),
    trigger: triggerOf(fieldsOf(trigger)),
    deliveryId: part("escapement.start.id", id),
    redelivered: true,
    input: event["input"],
  };
}

function identityOf(value: unknown, receiver: Receiver): Pick<Arrival, "runId" | "schedule" | "scheduledTimeMs"> {
  const field = "escapement.start.runId";
  const identity = typeof value === "string" ? parseRunId(value) : undefined;
  // One run has one id: another spelling of it would be another run.
  if (typeof value !== "string" || identity === undefined || runIdOf(identity) !== value) {
    throw refuse(field, value, "a run id such as 2026-05-01T00:30:00.000Z#default");
  }
  const timeMs = identity.kind === "scheduled" ? identity.scheduledTimeMs : identity.requestedMs;
  if (timeMs !== undefined) notInFuture(field, timeMs, receiver);
  return {
    runId: value,
    ...(identity.kind === "scheduled" && { schedule: identity.schedule }),
    ...(timeMs !== undefined && { scheduledTimeMs: timeMs }),
  };
}

function runIdOf(identity: RunIdentity): string {
  return identity.kind === "scheduled"
    ? scheduledRunId(identity.scheduledTimeMs, identity.schedule)
    : manualRunId(identity.id, identity.requestedMs);
}

function triggerOf({ kind, by, reason, account }: Fields): Trigger {
  return {
    kind: oneOf("escapement.start.trigger.kind", kind, TRIGGER_KINDS),
    by: said("escapement.start.trigger.by", by),
    reason: said("escapement.start.trigger.reason", reason),
    account: said("escapement.start.trigger.account", account),
  };
}

function oneOf<T extends string>(field: string, value: unknown, allowed: readonly T[]): T {
  const found = allowed.find((candidate) => candidate === value);
  if (found !== undefined) return found;
  throw refuse(field, value, allowed.map(shown).join(", "));
}
