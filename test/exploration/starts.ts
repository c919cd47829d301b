import type { Begun, Finished, QueueEntry } from "../../lib/run/index.ts";
import type { Item } from "../../lib/store/request.ts";
import type { Process } from "./process.ts";
import type { Waiting, World } from "./world.ts";

/** Messages that start a run whose turn it is, and that can be under way at once, or were dead-lettered. */
const SLOTS = 3;

/** A place for such a message, which is not used. */
const IDLE: Waiting = { id: -103, nth: 0, end: "idle" };

export const NO_STARTS: readonly Waiting[] = Array.from({ length: SLOTS }, () => IDLE);

/** The message before its one invocation. */
export function sent(run: number): Waiting {
  return { id: -1_000 - run, nth: 0, run };
}

/** What is left of a message whose invocation failed. */
export function deadLettered(run: number): Waiting {
  return { id: -2_000 - run, nth: 0, run, end: "dead-lettered" };
}

export function answered(): Waiting {
  return IDLE;
}

/** The run that whoever ends here has to start. */
export function nextOf(result: unknown): QueueEntry | undefined {
  const ended = result as Begun | Finished | QueueEntry | undefined;
  if (!ended) return undefined;
  if ("recorded" in ended) return ended.next;
  if (!("kind" in ended)) return ended;
  return ended.kind === "held" ? undefined : ended.next;
}

/**
 * A place of which nothing is left: no lease and no request under way carries its name. Undefined when all were needed
 * for starts that failed: then it is enough.
 */
export function freeSlot({ items, journeys, underway }: World, firstSlot: number): number | undefined {
  const leases = items.map(({ value }) => value?.["lease"] as { owner: string } | undefined);
  const owners = [...leases.map((lease) => lease?.owner), ...underway.map(({ delivery }) => delivery.owner)];
  for (let slot = firstSlot; slot < journeys.length; slot++) {
    const name = startName(slot);
    if (journeys[slot] === IDLE && !owners.some((owner) => owner?.startsWith(name))) return slot;
  }
  const slots = journeys.slice(firstSlot);
  if (slots.some((slot) => "end" in slot && slot.end === "dead-lettered")) return undefined;
  throw new RangeError("more starts are under way than there are places for");
}

export function startName(slot: number): string {
  return `start-${slot}-`;
}

/** Who is in the queue, and the run that it waits for, of its own job or with a shared lock. */
export type Waits = Pick<QueueEntry, "runId" | "heldBy">;

export function headOf(state: Item | undefined): Waits | undefined {
  return ((state?.["queue"] ?? []) as Waits[])[0];
}

export function isStart(process: Process): boolean {
  return process.delivery.cause === "queued";
}
