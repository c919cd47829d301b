import type { Protocol } from "./command.ts";
import { isLate, isOvertaken } from "./decide.ts";
import type { Delivery } from "./delivery.ts";
import type { Again, Begun } from "./outcome.ts";
import { isHeldOver, type JobState } from "./state.ts";

/** For a handler that has heard it late and has to write its end; beside the two heartbeats to hear it and to stop. */
const GRACE_MS = 10_000;

/**
 * Asks the run that holds the job's lock to stop, once, however often this is looked at. Only for a newer occurrence or an
 * operator's will, that has no record yet, and only where the holder can hear it; undefined: skip it like with `skip`.
 */
export function* replace(delivery: Delivery, state: JobState, nowMs: number): Protocol<Begun | Again | undefined> {
  const { lease, stop } = state;
  const mayAsk = delivery.overlap === "replace" && delivery.cause === undefined && !delivery.hasWaited;
  if (!mayAsk || isOvertaken(state, delivery) || isLate(delivery, nowMs)) return undefined;
  if (lease?.heartbeatMs === undefined || isHeldOver(lease, nowMs)) return undefined;
  const { owner, runId, heartbeatMs } = lease;
  if (stop?.owner !== owner) {
    const asked = { owner, kind: "replace", by: delivery.runId, atMs: nowMs } as const;
    const reply = yield { kind: "ask-to-stop", job: delivery.job, stop: asked };
    if (reply.state?.lease?.owner !== owner) return { kind: "again", seen: reply };
  }
  return { kind: "wait", holder: { owner, runId, heartbeatMs } };
}

/** Until when to wait for a holder that was asked to stop, by one's own clock. */
export function waitsUntilMs(askedMs: number, heartbeatMs: number): number {
  return askedMs + 2 * heartbeatMs + GRACE_MS;
}

/** How long to wait before the next look. */
export function nextLookMs(heartbeatMs: number): number {
  return heartbeatMs / 4;
}
