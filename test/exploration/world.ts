import type { Stored } from "./effects.ts";
import type { Process } from "./process.ts";

/** A delivery between its invocations, and after the last. */
export interface Waiting {
  readonly id: number;
  readonly nth: number;
  readonly end?: "acknowledged" | "dead-lettered" | "told" | "idle";
  /** Of a message that starts a run: which. */
  readonly run?: number;
}

export type Journey = Process | Waiting;

/** Everything at one moment. */
export interface World {
  readonly tick: number;
  readonly crashes: number;
  readonly strays: number;
  readonly toggles: number;
  readonly cancels: number;
  readonly misdeliveries: number;
  /** A bit for each run whose handler ever started. */
  readonly started: number;
  /** In their places. */
  readonly items: readonly Stored[];
  readonly journeys: readonly Journey[];
  /** Whose copies of requests may still land. */
  readonly underway: readonly Process[];
  /** How it came about. */
  readonly before?: World | undefined;
  readonly step: string;
  readonly by?: Process | Waiting | undefined;
}

export const ACKNOWLEDGED: Waiting = { id: -100, nth: 0, end: "acknowledged" };
export const DEAD_LETTERED: Waiting = { id: -101, nth: 0, end: "dead-lettered" };
/** Whoever invoked it synchronously was told that it failed. */
export const TOLD: Waiting = { id: -102, nth: 0, end: "told" };
export function waiting(nth: number): Waiting {
  return { id: -1 - nth, nth };
}

/** All that tells one world from another. */
export function signature(world: World): number[] {
  const { tick, crashes, strays, toggles, cancels, misdeliveries, started, items, journeys, underway } = world;
  const parts = [tick, crashes, strays, toggles, cancels, misdeliveries, started];
  for (const { id } of items) parts.push(id);
  for (const { id } of journeys) parts.push(id);
  for (const { id } of underway) parts.push(id);
  return parts;
}
