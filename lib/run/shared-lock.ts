import type { Delivery } from "./delivery.ts";
import { leaseEndMs } from "./lease.ts";
import type { Stop } from "./state.ts";

/** Who holds a lock that several jobs name. */
export interface SharedLease {
  readonly owner: string;
  readonly job: string;
  readonly runId: string;
  readonly expiresAtMs: number;
  /** How much of it comes after its process has ended. */
  readonly holdMs?: number | undefined;
  /** How often the owner renews it, and hears then that it shall stop; absent: it hears nothing. */
  readonly heartbeatMs?: number | undefined;
  /** Whoever has a higher one may ask the owner to stop. */
  readonly priority: number;
}

/** The state of a shared lock. */
export interface SharedLock {
  readonly fence?: number | undefined;
  readonly lease?: SharedLease | undefined;
  readonly stop?: Stop | undefined;
}

/** It lasts as long as the lease on the job's own lock that begins at the same moment. */
export function sharedLeaseFor(delivery: Delivery, startedMs: number): SharedLease {
  const { owner, job, runId, holdMs, heartbeatMs, priority = 0 } = delivery;
  return { owner, job, runId, expiresAtMs: leaseEndMs(delivery, startedMs), holdMs, heartbeatMs, priority };
}
