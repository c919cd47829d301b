import { signal } from "@preact/signals";
import type { DashboardEvent, FleetAnswer, FleetJob, TargetAnswer } from "../../api.ts";
import { type ApiError, get } from "../api/client.ts";
import { openStream } from "../api/events.ts";
import { applyEvents, type Fleet, fleetOf } from "../fleet/apply-event.ts";
import { setClock } from "./clock.ts";
import { connection, lose } from "./connection.ts";
import type { Loadable } from "./loadable.ts";

export const target = signal<TargetAnswer | undefined>(undefined);
export const fleet = signal<Loadable<Fleet>>({ kind: "loading" });
/** Counts up whenever everything has to be read again: events may have been missed. 0: nothing has been read yet. */
export const epoch = signal(0);

/** A job as the fleet has it now. */
export function jobNamed(name: string): FleetJob | undefined {
  return fleet.value.kind === "loaded" ? fleet.value.value.get(name) : undefined;
}

type Listener = (event: DashboardEvent) => void;
const listeners = new Set<Listener>();
const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 4_000;

/** Hears every event from now on, until the function that it answers is called. */
export function listen(listener: Listener): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Reads the fleet and follows its changes, for as long as the page is open. */
export async function goLive(): Promise<void> {
  let lastEventId: string | undefined;
  let pauseMs = FIRST_PAUSE_MS;
  for (;;) {
    try {
      target.value = await get<TargetAnswer>("target");
      setClock(target.value.now, target.value.clock?.pace);
      lastEventId ??= await readFleet();
      const ended = await follow(lastEventId);
      if (ended.wasOpen) pauseMs = FIRST_PAUSE_MS;
      lastEventId = ended.goOnFrom;
      if (lastEventId !== undefined) lose(ended.sinceMs);
    } catch (error) {
      fail(error as ApiError);
    }
    await patience(pauseMs);
    pauseMs = Math.min(2 * pauseMs, LONGEST_PAUSE_MS);
  }
}

async function readFleet(): Promise<string> {
  const answer = await get<FleetAnswer>("jobs");
  fleet.value = { kind: "loaded", value: fleetOf(answer.jobs) };
  epoch.value++;
  return answer.lastEventId;
}

interface Ended {
  /** Undefined where the server does not know any more what came after: everything is read again. */
  readonly goOnFrom: string | undefined;
  readonly sinceMs: number;
  readonly wasOpen: boolean;
}

function follow(lastEventId: string): Promise<Ended> {
  return new Promise((resolve) => {
    let wasOpen = false;
    const close = openStream({
      lastEventId,
      onOpen() {
        wasOpen = true;
        connection.value = { kind: "live" };
      },
      onEvent(event) {
        // At once: an instant that waits is past.
        if (event.kind === "clock") return setClock(event.now, event.pace);
        if (event.kind !== "reset") return take(event);
        close();
        resolve({ goOnFrom: undefined, sinceMs: Date.now(), wasOpen });
      },
      onEnd: (goOnFrom, sinceMs) => resolve({ goOnFrom, sinceMs, wasOpen }),
    });
  });
}

function fail(error: ApiError): void {
  if (error.status === 401 || error.status === 403) {
    connection.value = { kind: "refused", message: error.status === 403 ? error.message : "" };
  } else if (error.status === 0) lose(Date.now());
  if (fleet.peek().kind !== "loaded") fleet.value = { kind: "failed", error };
  // The doctor may know why.
  if (epoch.peek() === 0) epoch.value = 1;
}

// Events come in bursts: one rendering for all that came since the last frame.
let waiting: DashboardEvent[] = [];

function take(event: DashboardEvent): void {
  if (waiting.push(event) === 1) setTimeout(deliver, 50);
}

function deliver(): void {
  const events = waiting;
  waiting = [];
  const { value } = fleet;
  if (value.kind === "loaded") fleet.value = { kind: "loaded", value: applyEvents(value.value, events) };
  for (const event of events) for (const listener of listeners) listener(event);
}

/** Waits, and not for long once the machine is on the network again. */
function patience(ms: number): Promise<void> {
  return new Promise((resolve) => {
    const go = () => {
      clearTimeout(timer);
      removeEventListener("online", go);
      resolve();
    };
    const timer = setTimeout(go, ms);
    addEventListener("online", go);
  });
}
