import { describe, expect, test } from "vitest";
import { finish, finishCommitted, type Outcome, record, recordSteps, release } from "../../lib/run/index.ts";
import { endedRecord } from "../../lib/run/records.ts";
import { again, FIRST_FENCE, first, JOB, Model, next, RUN, T0 } from "./model.ts";

const SECOND = 1_000;
const succeeded: Outcome = { status: "SUCCEEDED", endedMs: T0 + SECOND };
const error = { name: "Error", message: "503" };
const steps = [{ name: "charge", json: "42" }];

test("the record is written first, then the lock given back with what the run leaves", () => {
  const model = new Model();
  const hold = model.hold(first);
  model.takeSent();
  const result = { bytes: 2, hash: "abc" };
  const finished = model.perform(finish(hold, { ...succeeded, result }));
  expect(model.takeSent()).toEqual(["put-record", "release"]);
  const attempt = { attempt: 1, fence: FIRST_FENCE, startedMs: T0, requestId: "request-1", logStream: "stream-1" };
  const written = {
    job: JOB,
    runId: RUN,
    schedule: "default",
    scheduledTimeMs: T0,
    ...attempt,
    status: "SUCCEEDED",
    endedMs: T0 + SECOND,
    attempts: [{ ...attempt, status: "SUCCEEDED", endedMs: T0 + SECOND }],
    trigger: { kind: "schedule" },
    result,
    expiresAtMs: T0 + 86_400 * SECOND,
  };
  expect(finished).toEqual({ recorded: true, record: written });
  expect(model.record(RUN)).toEqual(written);
  expect(model.state()).toEqual({
    fence: FIRST_FENCE,
    highWater: RUN,
    last: { runId: RUN, status: "SUCCEEDED", endedMs: T0 + SECOND },
    lastSuccess: { runId: RUN, scheduledTimeMs: T0, endedMs: T0 + SECOND },
    consecutiveFailures: 0,
  });
});

test("an end that was written before its reply was lost is recorded", () => {
  const model = new Model();
  const hold = model.hold(first);
  model.perform(finish(hold, succeeded));
  expect(model.perform(finish(hold, succeeded))).toMatchObject({ recorded: true, record: { status: "SUCCEEDED" } });
});

describe("an end that is refused", () => {
  test("says what the record is, and leaves that", () => {
    const model = new Model();
    const hold = model.hold(first);
    model.hold(again(first, T0 + 66 * SECOND));
    const finished = model.perform(finish(hold, succeeded));
    expect(finished).toMatchObject({ recorded: false, found: { status: "RUNNING", attempt: 2 } });
    expect(model.record(RUN)).toMatchObject({ status: "RUNNING", attempts: [{ attempt: 1, status: "LOST" }] });
    // The lock is another's by now.
    expect(model.state()?.lease?.owner).toBe("owner-1-again");
  });

  test("of a run that holds the lock still gives it back", () => {
    const model = new Model();
    const hold = model.hold(first);
    model.perform(record(hold, { status: "TIMED_OUT", endedMs: T0 + SECOND, error }));
    expect(model.state()?.lease?.owner).toBe("owner-1");
    expect(model.perform(finish(hold, succeeded))).toMatchObject({ recorded: false, found: { status: "TIMED_OUT" } });
    expect(model.state()).toMatchObject({ last: { status: "TIMED_OUT" }, consecutiveFailures: 1 });
    expect(model.state()?.lease).toBeUndefined();
  });

  test("where no record is left gives the lock back and leaves nothing", () => {
    const model = new Model();
    const hold = model.hold(first);
    model.perform(release(hold, { recorded: false }));
    expect(model.state()).toEqual({ fence: FIRST_FENCE, highWater: RUN, consecutiveFailures: 0 });
  });
});

test("after a commit only the lock is left to be given back", () => {
  const model = new Model();
  const hold = model.hold(first);
  model.takeSent();
  const committed = endedRecord(hold, succeeded);
  expect(model.perform(finishCommitted(hold, committed))).toEqual({ recorded: true, record: committed });
  expect(model.takeSent()).toEqual(["release"]);
  expect(model.state()?.last?.status).toBe("SUCCEEDED");
});

describe("the record of an end", () => {
  const hold = () => new Model().hold(first);

  test("is not before its start, when the clock was set back", () => {
    const ended = endedRecord(hold(), { ...succeeded, endedMs: T0 - 1 });
    expect(ended.endedMs).toBe(T0);
    expect(ended.attempts[0]?.endedMs).toBe(T0);
  });

  test("keeps a bounded error, on the run and on the attempt", () => {
    const long = { name: "Error", message: "x".repeat(3_000) };
    const ended = endedRecord(hold(), { status: "FAILED", endedMs: T0, error: long });
    expect(ended.error?.message).toHaveLength(1_998);
    expect(ended.attempts[0]?.error).toEqual(ended.error);
  });

  test("keeps the steps for a next attempt, and none where no attempt follows", () => {
    const stepped = { ...hold(), steps };
    expect(endedRecord(stepped, { status: "FAILED", endedMs: T0, error }).steps).toEqual(steps);
    expect(endedRecord(stepped, succeeded).steps).toBeUndefined();
    expect(endedRecord(hold(), { status: "FAILED", endedMs: T0, error }).steps).toBeUndefined();
  });

  test("keeps the lease only where a handler may go on without a lock", () => {
    const beside = { ...hold(), delivery: { ...first, overlap: "allow" as const } };
    const timedOut: Outcome = { status: "TIMED_OUT", endedMs: T0, error };
    expect(endedRecord(beside, timedOut).lease).toMatchObject({ owner: "owner-1", expiresAtMs: T0 + 60 * SECOND });
    expect(endedRecord(beside, { ...timedOut, status: "FAILED" }).lease).toBeUndefined();
    expect(endedRecord(hold(), timedOut).lease).toBeUndefined();
  });
});

describe("finished steps", () => {
  test("are on the record while the run is at work, and in the next attempt's hands", () => {
    const model = new Model();
    const hold = model.hold(first);
    expect(model.perform(recordSteps({ ...hold, steps }))).toEqual({ recorded: true });
    expect(model.record(RUN)).toMatchObject({ status: "RUNNING", steps });
    // The same request once more, or an older one that lands late.
    expect(model.perform(recordSteps({ ...hold, steps }))).toEqual({ recorded: true });
    expect(model.hold(again(first, T0 + 66 * SECOND)).steps).toEqual(steps);
  });

  test("are not recorded once another has taken the run over, or it has ended", () => {
    const model = new Model();
    const hold = model.hold(first);
    const second = model.hold(again(first, T0 + 66 * SECOND));
    expect(model.perform(recordSteps({ ...hold, steps }))).toMatchObject({
      recorded: false,
      found: { status: "RUNNING", fence: FIRST_FENCE + 1 },
    });
    model.perform(recordSteps({ ...second, steps }));
    const late = model.perform(recordSteps({ ...hold, steps: [...steps, { name: "mail" }] }));
    expect(late).toMatchObject({ recorded: false, found: { status: "RUNNING", fence: FIRST_FENCE + 1 } });
  });
});

describe("what runs leave on the state", () => {
  test("counts failures in a row, and from nothing after a success", () => {
    const model = new Model();
    const ends = ["FAILED", "TIMED_OUT", "CANCELLED", "SUCCEEDED", "FAILED"] as const;
    const counts = ends.map((status, hour) => {
      const atMs = T0 + hour * 3_600 * SECOND;
      const runId = `2026-03-02T0${2 + hour}:00:00.000Z#default`;
      const hold = model.hold(next(atMs, { runId, scheduledTimeMs: atMs, owner: `owner-${hour}` }));
      model.perform(finish(hold, { status, endedMs: atMs }));
      return model.state()?.consecutiveFailures;
    });
    expect(counts).toEqual([1, 2, 2, 0, 1]);
  });

  test("keeps the newest success by its scheduled time, not by its end", () => {
    const model = new Model();
    model.perform(finish(model.hold(next(T0)), { ...succeeded }));
    model.perform(
      finish(model.hold({ ...first, receivedMs: T0 + 2 * SECOND }), { ...succeeded, endedMs: T0 + 3 * SECOND }),
    );
    expect(model.state()).toMatchObject({
      last: { runId: RUN },
      lastSuccess: { runId: "2026-03-02T03:00:00.000Z#default" },
    });
  });
});

test("a step whose record is gone is not recorded", () => {
  const recording = recordSteps(new Model().hold(first));
  recording.next();
  expect(recording.next({ applied: false, nowMs: T0 }).value).toEqual({ recorded: false, found: undefined });
});
