import type { Delivery } from "./delivery.ts";
import type { RunRecord } from "./record.ts";
import type { Start } from "./start.ts";
import { isDead, type JobState, type Lease, type Place, type QueueEntry } from "./state.ts";

// Looks at those who wait for a job's lock.

/** Where the run waits; undefined when it does not. */
export function placeOf({ queue = [] }: JobState, runId: string): Place | undefined {
  const at = queue.findIndex((entry) => entry.runId === runId);
  return at < 0 ? undefined : { runId, at };
}

/** The same delivery, with the time when the first one of its run arrived. */
export function sinceFirst(delivery: Delivery, { queue = [] }: JobState, record?: RunRecord): Delivery {
  const entry = queue.find(({ runId }) => runId === delivery.runId);
  const deliveredMs = record?.deliveredMs ?? entry?.deliveredMs;
  return deliveredMs === undefined ? delivery : { ...delivery, deliveredMs };
}

/** Whether this occurrence waits for its turn when it cannot start at once. Started runs do, so that they never flood. */
export function takesTurns(state: JobState, { overlap, cause, runId }: Delivery): boolean {
  return overlap === "queue" || cause !== undefined || placeOf(state, runId) !== undefined;
}

/** Whether it is the turn of somebody else. */
export function hasToWait(state: JobState, { runId }: Delivery, nowMs: number): boolean {
  const isFirst = !state.queue || placeOf(state, runId)?.at === 0;
  return isBusy(state, nowMs) || !isFirst;
}

export function isBusy(state: JobState, nowMs: number): boolean {
  return holderOf(state, nowMs) !== undefined;
}

/** The lease of who holds the lock now; undefined also where its holder is dead. */
export function holderOf({ lease }: JobState, nowMs: number): Lease | undefined {
  return lease && !isDead(lease, nowMs) ? lease : undefined;
}

/**
 * The first in the queue, when nobody is at work who would start it at the end: then somebody else has to. To start it
 * once more than needed does no harm.
 */
export function strandedHead(state: JobState, nowMs: number): QueueEntry | undefined {
  return isBusy(state, nowMs) ? undefined : state.queue?.[0];
}

/**
 * The start of a run whose turn it is.
 * @param id unique for this sending
 */
export function startOf(
  { runId, cause = "queued", trigger, workTimeMs, workSchedule, input }: QueueEntry,
  id: string,
): Start {
  const given = input === undefined ? undefined : JSON.parse(input);
  return { runId, cause, id, trigger, workTimeMs, workSchedule, input: given };
}
