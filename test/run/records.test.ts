import { describe, expect, test } from "vitest";
import type { JobState, Lease, RunRecord } from "../../lib/run/index.ts";
import { leaseFor } from "../../lib/run/lease.ts";
import {
  attemptsBefore,
  claimedRecord,
  lostClaim,
  lostRecord,
  runningFromLease,
  shownRuns,
  skippedBy,
  skippedRecord,
  tallyAfter,
} from "../../lib/run/records.ts";
import { first, JOB, manual, NEXT, next, RUN, T0 } from "./model.ts";

const SECOND = 1_000;
const lease: Lease = leaseFor(first, 2, T0);
const state: JobState = { fence: 7, lease, highWater: RUN, consecutiveFailures: 0 };
const lostError = (attempt: number) => ({
  name: "RunLost",
  message: `Attempt ${attempt} ended without a result in time: its process died, was stopped, or outlived its lease.`,
});
/** The attempt before, which failed. */
const failed: RunRecord = {
  job: JOB,
  runId: RUN,
  schedule: "default",
  scheduledTimeMs: T0,
  status: "FAILED",
  fence: 6,
  attempt: 1,
  attempts: [{ attempt: 1, fence: 6, status: "FAILED", startedMs: T0 - 9, endedMs: T0 - 5, requestId: "request-0" }],
  startedMs: T0 - 9,
  endedMs: T0 - 5,
  trigger: { kind: "schedule" },
  input: { bytes: 2, hash: "abc" },
  steps: [{ name: "charge" }],
  workTimeMs: T0 - 1,
  workSchedule: "hourly",
  requestId: "request-0",
  expiresAtMs: T0,
};
const running: RunRecord = { ...failed, status: "RUNNING", attempts: [], endedMs: undefined };
/** What the lease stands for while its run has written nothing. */
const fromLease: RunRecord = {
  job: JOB,
  runId: RUN,
  schedule: "default",
  scheduledTimeMs: T0,
  status: "RUNNING",
  fence: 7,
  attempt: 2,
  attempts: [],
  startedMs: T0,
  trigger: { kind: "schedule" },
  requestId: "request-1",
  logStream: "stream-1",
  expiresAtMs: T0 + 86_400 * SECOND,
};

describe("a lease stands for a running record", () => {
  test("of its own", () => {
    expect(runningFromLease(JOB, lease, 7)).toEqual(fromLease);
  });

  test("that keeps what the attempts before left", () => {
    const { input, steps, workTimeMs, workSchedule, attempts } = failed;
    const kept = { input, steps, workTimeMs, workSchedule, attempts };
    expect(runningFromLease(JOB, lease, 7, failed)).toEqual({ ...fromLease, ...kept });
  });

  test("without a scheduled time, where the run is a manual one", () => {
    const record = runningFromLease(JOB, leaseFor(manual, 1, T0), 7);
    expect(record.schedule).toBeUndefined();
    expect(record.scheduledTimeMs).toBeUndefined();
  });

  test("without one also where this release cannot take the run's id apart", () => {
    const record = runningFromLease(JOB, { ...lease, runId: "unknown" }, 7);
    expect(record).toMatchObject({ runId: "unknown", status: "RUNNING" });
    expect(record).not.toHaveProperty("schedule");
  });
});

test("only a run without a lock has its lease on its record", () => {
  const hold = { delivery: first, fencingToken: 7, attempt: 2, startedMs: T0, attempts: [], steps: [] };
  const tally = { consecutiveFailures: 0 };
  expect(claimedRecord({ ...hold, tally }).lease).toBeUndefined();
  expect(claimedRecord({ ...hold, tally, delivery: { ...first, overlap: "allow" } }).lease).toEqual(lease);
});

describe("a skipped run", () => {
  /** The holder's process ends after one minute at the latest, its lease after two. */
  const holding: Lease = { ...lease, expiresAtMs: T0 + 120 * SECOND, holdMs: 60 * SECOND };
  const skipped = (reason: "overlap" | "paused", atMs: number) =>
    skippedRecord(next(atMs), { ...state, lease: holding }, reason, atMs);

  test("names the run that was at work", () => {
    const record = skipped("overlap", T0 + 65 * SECOND);
    expect(record).toMatchObject({ status: "SKIPPED", reason: "overlap", heldBy: RUN, fence: 7, attempt: 0 });
    expect(record.heldOver).toBeUndefined();
  });

  test("says that it was not at work any more, where only its hold was in the way", () => {
    expect(skipped("overlap", T0 + 65 * SECOND + 1)).toMatchObject({ heldBy: RUN, heldOver: true });
  });

  test("names nobody where nobody was in the way", () => {
    const record = skipped("paused", T0 + 65 * SECOND + 1);
    expect(record.reason).toBe("paused");
    expect(record.heldBy).toBeUndefined();
    expect(record.heldOver).toBeUndefined();
  });

  test("names the shared lock that was in the way, and who held it", () => {
    const sharedLock = { name: "billing-db", job: "invoicing" };
    expect(skippedBy(next(T0), 7, { heldBy: RUN, sharedLock }, T0)).toMatchObject({
      runId: NEXT,
      status: "SKIPPED",
      reason: "overlap",
      heldBy: RUN,
      sharedLock,
      fence: 7,
      endedMs: T0,
    });
  });
});

describe("a dead lease's run is lost", () => {
  test("where nothing is recorded, or an older attempt, or this one at work", () => {
    expect(lostRecord(JOB, lease, 7)).toMatchObject({ status: "LOST", fence: 7, endedMs: T0 + 60 * SECOND });
    expect(lostRecord(JOB, lease, 7, failed)).toMatchObject({ status: "LOST", attempt: 2, error: lostError(2) });
    expect(lostRecord(JOB, lease, 7, { ...running, fence: 7 })?.attempts).toHaveLength(1);
  });

  test.each<[string, Partial<RunRecord>]>([
    ["this attempt has ended", { fence: 7 }],
    ["a newer attempt is at work", { fence: 8, status: "RUNNING" }],
    ["a newer attempt is at work under a token of its own, as without a lock", { attempt: 3, status: "RUNNING" }],
    ["this attempt has ended under a token of its own", { fence: 5, attempt: 2 }],
    ["the run is final", { fence: 6, status: "SUCCEEDED" }],
    ["the run was skipped", { fence: 6, status: "SKIPPED" }],
    ["the run is at work without a lock", { fence: 6, status: "RUNNING", attempt: 2, lease }],
  ])("and not where %s", (_name, found) => {
    expect(lostRecord(JOB, lease, 7, { ...failed, ...found })).toBeUndefined();
  });

  test("also where the attempt before was timed out without a lock, and has its lease on its record", () => {
    const timedOut = { ...failed, status: "TIMED_OUT", lease } as const;
    expect(lostRecord(JOB, lease, 7, timedOut)).toMatchObject({ status: "LOST", attempt: 2, fence: 7 });
  });

  test("under its own token, where it was given out while an older lease stood", () => {
    expect(lostRecord(JOB, lease, 7, { ...running, fence: 5, attempt: 2 })).toMatchObject({ status: "LOST", fence: 5 });
  });

  test("as whoever took it away says", () => {
    const error = { name: "RunUnlocked", message: "alice took its lock" };
    const lost = lostRecord(JOB, lease, 7, undefined, { endedMs: T0 + 5, error });
    expect(lost).toMatchObject({ endedMs: T0 + 5, error, attempts: [{ endedMs: T0 + 5, error }] });
  });

  test("and never ended before it started", () => {
    expect(lostRecord(JOB, lease, 7, undefined, { endedMs: T0 - 5 })?.endedMs).toBe(T0);
  });
});

test("a claim without a lock is lost when its lease is dead, and its record still says RUNNING", () => {
  const claimed: RunRecord = { ...running, fence: 7, lease };
  expect(lostClaim(claimed)).toEqual({
    ...running,
    fence: 7,
    status: "LOST",
    endedMs: T0 + 60 * SECOND,
    error: lostError(1),
    attempts: [
      {
        attempt: 1,
        fence: 7,
        status: "LOST",
        startedMs: T0 - 9,
        endedMs: T0 + 60 * SECOND,
        error: lostError(1),
        requestId: "request-0",
      },
    ],
  });
  expect(lostClaim({ ...claimed, status: "TIMED_OUT" })).toBeUndefined();
  expect(lostClaim(running)).toBeUndefined();
});

describe("the attempts before a token", () => {
  test("are those recorded", () => {
    expect(attemptsBefore(7, failed)).toEqual(failed.attempts);
  });

  test("and the one that was abandoned at work, with an older token", () => {
    expect(attemptsBefore(7, running)).toMatchObject([{ status: "LOST", startedMs: T0 - 9, endedMs: T0 - 9 }]);
    expect(attemptsBefore(6, running)).toEqual([]);
    expect(attemptsBefore(7, { ...running, startedMs: undefined })).toMatchObject([{ startedMs: 0, endedMs: 0 }]);
  });
});

describe("runs are shown", () => {
  const other: RunRecord = { ...failed, runId: "2026-03-02T01:00:00.000Z#default" };
  const newer: RunRecord = { ...failed, runId: NEXT };

  test("as they are recorded, while nobody holds the lock", () => {
    expect(shownRuns(JOB, { consecutiveFailures: 0 }, [newer, failed], T0)).toEqual([newer, failed]);
  });

  test("with the holder at its place, once, as at work", () => {
    const runs = shownRuns(JOB, state, [newer, failed, other], T0);
    expect(runs.map(({ runId, status }) => [runId, status])).toEqual([
      [NEXT, "FAILED"],
      [RUN, "RUNNING"],
      ["2026-03-02T01:00:00.000Z#default", "FAILED"],
    ]);
    expect(shownRuns(JOB, state, [newer], T0).map(({ runId }) => runId)).toEqual([NEXT, RUN]);
    expect(shownRuns(JOB, state, [other], T0).map(({ runId }) => runId)).toEqual([RUN, other.runId]);
  });

  test("with a holder that has ended as its record says, also while it holds the lock", () => {
    expect(shownRuns(JOB, state, [{ ...failed, fence: 7 }], T0)[0]?.status).toBe("FAILED");
    expect(shownRuns(JOB, state, [newer, { ...failed, fence: 7 }], T0)[1]?.status).toBe("FAILED");
  });

  test("with a dead holder as lost", () => {
    expect(shownRuns(JOB, state, [], T0 + 65 * SECOND)[0]?.status).toBe("RUNNING");
    expect(shownRuns(JOB, state, [], T0 + 65 * SECOND + 1)[0]).toMatchObject({ status: "LOST", fence: 7 });
    expect(shownRuns(JOB, { ...state, fence: undefined }, [], T0)[0]).toMatchObject({ fence: 0 });
  });

  test("as lost where they say RUNNING and nobody stands for them", () => {
    const shown = shownRuns(JOB, { consecutiveFailures: 0 }, [running], T0);
    expect(shown).toMatchObject([{ status: "LOST", endedMs: T0 - 9, error: lostError(1) }]);
    const unknown = shownRuns(JOB, { consecutiveFailures: 0 }, [{ ...running, startedMs: undefined }], T0);
    expect(unknown).toMatchObject([{ status: "LOST", endedMs: 0 }]);
  });

  test("without a lock by the lease on their record", () => {
    const claimed: RunRecord = { ...running, lease };
    const free: JobState = { consecutiveFailures: 0 };
    expect(shownRuns(JOB, free, [claimed], T0 + 65 * SECOND)).toEqual([claimed]);
    expect(shownRuns(JOB, free, [claimed], T0 + 65 * SECOND + 1)).toMatchObject([
      // As whoever takes the run over records it.
      { status: "LOST", endedMs: T0 + 60 * SECOND },
    ]);
  });
});

test("a skip of a run that takes turns tells of a full queue where it is for overlap alone", () => {
  const queueing = { ...first, overlap: "queue" } as const;
  expect(skippedRecord(queueing, state, "overlap", T0).queueFull).toBe(true);
  expect(skippedRecord(queueing, state, "paused", T0).queueFull).toBeUndefined();
  expect(skippedRecord(first, state, "overlap", T0).queueFull).toBeUndefined();
});

describe("the tally", () => {
  const before = { lastSuccess: { runId: RUN, scheduledTimeMs: T0, endedMs: T0 }, consecutiveFailures: 3 };
  const ended = (overrides: Partial<RunRecord>) => tallyAfter(before, { ...failed, ...overrides });

  test("names the run that ended last, whatever became of it", () => {
    expect(ended({ status: "LOST" }).last).toEqual({ runId: RUN, status: "LOST", endedMs: T0 - 5 });
    expect(ended({ endedMs: undefined }).last?.endedMs).toBe(0);
  });

  test.each([
    ["FAILED", 4],
    ["TIMED_OUT", 4],
    ["LOST", 4],
    ["CANCELLED", 3],
    ["SUCCEEDED", 0],
  ] as const)("after %s counts %i failures in a row", (status, count) => {
    expect(ended({ status }).consecutiveFailures).toBe(count);
  });

  test("takes a success that is as new or newer, and none that is older, manual, or no success", () => {
    const newer = { runId: NEXT, scheduledTimeMs: T0 + 1, status: "SUCCEEDED" } as const;
    expect(ended(newer).lastSuccess).toEqual({ runId: NEXT, scheduledTimeMs: T0 + 1, endedMs: T0 - 5 });
    expect(ended({ ...newer, scheduledTimeMs: T0 }).lastSuccess?.runId).toBe(NEXT);
    expect(ended({ ...newer, scheduledTimeMs: T0 - 1 }).lastSuccess).toEqual(before.lastSuccess);
    expect(ended({ ...newer, scheduledTimeMs: undefined }).lastSuccess).toEqual(before.lastSuccess);
    expect(ended({ ...newer, status: "FAILED" }).lastSuccess).toEqual(before.lastSuccess);
    const none = { consecutiveFailures: 0 };
    expect(tallyAfter(none, { ...failed, ...newer }).lastSuccess?.runId).toBe(NEXT);
  });
});
