import type { Seen } from "../run/command.ts";
import { isFinal, REPLACEABLE_STATUSES, type RunRecord } from "../run/record.ts";
import type { Lease, Pause, Place, Tally } from "../run/state.ts";
import { FORMAT_VERSION } from "./codec.ts";
import { toTimeText } from "./times.ts";

/**
 * A condition on an item, as data: DynamoDB evaluates it as an expression, a model of the table as it is. As there, a
 * comparison with an attribute that is absent does not hold. A path names attributes from the outside in, by dots; an
 * element of a list has its place in brackets.
 */
export type Condition =
  | { readonly allOf: readonly Condition[] }
  | { readonly anyOf: readonly Condition[] }
  | { readonly absent: string }
  | { readonly present: string }
  | { readonly path: string; readonly is: "=" | "<" | "<="; readonly value: Value }
  | { readonly sizeOf: string; readonly is: "="; readonly value: number }
  | { readonly path: string; readonly oneOf: readonly Value[] };

export type Value = string | number | boolean;

/**
 * What each write of the protocol insists on, beside `isReadable`. The state:
 *
 *     acquire-newest     noLease, notPaused, isNewerThanAll(mine), emptyQueue
 *     acquire-as-seen    leaseAsSeen, fenceAsSeen, pauseAsSeen (scheduled), isNewerThanAll(mine) where it is raised,
 *                        waitsAt(its place) where it waits, emptyQueue where not and it takes turns
 *     raise-high-water   fenceAsSeen, leaseAsSeen or isPaused, isNotOlderThanAll(new), waitsAt where it waits
 *     join-queue         leaseAsSeen, fenceAsSeen, queueAsSeen
 *     leave-queue        waitsAt(its place)
 *     renew              isHeldBy(me), isNotRenewedSince(mine)
 *     ask-to-stop        isHeldBy(the holder), noStop
 *     take-number        leaseAsSeen after a look, pauseAsSeen (scheduled), isNewerThanAll(mine) where it is raised,
 *                        waitsAt(its place) where it waits
 *     note-end           lastAsSeen
 *     pause, resume      pauseAsSeen
 *     unlock             isHeldBy(the owner seen)
 *     release            isHeldBy(me)
 *     remove-dead-lease  leaseAsSeen, fenceAsSeen
 *     a handler's writes  isHeldBy(me)
 *
 * a shared lock:
 *
 *     take-lock          noLease, or leaseAsSeen and fenceAsSeen
 *     renew-lock         isHeldBy(me), isNotRenewedSince(mine)
 *     ask-lock-holder    isHeldBy(the holder), noStop
 *     release-lock       isHeldBy(me)
 *
 * and a run's record:
 *
 *     put-record         mayReplaceRecord(new)
 *     put-as-seen        recordAsSeen
 *     put-skipped        noRecord
 */
/** Not of a newer format: what this release might misread is left to those who can read it. */
export const isReadable: Condition = { anyOf: [{ absent: "v" }, { path: "v", is: "<=", value: FORMAT_VERSION }] };

export const noLease: Condition = { absent: "lease" };
export const noStop: Condition = { absent: "stop" };
export const notPaused: Condition = { absent: "paused" };
export const isPaused: Condition = { present: "paused" };
/** The same pause, or still none. */
export function pauseAsSeen(seen: Pause | undefined): Condition {
  return seen ? { path: "paused.at", is: "=", value: toTimeText(seen.atMs) } : notPaused;
}

export const noRecord: Condition = { absent: "pk" };

/** An occurrence newer than every one started or skipped never ran: nothing has to be read to know. */
export function isNewerThanAll(occurrence: string): Condition {
  return { anyOf: [{ absent: "highWater" }, { path: "highWater", is: "<", value: occurrence }] };
}

/** The mark never goes back: below it an occurrence would count as one that never ran. */
export function isNotOlderThanAll(highWater: string): Condition {
  return { anyOf: [{ absent: "highWater" }, { path: "highWater", is: "<=", value: highWater }] };
}

/** Who leaves last leaves an empty list. */
export const emptyQueue: Condition = { anyOf: [{ absent: "queue" }, { sizeOf: "queue", is: "=", value: 0 }] };

/**
 * As many wait as before. Others than before can do so only if one of them left without having run; then a run may come
 * to wait twice, and leaves twice.
 */
export function queueAsSeen({ queue }: Seen): Condition {
  return queue ? { sizeOf: "queue", is: "=", value: queue.length } : emptyQueue;
}

/** The entry that is about to go is this run's. */
export function waitsAt({ at, runId }: Place): Condition {
  return { path: `queue[${at}].runId`, is: "=", value: runId };
}

/** Nobody has acquired the lock since. */
export function fenceAsSeen({ fence }: Seen): Condition {
  return fence === undefined ? { absent: "fence" } : { path: "fence", is: "=", value: fence };
}

/** The same holder, not moved on, or still none. */
export function leaseAsSeen({ lease }: Seen): Condition {
  if (!lease) return noLease;
  const expiresAt = toTimeText(lease.expiresAtMs);
  return { allOf: [isHeldBy(lease.owner), { path: "lease.expiresAt", is: "=", value: expiresAt }] };
}

export function isHeldBy(owner: string): Condition {
  return { path: "lease.owner", is: "=", value: owner };
}

/** A renewal that was under way for long must not take back what a later one has given. */
export function isNotRenewedSince({ expiresAtMs }: Pick<Lease, "expiresAtMs">): Condition {
  return { path: "lease.expiresAt", is: "<=", value: toTimeText(expiresAtMs) };
}

/** Nobody has left anything on the state since. */
export function lastAsSeen({ last }: Tally): Condition {
  if (!last) return { absent: "last" };
  const endedAt = toTimeText(last.endedMs);
  return {
    allOf: [
      { path: "last.runId", is: "=", value: last.runId },
      { path: "last.endedAt", is: "=", value: endedAt },
    ],
  };
}

/** Of those that saw the same record, or none, only one may go on from it, and with all of its steps. */
export function recordAsSeen(seen: RunRecord | undefined): Condition {
  if (!seen) return noRecord;
  const { fence, status, steps } = seen;
  const sameSteps: Condition = steps ? { path: "stepCount", is: "=", value: steps.length } : { absent: "stepCount" };
  return {
    allOf: [
      { path: "fence", is: "=", value: fence },
      { path: "status", is: "=", value: status },
      sameSteps,
      isReadable,
    ],
  };
}

/**
 * The condition on records. A smaller fence alone is not enough, since what is final stays; an equal fence only
 * while the attempt runs, so that no write of a killed process, still under way, lands on its own `LOST`. Of the
 * same attempt's steps none is taken back, until the run is final: whoever writes has to know those that are there.
 */
export function mayReplaceRecord({ fence, status, steps = [] }: RunRecord): Condition {
  const isOlder: Condition = { path: "fence", is: "<", value: fence };
  const isNotFinal: Condition = { path: "status", oneOf: REPLACEABLE_STATUSES };
  const isThisAttempt: Condition = { path: "fence", is: "=", value: fence };
  const isRunning: Condition = { path: "status", is: "=", value: "RUNNING" };
  // While the attempt goes on a write brings a new step, and is no copy of an earlier one.
  const is = status === "RUNNING" ? "<" : "<=";
  const keepsSteps: Condition = { anyOf: [{ absent: "stepCount" }, { path: "stepCount", is, value: steps.length }] };
  const isMineToReplace: Condition = {
    anyOf: [
      noRecord,
      { allOf: [isOlder, isNotFinal] },
      { allOf: [isThisAttempt, isRunning, ...(isFinal(status) ? [] : [keepsSteps])] },
    ],
  };
  return { allOf: [isMineToReplace, isReadable] };
}
