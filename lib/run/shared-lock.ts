import { leaseEndMs } from "./lease.ts";
import type { Hold } from "./outcome.ts";
import type { Stop } from "./state.ts";

/** Who holds a lock that several jobs name. */
export interface SharedLease {
  readonly owner: string;
  readonly job: string;
  readonly runId: string;
  /** The token that came with its job's lock. */
  readonly jobFence?: number | undefined;
  readonly expiresAtMs: number;
  /** How much of it comes after its process has ended. */
  readonly holdMs?: number | undefined;
  /** How often the owner renews it, and hears then that it shall stop; absent: it hears nothing. */
  readonly heartbeatMs?: number | undefined;
  /** Whoever has a higher one may ask the owner to stop. */
  readonly priority: number;
}

/** What a shared lock is taken with: a run's hold on its job's own. */
export type SharedHold = Pick<Hold, "delivery" | "fencingToken">;

/** The state of a shared lock. */
export interface SharedLock {
  readonly fence?: number | undefined;
  readonly lease?: SharedLease | undefined;
  readonly stop?: Stop | undefined;
}

/** It lasts as long as the lease on the job's own lock that begins, or is renewed, at the same moment. */
export function sharedLeaseFor({ delivery, fencingToken }: SharedHold, startedMs: number): SharedLease {
  const { owner, job, runId, holdMs, heartbeatMs, priority = 0 } = delivery;
  const expiresAtMs = leaseEndMs(delivery, startedMs);
  return { owner, job, runId, jobFence: fencingToken, expiresAtMs, holdMs, heartbeatMs, priority };
}
