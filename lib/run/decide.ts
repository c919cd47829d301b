import type { Reply } from "./command.ts";
import type { Delivery } from "./delivery.ts";
import { hasToWait, isBusy, placeOf, takesTurns } from "./line.ts";
import type { Begun } from "./outcome.ts";
import { isFinal, type RunRecord, type RunStatus, type SkipReason } from "./record.ts";
import { lostError } from "./records.ts";
import { isDead, isPausedAt, type JobState, type Lease } from "./state.ts";

/** Older than every occurrence. */
const NO_MARK = "";

/** What the state alone answers: my own occurrence is done, or a live lease holds it. */
export function answerFromState(state: JobState, delivery: Delivery, nowMs: number): Begun | undefined {
  const { last, lease } = state;
  // A run that ended badly may have had a better attempt since, which died before it could say so here: only the
  // record knows.
  if (last?.runId === delivery.runId && isFinal(last.status)) return duplicate(delivery, last.status);
  return lease?.runId === delivery.runId ? answerFromLease(lease, delivery, nowMs) : undefined;
}

/** What a lease of my own run answers: nothing, when it is dead. */
export function answerFromLease(lease: Lease, delivery: Delivery, nowMs: number): Begun | undefined {
  if (isDead(lease, nowMs)) return undefined;
  if (lease.deliveryId === delivery.deliveryId)
    return comeAgain("an earlier try of this delivery still holds the lock");
  if (!lease.redelivered) return comeAgain("the holder of this run would not be delivered again if it died");
  return duplicate(delivery, "RUNNING");
}

/** Why this occurrence would not start now, if it has no record yet. */
export function reasonToSkip(state: JobState, delivery: Delivery, nowMs: number): SkipReason | undefined {
  if (heedsPause(delivery) && isPausedAt(state, nowMs)) return "paused";
  const isInTurn = takesTurns(state, delivery);
  if (!isInTurn && isBusy(state, nowMs)) return "overlap";
  // Who waits already was in time when it joined.
  const isWaiting = placeOf(state, delivery.runId) !== undefined;
  if (!isWaiting && isLate(delivery, nowMs)) return "late";
  const isFull = !isWaiting && (state.queue?.length ?? 0) >= delivery.queueLength;
  return isInTurn && isFull && hasToWait(state, delivery, nowMs) ? "overlap" : undefined;
}

/**
 * What the run's own record answers; undefined when the next attempt may start.
 * @param fence the job's fence when the record was not yet looked at
 */
export function answerFromRecord(
  record: RunRecord,
  delivery: Delivery,
  skip: SkipReason | undefined,
  fence = 0,
): Begun | undefined {
  if (isFinal(record.status)) return duplicate(delivery, record.status);
  if (record.attempt >= delivery.maxAttempts) {
    if (record.status === "RUNNING" && record.fence > fence) return comeAgain("its last attempt has just started");
    return { kind: "exhausted", error: record.error ?? lostError(record.attempt) };
  }
  // Acknowledged now, the attempts left would never be made. Lateness is judged at the first attempt only.
  if (skip === "paused") return comeAgain("the job is paused and this run has attempts left");
  if (skip === "overlap") return comeAgain("another run holds the lock and this run has attempts left");
  return undefined;
}

/** What to answer when a record appeared between the look and the write that it refused. */
export function answerFromRefusal({ record, nowMs }: Reply, delivery: Delivery, fence: number | undefined): Begun {
  const live = record?.lease && answerFromLease(record.lease, delivery, nowMs);
  const answer = live ?? (record && answerFromRecord(record, delivery, undefined, fence));
  return answer ?? comeAgain("another delivery of this run was at work at the same time");
}

/** Whether this occurrence may have a record: false only for one newer than everything started or skipped. */
export function mayHaveRun(state: JobState, delivery: Delivery): boolean {
  return !isScheduled(delivery) || !isNewest(state, delivery);
}

export function isNewest({ highWater: mark = NO_MARK }: JobState, delivery: Delivery): boolean {
  return mark < delivery.runId;
}

/** A newer occurrence was started or skipped. A manual run has no place in that order. */
export function isOvertaken({ highWater: mark = NO_MARK }: JobState, delivery: Delivery): boolean {
  return isScheduled(delivery) && mark > delivery.runId;
}

export function newestOf({ highWater: mark = NO_MARK }: JobState, { runId }: Delivery): string {
  return mark < runId ? runId : mark;
}

export function isScheduled(delivery: Delivery): boolean {
  return delivery.scheduledTimeMs !== undefined;
}

/** A backfill is the operator's will, as a manual run is: who asks for it knows of the pause. */
export function heedsPause(delivery: Delivery): boolean {
  return isScheduled(delivery) && delivery.cause !== "backfill";
}

export function isLate(delivery: Delivery, nowMs: number): boolean {
  const { lateAfterMs = Number.POSITIVE_INFINITY } = delivery;
  return isScheduled(delivery) && lateAfterMs < nowMs;
}

function duplicate({ runId }: Delivery, status: RunStatus): Begun {
  return { kind: "duplicate", runId, status };
}

export function comeAgain(why: string): Begun {
  return { kind: "come-again", why };
}
