import type { Protocol } from "./command.ts";
import type { Delivery } from "./delivery.ts";
import type { Hold } from "./outcome.ts";
import { type SharedLock, sharedLeaseFor } from "./shared-lock.ts";
import { type JobState, type Lease, type Progress, SKEW_TOLERANCE_MS, type Stop } from "./state.ts";

/** A lease with a heartbeat lasts three of them: one request may fail, and the handler has one heartbeat to stop. */
const BEATS_PER_LEASE = 3;

export function leaseFor(delivery: Delivery, attempt: number, startedMs: number): Lease {
  const { owner, runId, deliveryId, redelivered, trigger, requestId, logGroup, logStream, retentionMs } = delivery;
  const { deliveredMs, heartbeatMs, holdMs, locks } = delivery;
  const expiresAtMs = leaseEndMs(delivery, startedMs);
  const whose = { owner, runId, deliveryId, redelivered, attempt };
  const log = { requestId, logGroup, logStream };
  const times = { startedMs, deliveredMs, expiresAtMs, retentionMs, heartbeatMs, holdMs };
  return { ...whose, ...times, trigger, ...log, locks: locks?.length ? locks : undefined };
}

/**
 * What a renewal found. Lost: one of the locks is not mine any more, or lasts longer than was asked for: my clock was set
 * back, and by it I would take the lock for held when it is not.
 */
export type Renewed = { readonly kind: "lost" } | { readonly kind: "held"; readonly stop?: Stop | undefined };

/**
 * Makes the leases last again as long as at first, counted from when the first request is sent, and hears whether somebody
 * wants this run to stop. A renewal that arrives after the release, or after a later one, changes nothing.
 * @param sentMs the own clock
 */
export function* renew(hold: Hold, sentMs: number, progress: Progress | undefined): Protocol<Renewed> {
  const { delivery, attempt, startedMs } = hold;
  const lease = { ...leaseFor(delivery, attempt, startedMs), expiresAtMs: leaseEndMs(delivery, sentMs), progress };
  const { owner, job, locks = [] } = delivery;
  const { state } = yield { kind: "renew", job, lease };
  const found: (JobState | SharedLock | undefined)[] = [state];
  for (const name of locks) {
    const { lock } = yield { kind: "renew-lock", lock: name, lease: sharedLeaseFor(hold, sentMs) };
    found.push(lock);
  }
  const isRenewed = found
    .map((item) => item?.lease)
    .every((mine) => mine?.owner === owner && mine.expiresAtMs <= lease.expiresAtMs);
  if (!isRenewed) return { kind: "lost" };
  return { kind: "held", stop: found.map((item) => item?.stop).find((stop) => stop?.owner === owner) };
}

/** When a handler has to be told to stop, if no request since `confirmedMs` is known to have renewed its lease. */
export function stopAtMs(confirmedMs: number, heartbeatMs: number): number {
  return confirmedMs + (BEATS_PER_LEASE - 1) * heartbeatMs;
}

/** When a handler must not be at work any more: by then somebody else may hold the lock. */
export function goneAtMs(confirmedMs: number, heartbeatMs: number): number {
  return confirmedMs + BEATS_PER_LEASE * heartbeatMs;
}

/**
 * By the owner's clock, whose error is the second tolerance between its time and a taker's; never past the deadline. The
 * hold comes on top: an owner that can not give the lock back has asked for it from the start.
 */
export function leaseEndMs({ heartbeatMs, leaseExpiresAtMs, holdMs = 0 }: Delivery, sentMs: number): number {
  if (heartbeatMs === undefined) return leaseExpiresAtMs + holdMs;
  return Math.min(goneAtMs(sentMs, heartbeatMs) + SKEW_TOLERANCE_MS, leaseExpiresAtMs) + holdMs;
}
