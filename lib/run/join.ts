import type { Protocol } from "./command.ts";
import { comeAgain } from "./decide.ts";
import type { Delivery } from "./delivery.ts";
import { holderOf, placeOf } from "./line.ts";
import type { Again, Begun } from "./outcome.ts";
import { type JobState, MAX_QUEUED_INPUT_BYTES, type QueueEntry } from "./state.ts";

/**
 * Joins the queue, if it is still as it was seen, and so are the lock and its holder: whoever gives the lock back later
 * sees the entry. While somebody waits no delivery takes the fast way, which asks for no record.
 * @param steppedBackFor the run that holds a shared lock: this one had its turn, and is the first again
 */
export function* joinQueue(
  delivery: Delivery,
  state: JobState,
  nowMs: number,
  steppedBackFor?: string,
): Protocol<Begun | Again> {
  const { job, runId, input, inputJson } = delivery;
  if (input && inputJson === undefined) {
    return comeAgain(`its input has ${input.bytes} bytes, and at most ${MAX_QUEUED_INPUT_BYTES} are kept in the queue`);
  }
  const isFirst = steppedBackFor !== undefined;
  const entry = entryFor(delivery, steppedBackFor ?? holderOf(state, nowMs)?.runId, nowMs);
  const reply = yield { kind: "join-queue", job, seen: state, entry, isFirst };
  const at = isFirst ? 0 : (state.queue?.length ?? 0);
  return reply.applied ? queued(runId, at) : { kind: "again", seen: reply };
}

/** Gives an answer for good, which ends the waiting, too: the entry would be started for nothing. */
export function* leaveQueue(delivery: Delivery, state: JobState, answer: Begun): Protocol<Begun | Again> {
  const { job, runId } = delivery;
  const leaves = placeOf(state, runId);
  if (!leaves) return answer;
  const reply = yield { kind: "leave-queue", job, leaves };
  return reply.applied ? answer : { kind: "again", seen: reply };
}

export function queued(runId: string, at: number): Begun {
  return { kind: "queued", runId, position: at + 1 };
}

function entryFor(delivery: Delivery, heldBy: string | undefined, queuedMs: number): QueueEntry {
  const { runId, trigger, cause, deliveryId, requestId, deliveredMs, workTimeMs, workSchedule, inputJson } = delivery;
  const who = { runId, trigger, deliveryId, requestId, cause };
  return { ...who, queuedMs, deliveredMs, heldBy, input: inputJson, workTimeMs, workSchedule };
}
