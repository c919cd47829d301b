import { describe, expect, test } from "vitest";
import { type JobState, startOf, strandedHead } from "../../lib/run/index.ts";
import { leaseFor } from "../../lib/run/lease.ts";
import { hasToWait, placeOf, sinceFirst, takesTurns } from "../../lib/run/line.ts";
import { first, NEXT, next, RUN, T0, waiting } from "./model.ts";

const SECOND = 1_000;
const free: JobState = { consecutiveFailures: 0 };
const OTHER = "2026-03-02T01:00:00.000Z#default";
const queueOf = (...runIds: string[]): JobState => ({ ...free, queue: runIds.map(waiting) });
const held: JobState = { ...free, lease: leaseFor(next(T0), 1, T0) };

test("a place in the queue is counted from 0", () => {
  expect(placeOf(queueOf(OTHER, RUN), RUN)).toEqual({ runId: RUN, at: 1 });
  expect(placeOf(queueOf(OTHER), RUN)).toBeUndefined();
  expect(placeOf(free, RUN)).toBeUndefined();
});

describe("a run waits for its turn", () => {
  test("by its job's policy, where it was started, or where it waits already, whatever the policy is by now", () => {
    expect(takesTurns(free, { ...first, overlap: "queue" })).toBe(true);
    expect(takesTurns(free, { ...first, cause: "backfill" })).toBe(true);
    expect(takesTurns(queueOf(OTHER, RUN), first)).toBe(true);
    expect(takesTurns(queueOf(OTHER), first)).toBe(false);
    expect(takesTurns(free, first)).toBe(false);
  });

  test("while another is at work, or stands before it", () => {
    expect(hasToWait(held, first, T0)).toBe(true);
    expect(hasToWait(queueOf(OTHER, RUN), first, T0)).toBe(true);
    expect(hasToWait(queueOf(OTHER), first, T0)).toBe(true);
  });

  test("no longer once it is the first and nobody is at work", () => {
    expect(hasToWait(queueOf(RUN, OTHER), first, T0)).toBe(false);
    expect(hasToWait(free, first, T0)).toBe(false);
    // A minute, and the tolerance for clocks.
    expect(hasToWait(held, first, T0 + 65 * SECOND)).toBe(true);
    expect(hasToWait(held, first, T0 + 65 * SECOND + 1)).toBe(false);
  });
});

test("a run was delivered when its own first event came, as its record or its place in the queue says", () => {
  const since = (runId: string, deliveredMs: number) => ({ ...waiting(runId), deliveredMs });
  const state = { ...free, queue: [since(OTHER, T0 - 2 * SECOND), since(RUN, T0 - SECOND)] };
  expect(sinceFirst({ ...first, deliveredMs: T0 }, state).deliveredMs).toBe(T0 - SECOND);
  expect(sinceFirst({ ...first, deliveredMs: T0 }, free).deliveredMs).toBe(T0);
});

test("the first in the queue is stranded where nobody is at work who would start it", () => {
  expect(strandedHead(queueOf(RUN, NEXT), T0)).toEqual(waiting(RUN));
  expect(strandedHead({ ...held, ...queueOf(RUN), lease: held.lease }, T0)).toBeUndefined();
  expect(strandedHead(free, T0)).toBeUndefined();
});

describe("the start of a run that waited", () => {
  test("is for its turn, with the input that its delivery brought", () => {
    const entry = {
      ...waiting("manual#request"),
      input: '{"month":"2026-02"}',
      workTimeMs: T0,
      workSchedule: "hourly",
    };
    expect(startOf(entry, "sending-1")).toEqual({
      runId: "manual#request",
      cause: "queued",
      id: "sending-1",
      trigger: { kind: "schedule" },
      workTimeMs: T0,
      workSchedule: "hourly",
      input: { month: "2026-02" },
    });
  });

  test("keeps why it was started first, and has no input where there was none", () => {
    const start = startOf({ ...waiting(RUN), cause: "backfill" }, "sending-1");
    expect(start.cause).toBe("backfill");
    expect(start.input).toBeUndefined();
  });
});
