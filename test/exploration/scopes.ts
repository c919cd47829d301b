import { manualRunId, scheduledRunId } from "../../lib/run/index.ts";
import { type Arrival, type Scope, T0 } from "./scope.ts";

const FIRST = occurrence(0);
const NEXT = occurrence(1);
const THIRD = occurrence(2);
const MANUAL: Arrival = { runId: manualRunId("request", T0), tries: 1, redelivered: true };

const CALM: Omit<Scope, "name" | "arrivals"> = {
  maxAttempts: 2,
  lastTick: 2,
  leaseTicks: 1,
  crashes: 0,
  strays: 0,
  toggles: 0,
  misdeliveries: 0,
  queueLength: 10,
  cancels: 0,
  overlap: "skip",
  steps: 0,
  outcomes: ["SUCCEEDED"],
};

const QUEUE: Omit<Scope, "name" | "arrivals"> = { ...CALM, overlap: "queue", lastTick: 0 };

const ALLOW = { overlap: "allow" } as const;

const EVERY_END: Scope["outcomes"] = ["SUCCEEDED", "FAILED", "TIMED_OUT"];

const OTHER: Arrival = { ...named("other"), job: "other" };
const SHARED = { locks: ["a"] };
/** A lease of three ticks and one for the clock, long before the deadline. */
const BEATING = { heartbeatTicks: 1, leaseTicks: 5, lastTick: 4 } as const;

/** Walked by `npm run test:long`, the smallest first. */
export const SMALL_SCOPES: readonly Scope[] = [
  { ...CALM, name: "pause", arrivals: [twice(FIRST), FIRST], toggles: 2 },
  { ...CALM, name: "pause-over", arrivals: [MANUAL, FIRST], isPauseOver: true, toggles: 2, lastTick: 0 },
  { ...CALM, name: "late", arrivals: [twice(late(FIRST)), late(FIRST)], crashes: 1 },
  { ...CALM, name: "twice", arrivals: [twice(FIRST), FIRST], crashes: 1, strays: 1 },
  { ...CALM, name: "synchronous", arrivals: [{ ...MANUAL, redelivered: false }, twice(MANUAL)], crashes: 1, strays: 1 },
  { ...CALM, name: "attempts", arrivals: [twice(FIRST), FIRST], strays: 1, outcomes: EVERY_END },
  { ...CALM, name: "steps", arrivals: [twice(FIRST)], crashes: 1, strays: 1, steps: 2, outcomes: EVERY_END },
  { ...QUEUE, name: "queue-twice", arrivals: [FIRST, NEXT, NEXT] },
  { ...QUEUE, name: "queue-full", arrivals: [FIRST, NEXT, THIRD], queueLength: 1 },
  { ...QUEUE, name: "queue-pause", arrivals: [FIRST, NEXT], toggles: 2 },
  { ...QUEUE, name: "queue-lost", arrivals: [FIRST, NEXT], misdeliveries: 2 },
  { ...QUEUE, name: "queue-crash", arrivals: [FIRST, NEXT], crashes: 1 },
  { ...QUEUE, name: "queue-stray", arrivals: [FIRST, NEXT], strays: 1 },
  { ...QUEUE, name: "queue-attempts", arrivals: [twice(FIRST), NEXT], outcomes: ["SUCCEEDED", "FAILED"] },
  { ...CALM, name: "manual", arrivals: [MANUAL, MANUAL, FIRST], crashes: 1, lastTick: 0 },
  { ...CALM, name: "policies", arrivals: [MANUAL, { ...MANUAL, ...ALLOW }], crashes: 1, strays: 1 },
  { ...CALM, name: "policies-tokens", arrivals: [FIRST, { ...NEXT, ...ALLOW }], strays: 1 },
  {
    ...CALM,
    name: "policies-attempts",
    arrivals: [twice(FIRST), { ...FIRST, ...ALLOW }],
    crashes: 1,
    outcomes: ["SUCCEEDED", "FAILED"],
  },
  { ...QUEUE, name: "queue-policies", arrivals: [FIRST, NEXT, { ...NEXT, ...ALLOW }] },
  { ...CALM, name: "pause-next", arrivals: [FIRST, FIRST, NEXT], toggles: 2, lastTick: 0 },
  { ...CALM, name: "next-twice", arrivals: [FIRST, NEXT, NEXT] },
  { ...CALM, name: "three", arrivals: [FIRST, NEXT, THIRD] },
  { ...CALM, ...BEATING, name: "beats", arrivals: [at(0, 0, FIRST), at(4, 4, NEXT)], strays: 1 },
  { ...CALM, ...BEATING, name: "cancel", arrivals: [at(0, 0, FIRST), at(4, 4, FIRST)], cancels: 1 },
  { ...CALM, ...BEATING, name: "replace", arrivals: [at(0, 0, FIRST), at(1, 1, NEXT)], overlap: "replace" },
  {
    ...CALM,
    name: "shared",
    arrivals: [twice({ ...FIRST, ...SHARED }), { ...OTHER, ...SHARED }],
    strays: 1,
    outcomes: ["SUCCEEDED", "FAILED"],
  },
  { ...QUEUE, name: "queue-shared", arrivals: [FIRST, OTHER].map((one) => ({ ...one, ...SHARED })), crashes: 1 },
  { ...CALM, name: "two-shared", arrivals: [FIRST, OTHER].map((one) => ({ ...one, locks: ["a", "b"] })) },
  { ...CALM, name: "next", arrivals: [twice(FIRST), FIRST, NEXT], crashes: 1 },
];

/** Minutes each. */
export const LARGE_SCOPES: readonly Scope[] = [
  {
    ...CALM,
    name: "large-policies",
    arrivals: [twice(FIRST), { ...FIRST, ...ALLOW }],
    crashes: 1,
    strays: 1,
    steps: 1,
    outcomes: EVERY_END,
  },
  { ...CALM, name: "large-next", arrivals: [twice(FIRST), FIRST, NEXT], crashes: 1, strays: 1 },
  { ...CALM, name: "large-next-twice", arrivals: [FIRST, twice(NEXT), NEXT], crashes: 1, strays: 1 },
  { ...CALM, name: "large-faults", arrivals: [twice(FIRST), NEXT], crashes: 2, strays: 2, lastTick: 4 },
  { ...CALM, name: "large-attempts", arrivals: [thrice(FIRST), FIRST], crashes: 1, strays: 1, outcomes: EVERY_END },
  { ...CALM, name: "large-long", arrivals: [twice(FIRST), NEXT], crashes: 1, strays: 1, lastTick: 4, leaseTicks: 2 },
  { ...CALM, name: "large-pause", arrivals: [twice(FIRST), FIRST, NEXT], crashes: 1, toggles: 2 },
  { ...CALM, name: "large-steps", arrivals: [twice(FIRST), FIRST, NEXT], crashes: 1, strays: 1, steps: 1 },
  { ...QUEUE, name: "large-queue", arrivals: [FIRST, NEXT, THIRD], crashes: 1, misdeliveries: 1 },
  { ...QUEUE, name: "large-queue-twice", arrivals: [twice(FIRST), NEXT, NEXT], crashes: 1, strays: 1 },
  { ...QUEUE, name: "large-queue-skips", arrivals: [FIRST, NEXT, THIRD], toggles: 1 },
  { ...QUEUE, name: "large-queue-manual", arrivals: [FIRST, NEXT, MANUAL], toggles: 1 },
  { ...QUEUE, name: "large-queue-pause", arrivals: [twice(FIRST), NEXT, THIRD], toggles: 2, misdeliveries: 1 },
  { ...QUEUE, name: "large-queue-ends", arrivals: [twice(FIRST), twice(NEXT)], strays: 1, outcomes: EVERY_END },
  { ...QUEUE, name: "large-queue-time", arrivals: [twice(FIRST), NEXT], crashes: 2, lastTick: 3 },
  { ...CALM, ...BEATING, name: "large-beats", arrivals: [at(0, 0, twice(FIRST)), at(3, 4, NEXT)], strays: 1 },
  { ...CALM, ...BEATING, name: "large-cancel", arrivals: [at(0, 0, twice(FIRST))], cancels: 1, strays: 1, crashes: 1 },
  {
    ...CALM,
    ...BEATING,
    name: "large-replace",
    arrivals: [at(0, 0, FIRST), at(0, 2, NEXT)],
    overlap: "replace",
    crashes: 1,
  },
  {
    ...CALM,
    ...BEATING,
    name: "large-priority",
    arrivals: [at(0, 0, { ...FIRST, ...SHARED }), at(1, 1, { ...OTHER, ...SHARED, priority: 1 })],
  },
  { ...CALM, name: "large-shared", arrivals: [FIRST, NEXT, OTHER].map((one) => ({ ...one, ...SHARED })), crashes: 1 },
  {
    ...CALM,
    name: "large-shared-faults",
    arrivals: [twice({ ...FIRST, ...SHARED }), { ...OTHER, ...SHARED }],
    crashes: 1,
    strays: 1,
    outcomes: EVERY_END,
  },
  {
    ...QUEUE,
    name: "large-queue-shared",
    arrivals: [FIRST, NEXT, OTHER].map((one) => ({ ...one, ...SHARED })),
    crashes: 1,
    misdeliveries: 1,
  },
  {
    ...QUEUE,
    name: "large-queue-shared-stray",
    arrivals: [FIRST, OTHER].map((one) => ({ ...one, ...SHARED })),
    crashes: 1,
    strays: 1,
  },
  { ...CALM, name: "large-late", arrivals: [twice(late(FIRST)), late(FIRST), NEXT], crashes: 1 },
  { ...CALM, name: "large-manual", arrivals: [twice(MANUAL), MANUAL, FIRST], crashes: 1, strays: 1, toggles: 1 },
];

function occurrence(minute: number): Arrival {
  return named("default", T0 + minute * 60_000);
}

function named(schedule: string, scheduledTimeMs = T0): Arrival {
  const runId = scheduledRunId(scheduledTimeMs, schedule);
  return { runId, schedule, scheduledTimeMs, tries: 1, redelivered: true };
}

function at(from: number, to: number, arrival: Arrival): Arrival {
  return { ...arrival, ticks: [from, to] };
}

function twice(arrival: Arrival): Arrival {
  return { ...arrival, tries: 2 };
}

function thrice(arrival: Arrival): Arrival {
  return { ...arrival, tries: 3 };
}

function late(arrival: Arrival): Arrival {
  return { ...arrival, lateAfterTick: 0 };
}
