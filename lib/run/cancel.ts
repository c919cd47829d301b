import type { Protocol } from "./command.ts";
import { entryOf, type Operator } from "./operate.ts";
import { isDead, isHeldOver, type Stop } from "./state.ts";

/** What a request to cancel a job's run met. */
export type CancelAnswer =
  /** The run is told at its next heartbeat, and ends then as `CANCELLED` unless it is done before. */
  | { readonly kind: "asked"; readonly runId: string; readonly heartbeatMs: number }
  /** Somebody else has asked before; that request stays. */
  | { readonly kind: "asked-before"; readonly runId: string; readonly stop: Stop }
  | { readonly kind: "not-running" }
  /** The run has no heartbeat, so that nothing reaches it. */
  | { readonly kind: "cannot-hear"; readonly runId: string; readonly untilMs: number };

/**
 * Asks the run that holds the job's lock to stop. Runs of a job with overlap `allow` hold none and cannot be asked.
 * @param only asks this run and no other
 */
export function* requestCancel(job: string, operator: Operator, only?: string): Protocol<CancelAnswer> {
  const { state, nowMs } = yield { kind: "read-state", job };
  const lease = state?.lease;
  if (!lease || isDead(lease, nowMs) || isHeldOver(lease, nowMs)) return { kind: "not-running" };
  const { owner, runId, heartbeatMs } = lease;
  if (only !== undefined && only !== runId) return { kind: "not-running" };
  if (heartbeatMs === undefined) return { kind: "cannot-hear", runId, untilMs: lease.expiresAtMs };
  const { by, reason } = operator;
  const entry = entryOf(job, "cancel", operator, nowMs, `run ${runId}`);
  const reply = yield { kind: "ask-to-stop", job, stop: { owner, kind: "cancel", by, reason, atMs: nowMs }, entry };
  if (reply.applied) return { kind: "asked", runId, heartbeatMs };
  const stands = reply.state?.stop;
  // It has ended in the meantime; the next run is not the one that was to be cancelled.
  if (stands?.owner !== owner) return { kind: "not-running" };
  return { kind: "asked-before", runId, stop: stands };
}
