import type { Protocol } from "./command.ts";
import { answerFromRefusal, isScheduled, newestOf } from "./decide.ts";
import type { Delivery } from "./delivery.ts";
import { placeOf } from "./line.ts";
import type { Again, Begun } from "./outcome.ts";
import type { SkipReason } from "./record.ts";
import { skippedRecord } from "./records.ts";
import type { JobState } from "./state.ts";

/**
 * First the state, so that no other delivery takes the fast way any more; then the record, only if none exists. The
 * other way round, a duplicate could start between the two. A manual run never takes the fast way.
 */
export function* skipRun(
  delivery: Delivery,
  state: JobState,
  reason: SkipReason,
  nowMs: number,
): Protocol<Begun | Again> {
  const { job, runId, requestId } = delivery;
  if (isScheduled(delivery)) {
    const highWater = newestOf(state, delivery);
    const whilePaused = reason === "paused";
    const leaves = placeOf(state, runId);
    const reply = yield { kind: "raise-high-water", job, seen: state, whilePaused, highWater, leaves };
    if (!reply.applied) return { kind: "again", seen: reply };
  }
  const skipped = skippedRecord(delivery, state, reason, nowMs);
  const reply = yield { kind: "put-skipped", record: skipped };
  const isMyOwnWrite = reply.record?.status === "SKIPPED" && reply.record.requestId === requestId;
  if (reply.applied || isMyOwnWrite) {
    const { heldBy, heldOver, queueFull } = skipped;
    return { kind: "skipped", reason, runId, heldBy, heldOver, queueFull };
  }
  return answerFromRefusal(reply, delivery, state.fence);
}
