import type { Protocol, Reply } from "./command.ts";
import type { Delivery } from "./delivery.ts";
import { type SharedHold, type SharedLease, type SharedLock, sharedLeaseFor } from "./shared-lock.ts";
import { isDead, type Lease, type Tally } from "./state.ts";

/** A shared lock is contended when it changes under every look. */
const MAX_ROUNDS = 5;

/** What is in the way. */
export interface Busy {
  readonly lock: string;
  /** Of a live run of another job; absent: it changed under every look, or a later run of this job holds it. */
  readonly lease?: SharedLease | undefined;
  readonly isAsked: boolean;
  readonly nowMs: number;
}

/**
 * Takes the shared locks of a run that holds its job's own, in the order of their names: of two that need each other's,
 * one gets the first of them. If one is held, those taken are given back.
 */
export function* takeShared(hold: SharedHold, startedMs: number): Protocol<Busy | undefined> {
  const { delivery } = hold;
  const { locks = [] } = delivery;
  for (const [place, lock] of locks.entries()) {
    const busy = yield* takeOne(lock, hold, startedMs);
    if (busy) {
      yield* giveBackShared({ ...delivery, locks: locks.slice(0, place) });
      return busy;
    }
  }
  return undefined;
}

/** In reverse. Refused, one is no longer the owner's to give back. */
export function* giveBackShared({ locks = [], owner }: Pick<Lease, "locks" | "owner">): Protocol<void> {
  for (const lock of locks.toReversed()) yield { kind: "release-lock", lock, owner };
}

/** Gives back everything that a run holds: its job's own lock is the last. */
export function* giveBack(delivery: Delivery, tally?: Tally): Protocol<Reply> {
  yield* giveBackShared(delivery);
  return yield { kind: "release", job: delivery.job, owner: delivery.owner, tally };
}

function* takeOne(lock: string, hold: SharedHold, startedMs: number): Protocol<Busy | undefined> {
  const { delivery, fencingToken } = hold;
  let seen: SharedLock | undefined;
  let nowMs = startedMs;
  for (let round = 1; round <= MAX_ROUNDS; round++) {
    const reply = yield { kind: "take-lock", lock, lease: sharedLeaseFor(hold, startedMs), startedMs, seen };
    const { lease, stop } = reply.lock ?? {};
    // My own write, also when its reply was lost and the repetition was refused.
    if (lease?.owner === delivery.owner) return undefined;
    nowMs = reply.nowMs;
    // A later holder of my job's lock: mine was taken from me.
    if (lease?.job === delivery.job && (lease.jobFence ?? 0) > fencingToken) return { lock, isAsked: false, nowMs };
    // While I hold my job's lock, a lease of an earlier run of it is a dead one's.
    const isLive = lease && lease.job !== delivery.job && !isDead(lease, nowMs);
    if (isLive) return { lock, lease, isAsked: stop?.owner === lease.owner, nowMs };
    seen = reply.lock ?? {};
  }
  return { lock, isAsked: false, nowMs };
}
