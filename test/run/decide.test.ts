import { describe, expect, test } from "vitest";
import { answerFromRecord, answerFromState, mayHaveRun, reasonToSkip } from "../../lib/run/decide.ts";
import { type Delivery, isDead, type JobState, type Lease, type RunRecord } from "../../lib/run/index.ts";

const T0 = Date.parse("2026-03-02T02:00:00.000Z");
const RUN = "2026-03-02T02:00:00.000Z#default";
const OTHER = "2026-03-02T01:00:00.000Z#default";

const mine: Delivery = {
  job: "nightly-report",
  runId: RUN,
  schedule: "default",
  scheduledTimeMs: T0,
  trigger: { kind: "schedule" },
  owner: "me",
  deliveryId: "my-delivery",
  redelivered: true,
  overlap: "skip",
  queueLength: 10,
  receivedMs: T0,
  leaseExpiresAtMs: T0 + 60_000,
  maxAttempts: 2,
  retentionMs: 86_400_000,
  requestId: "request",
};
const manual: Delivery = { ...mine, runId: "manual#request", schedule: undefined, scheduledTimeMs: undefined };
const lease: Lease = {
  owner: "them",
  runId: OTHER,
  deliveryId: "their-delivery",
  redelivered: true,
  attempt: 1,
  startedMs: T0 - 1_000,
  expiresAtMs: T0 + 60_000,
  trigger: { kind: "schedule" },
  requestId: "their-request",
  retentionMs: 86_400_000,
};
const idle: JobState = { fence: 7, highWater: OTHER, consecutiveFailures: 0 };
const paused = { by: "alice", reason: "maintenance", atMs: T0 };
const record: RunRecord = {
  job: mine.job,
  runId: RUN,
  status: "FAILED",
  fence: 7,
  attempt: 1,
  attempts: [],
  trigger: { kind: "schedule" },
  error: { name: "Error", message: "503" },
  requestId: "request",
  expiresAtMs: T0,
};

describe("a lease is dead", () => {
  test.each([
    [60_000, false],
    [65_000, false],
    [65_001, true],
  ])("%i ms after its start of 60 s: %o, since clocks may differ by 5 s", (afterMs, dead) => {
    expect(isDead(lease, T0 + afterMs)).toBe(dead);
  });
});

describe("the state answers", () => {
  test("duplicate, when the last run is this one and final", () => {
    const state: JobState = { ...idle, last: { runId: RUN, status: "SUCCEEDED", endedMs: T0 } };
    expect(answerFromState(state, mine, T0)).toMatchObject({ kind: "duplicate", status: "SUCCEEDED" });
  });

  test.each(["FAILED", "TIMED_OUT", "LOST"] as const)("nothing, when the last run is this one and %s", (status) => {
    expect(answerFromState({ ...idle, last: { runId: RUN, status, endedMs: T0 } }, mine, T0)).toBeUndefined();
  });

  test.each([
    ["another delivery holds this run", {}, "duplicate"],
    ["this delivery holds this run", { deliveryId: "my-delivery" }, "come-again"],
    ["a delivery that is not repeated holds this run", { redelivered: false }, "come-again"],
  ])("when %s", (_when, overrides, kind) => {
    expect(answerFromState({ ...idle, lease: { ...lease, runId: RUN, ...overrides } }, mine, T0)).toMatchObject({
      kind,
    });
  });

  test("nothing, when the lease is another run's or dead", () => {
    expect(answerFromState({ ...idle, lease }, mine, T0)).toBeUndefined();
    expect(answerFromState({ ...idle, lease: { ...lease, runId: RUN } }, mine, T0 + 65_001)).toBeUndefined();
  });
});

describe("there is a reason to skip", () => {
  test.each<[string, JobState, Delivery, string | undefined]>([
    ["none on an idle job", idle, mine, undefined],
    ["paused before overlap", { ...idle, paused, lease }, mine, "paused"],
    ["overlap for a manual run on a paused job that runs", { ...idle, paused, lease }, manual, "overlap"],
    ["none for a manual run on a paused job", { ...idle, paused }, manual, undefined],
    ["none for a backfill on a paused job", { ...idle, paused }, { ...mine, cause: "backfill" }, undefined],
    ["paused for a catch-up on a paused job", { ...idle, paused }, { ...mine, cause: "catch-up" }, "paused"],
    ["overlap before late", { ...idle, lease }, { ...mine, lateAfterMs: T0 - 1 }, "overlap"],
    ["late", idle, { ...mine, lateAfterMs: T0 - 1 }, "late"],
    ["none at the last instant in time", idle, { ...mine, lateAfterMs: T0 }, undefined],
    ["never late for a manual run", idle, { ...manual, lateAfterMs: T0 - 1 }, undefined],
  ])("%s", (_name, state, delivery, reason) => {
    expect(reasonToSkip(state, delivery, T0)).toBe(reason);
  });
});

describe("the run's record answers", () => {
  test.each(["SUCCEEDED", "CANCELLED", "SKIPPED"] as const)("duplicate, when it is %s", (status) => {
    expect(answerFromRecord({ ...record, status }, mine, undefined)).toMatchObject({ kind: "duplicate", status });
  });

  test.each(["FAILED", "TIMED_OUT", "LOST", "RUNNING"] as const)(
    "nothing, when it is %s with an attempt left",
    (status) => {
      expect(answerFromRecord({ ...record, status }, mine, undefined, 7)).toBeUndefined();
    },
  );

  test("come again, when it has an attempt left that cannot start now", () => {
    expect(answerFromRecord(record, mine, "paused")).toMatchObject({ kind: "come-again" });
    expect(answerFromRecord(record, mine, "overlap")).toMatchObject({ kind: "come-again" });
  });

  test("exhausted with its error, when no attempt is left", () => {
    const error = { name: "Error", message: "503" };
    expect(answerFromRecord({ ...record, attempt: 2 }, mine, undefined)).toEqual({ kind: "exhausted", error });
  });

  test("come again, when its last attempt started after the state was looked at", () => {
    const running = { ...record, status: "RUNNING", attempt: 2, fence: 8 } as const;
    expect(answerFromRecord(running, mine, undefined, 7)).toMatchObject({ kind: "come-again" });
    expect(answerFromRecord(running, mine, undefined, 8)).toMatchObject({ kind: "exhausted" });
  });
});

test("only an occurrence newer than the mark cannot have run", () => {
  expect(mayHaveRun(idle, mine)).toBe(false);
  expect(mayHaveRun({ ...idle, highWater: RUN }, mine)).toBe(true);
  expect(mayHaveRun({ consecutiveFailures: 0 }, mine)).toBe(false);
  expect(mayHaveRun(idle, manual)).toBe(true);
});
