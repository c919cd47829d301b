import { describe, expect, test } from "vitest";
import { isAttemptDue, type JobState, openSinceMs, type RunRecord, toCatchUp } from "../../../lib/run/index.ts";
import { leaseFor } from "../../../lib/run/lease.ts";
import { first, JOB, manual, NEXT, next, RUN, T0, waiting } from "../model.ts";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const idle: JobState = { consecutiveFailures: 1 };
/** The first of three attempts. */
const failed: RunRecord = {
  job: JOB,
  runId: RUN,
  schedule: "default",
  scheduledTimeMs: T0,
  status: "FAILED",
  fence: 7,
  attempt: 1,
  attempts: [],
  startedMs: T0 - MINUTE,
  endedMs: T0,
  trigger: { kind: "schedule" },
  requestId: "request-1",
  expiresAtMs: T0 + 24 * HOUR,
};
const paused = { by: "alice", reason: "maintenance", atMs: T0, untilMs: T0 + 10 * MINUTE };

describe("the watchdog starts the next attempt", () => {
  /** Five minutes after the end: Lambda's own two deliveries came after one and three. */
  const isDue = (run: Partial<RunRecord>, state: Partial<JobState> = {}, atMs = T0 + 5 * MINUTE) =>
    isAttemptDue({ ...failed, ...run }, { ...idle, ...state }, 2, atMs);

  test.each<[string, Partial<RunRecord>, Partial<JobState>]>([
    ["of a run that failed", {}, {}],
    ["of one that was timed out", { status: "TIMED_OUT" }, {}],
    ["of one whose process died", { status: "LOST" }, {}],
    ["where it is the last one", { attempt: 2 }, {}],
    ["while another run is at work, since the attempt then waits its turn", {}, { lease: leaseFor(next(T0), 1, T0) }],
    ["while another run waits", {}, { queue: [waiting(NEXT)] }],
    ["once a pause has run out", {}, { paused: { ...paused, untilMs: T0 + 5 * MINUTE } }],
    ["of a manual run, paused or not", { runId: manual.runId, schedule: undefined }, { paused }],
  ])("%s", (_what, run, state) => {
    expect(isDue(run, state)).toBe(true);
  });

  test("not while Lambda may still deliver it again by itself", () => {
    expect(isDue({}, {}, T0 + 5 * MINUTE - 1)).toBe(false);
  });

  test.each<[string, Partial<RunRecord>, Partial<JobState>]>([
    ["after a success", { status: "SUCCEEDED" }, {}],
    ["after a skip", { status: "SKIPPED", attempt: 0 }, {}],
    ["with no attempt left", { attempt: 3 }, {}],
    ["of a run that has not ended", { status: "RUNNING", endedMs: undefined }, {}],
    ["that is at work already", {}, { lease: leaseFor(first, 2, T0) }],
    ["that waits already", {}, { queue: [waiting(NEXT), waiting(RUN)] }],
    ["while the job is paused", {}, { paused }],
  ])("not %s", (_what, run, state) => {
    expect(isDue(run, state)).toBe(false);
  });
});

describe("the oldest run to look at again", () => {
  const at = (time: string, more: Partial<RunRecord> = {}) => ({
    ...failed,
    runId: `2026-03-02T${time}Z#default`,
    ...more,
  });
  const since = (runs: readonly RunRecord[], state: Partial<JobState> = {}, now = "2026-03-02T12:00:00Z") => {
    const ms = openSinceMs({ ...idle, ...state }, runs, 2, Date.parse(now));
    return ms === undefined ? undefined : new Date(ms).toISOString();
  };

  test("is the oldest of those with attempts left", () => {
    const newestFirst = [at("10:00:00.000"), at("09:00:00.000", { attempt: 2 }), at("08:00:00.000", { attempt: 3 })];
    expect(since(newestFirst)).toBe("2026-03-02T09:00:00.000Z");
  });

  test("is one that says RUNNING, also in its last attempt", () => {
    expect(since([at("10:00:00.000"), at("08:00:00.000", { status: "RUNNING", attempt: 3 })])).toBe(
      "2026-03-02T08:00:00.000Z",
    );
  });

  test("is none that is final", () => {
    const ended = [at("10:00:00.000", { status: "SUCCEEDED" }), at("09:00:00.000", { status: "SKIPPED", attempt: 0 })];
    expect(since(ended)).toBeUndefined();
    expect(since([])).toBeUndefined();
  });

  test("is one that waits, or is at work without a record", () => {
    const queue = [waiting("2026-03-02T03:00:00.000Z#default"), waiting("2026-03-02T04:00:00.000Z#default")];
    expect(since([at("10:00:00.000")], { queue })).toBe("2026-03-02T03:00:00.000Z");
    expect(since([], { queue, lease: leaseFor(first, 1, T0) })).toBe("2026-03-02T02:00:00.000Z");
  });

  test("is none without a time", () => {
    expect(since([], { queue: [waiting(manual.runId)] })).toBeUndefined();
  });

  test("is none from more than a day ago: that is left to whoever operates the job", () => {
    expect(since([at("10:00:00.000")], {}, "2026-03-03T10:00:00.000Z")).toBe("2026-03-02T10:00:00.000Z");
    expect(since([at("10:00:00.000")], {}, "2026-03-03T10:00:00.001Z")).toBeUndefined();
  });
});

describe("of what was missed", () => {
  const times = (...timesMs: number[]) => timesMs.map((timeMs) => ({ timeMs }));

  test("nothing runs, or the newest, or as many as may wait: the newest, oldest first", () => {
    const missed = times(1, 2, 3);
    expect(toCatchUp(missed, [], "none", 2)).toEqual([]);
    expect(toCatchUp(missed, [], "latest", 2)).toEqual(times(3));
    expect(toCatchUp(missed, [], "all", 2)).toEqual(times(2, 3));
    expect(toCatchUp(missed, [], "all", 10)).toEqual(missed);
  });

  test("nothing runs before what is newer and still undecided, or each look would have a newest one of its own", () => {
    expect(toCatchUp(times(1, 2), times(3), "latest", 2)).toEqual([]);
    expect(toCatchUp(times(1, 2), times(3), "all", 2)).toEqual(times(2));
    // Of two schedules with another maxLateness.
    expect(toCatchUp(times(1, 4), times(3), "latest", 2)).toEqual(times(4));
  });
});
