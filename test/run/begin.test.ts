import { describe, expect, test } from "vitest";
import { begin, finish, type JobState, type Reply } from "../../lib/run/index.ts";
import { again, FIRST_FENCE, first, JOB, Model, manual, NEXT, next, RUN, T0 } from "./model.ts";

const SECOND = 1_000;
const ATTEMPT = { attempt: 1, fence: FIRST_FENCE, startedMs: T0, requestId: "request-1", logStream: "stream-1" };
const LOST = {
  name: "RunLost",
  message: "Attempt 1 ended without a result in time: its process died, was stopped, or outlived its lease.",
};
const LEASE = {
  owner: "owner-1",
  runId: RUN,
  deliveryId: "delivery-1",
  redelivered: true,
  attempt: 1,
  startedMs: T0,
  expiresAtMs: T0 + 60 * SECOND,
  trigger: { kind: "schedule" },
  requestId: "request-1",
  logStream: "stream-1",
  retentionMs: 86_400_000,
};
const comeAgain = (why: string) => ({ kind: "come-again", why });

describe("a new occurrence", () => {
  test("takes the free lock by one request, and is told what it holds", () => {
    const model = new Model();
    expect(model.begin(first)).toEqual({
      kind: "held",
      hold: {
        delivery: first,
        fencingToken: FIRST_FENCE,
        attempt: 1,
        startedMs: T0,
        attempts: [],
        steps: [],
        tally: { consecutiveFailures: 0 },
      },
    });
    expect(model.takeSent()).toEqual(["acquire-newest"]);
    expect(model.state()).toEqual({
      fence: FIRST_FENCE,
      leaseFence: FIRST_FENCE,
      highWater: RUN,
      lease: LEASE,
      consecutiveFailures: 0,
    });
  });

  test("holds it also when the reply was lost and the repetition was refused", () => {
    const model = new Model();
    model.hold(first);
    expect(model.hold(first).fencingToken).toBe(FIRST_FENCE);
    expect(model.takeSent()).toEqual(["acquire-newest", "acquire-newest"]);
  });

  test("that is late asks first, and is skipped", () => {
    const model = new Model();
    const late = { ...first, receivedMs: T0 + 1, lateAfterMs: T0 };
    expect(model.begin(late)).toEqual({ kind: "skipped", reason: "late", runId: RUN });
    expect(model.takeSent()).toEqual(["read-state", "raise-high-water", "put-skipped"]);
    expect(model.record(RUN)).toEqual({
      job: JOB,
      runId: RUN,
      schedule: "default",
      scheduledTimeMs: T0,
      status: "SKIPPED",
      reason: "late",
      fence: 0,
      attempt: 0,
      attempts: [],
      endedMs: T0 + 1,
      trigger: { kind: "schedule" },
      requestId: "request-1",
      logStream: "stream-1",
      // A day and a millisecond later, in whole seconds.
      expiresAtMs: T0 + 86_401 * SECOND,
    });
  });

  test("that is in time at its last instant takes the fast way", () => {
    const model = new Model();
    expect(model.begin({ ...first, lateAfterMs: T0 }).kind).toBe("held");
  });
});

describe("another delivery of a run at work", () => {
  test("is a duplicate", () => {
    const model = new Model();
    model.hold(first);
    const twin = { ...first, owner: "owner-2", deliveryId: "delivery-2" };
    expect(model.begin(twin)).toEqual({ kind: "duplicate", runId: RUN, status: "RUNNING" });
    expect(model.takeSent()).toEqual(["acquire-newest", "acquire-newest"]);
  });

  test("comes again where it is the same delivery, or the holder's would not", () => {
    const model = new Model();
    model.hold({ ...first, redelivered: false });
    expect(model.begin(again(first, T0))).toEqual(comeAgain("an earlier try of this delivery still holds the lock"));
    const twin = { ...first, owner: "owner-2", deliveryId: "delivery-2" };
    const why = "the holder of this run would not be delivered again if it died";
    expect(model.begin(twin)).toEqual(comeAgain(why));
  });
});

describe("an occurrence that meets another run", () => {
  test("is skipped, names it, and raises the mark first", () => {
    const model = new Model();
    model.hold(first);
    model.takeSent();
    const skipped = { kind: "skipped", reason: "overlap", runId: NEXT, heldBy: RUN };
    expect(model.begin(next(T0 + SECOND))).toEqual(skipped);
    expect(model.takeSent()).toEqual(["acquire-newest", "raise-high-water", "put-skipped"]);
    expect(model.state()).toEqual({
      fence: FIRST_FENCE,
      leaseFence: FIRST_FENCE,
      highWater: NEXT,
      lease: LEASE,
      consecutiveFailures: 0,
    });
    expect(model.record(NEXT)).toMatchObject({
      reason: "overlap",
      heldBy: RUN,
      fence: FIRST_FENCE,
      endedMs: T0 + SECOND,
    });
    expect(model.begin(next(T0 + 2 * SECOND))).toEqual({ kind: "duplicate", runId: NEXT, status: "SKIPPED" });
  });

  test("is skipped without a change of the mark where a newer one was started", () => {
    const model = new Model();
    model.hold(next(T0));
    expect(model.begin(first)).toMatchObject({ kind: "skipped", heldBy: NEXT });
    expect(model.state()?.highWater).toBe(NEXT);
  });

  test("waits for its redelivery where it has attempts left", () => {
    const model = new Model();
    model.perform(finish(model.hold(first), { status: "FAILED", endedMs: T0 + SECOND }));
    model.hold(next(T0 + 2 * SECOND));
    const why = "another run holds the lock and this run has attempts left";
    expect(model.begin(again(first, T0 + 3 * SECOND))).toEqual(comeAgain(why));
  });

  test("runs after it, when its lease is dead, and records it as lost", () => {
    const model = new Model();
    model.hold(first);
    model.takeSent();
    expect(model.begin(next(T0 + 65 * SECOND)).kind).toBe("skipped");
    const later = { ...next(T0 + 66 * SECOND), runId: "2026-03-02T04:00:00.000Z#default" };
    model.takeSent();
    expect(model.begin(later)).toMatchObject({
      kind: "held",
      hold: {
        fencingToken: FIRST_FENCE + 1,
        attempt: 1,
        attempts: [],
        startedMs: T0 + 66 * SECOND,
        tally: { last: { runId: RUN, status: "LOST", endedMs: T0 + 60 * SECOND }, consecutiveFailures: 1 },
      },
    });
    expect(model.takeSent()).toEqual(["acquire-newest", "read-record", "put-as-seen", "acquire-as-seen"]);
    expect(model.record(RUN)).toEqual({
      job: JOB,
      runId: RUN,
      schedule: "default",
      scheduledTimeMs: T0,
      status: "LOST",
      ...ATTEMPT,
      attempts: [{ ...ATTEMPT, status: "LOST", endedMs: T0 + 60 * SECOND, error: LOST }],
      endedMs: T0 + 60 * SECOND,
      error: LOST,
      trigger: { kind: "schedule" },
      expiresAtMs: T0 + 86_400 * SECOND,
    });
  });
});

describe("on a paused job", () => {
  const paused = { by: "alice", reason: "maintenance", at: "2026-03-01T00:00:00.000Z" };

  test("an occurrence is skipped, and one with attempts left comes again", () => {
    const model = new Model();
    model.perform(finish(model.hold(first), { status: "FAILED", endedMs: T0 + SECOND }));
    model.pause(paused);
    expect(model.begin(next(T0 + 2 * SECOND))).toEqual({ kind: "skipped", reason: "paused", runId: NEXT });
    const why = "the job is paused and this run has attempts left";
    expect(model.begin(again(first, T0 + 3 * SECOND))).toEqual(comeAgain(why));
  });

  test("it is skipped as paused also while another run holds the lock", () => {
    const model = new Model();
    model.hold(first);
    model.pause(paused);
    expect(model.begin(next(T0 + SECOND))).toEqual({ kind: "skipped", reason: "paused", runId: NEXT });
    expect(model.record(NEXT)?.heldBy).toBeUndefined();
  });

  test("the skip does not mind that the holder's lock is given back meanwhile", () => {
    const model = new Model();
    const hold = model.hold(first);
    model.pause(paused);
    model.nowMs = T0 + SECOND;
    const beginning = begin(next(T0 + SECOND));
    let step = beginning.next();
    while (!step.done) {
      if (step.value.kind === "raise-high-water")
        model.perform(finish(hold, { status: "SUCCEEDED", endedMs: T0 + SECOND }));
      step = beginning.next(model.send(step.value));
    }
    expect(step.value).toEqual({ kind: "skipped", reason: "paused", runId: NEXT });
    expect(model.takeSent().filter((kind) => kind === "raise-high-water")).toHaveLength(1);
  });

  test("a manual run starts, and moves no mark", () => {
    const model = new Model();
    model.pause(paused);
    expect(model.begin(manual).kind).toBe("held");
    expect(model.takeSent()).toEqual(["read-state", "read-record", "acquire-as-seen", "put-as-seen"]);
    expect(model.state()?.highWater).toBeUndefined();
    expect(model.record("manual#request")).toMatchObject({ status: "RUNNING", attempt: 1, startedMs: T0 });
  });

  test("a manual run that meets a holder is skipped by its record alone", () => {
    const model = new Model();
    model.hold(first);
    model.takeSent();
    expect(model.begin(manual)).toMatchObject({ kind: "skipped", reason: "overlap", heldBy: RUN });
    expect(model.takeSent()).toEqual(["read-state", "read-record", "put-skipped"]);
  });
});

describe("the next attempt", () => {
  test("knows how the one before ended, under a greater token", () => {
    const model = new Model();
    const error = { name: "Error", message: "503" };
    model.perform(finish(model.hold(first), { status: "FAILED", endedMs: T0 + SECOND, error }));
    model.takeSent();
    const hold = model.hold(again(first, T0 + 60 * SECOND));
    expect(model.takeSent()).toEqual(["acquire-newest", "read-record", "acquire-as-seen", "put-as-seen"]);
    expect(hold).toMatchObject({ attempt: 2, fencingToken: FIRST_FENCE + 1, previousError: error });
    expect(hold.attempts).toEqual([{ ...ATTEMPT, status: "FAILED", endedMs: T0 + SECOND, error }]);
    expect(hold.tally).toEqual({
      last: { runId: RUN, status: "FAILED", endedMs: T0 + SECOND },
      consecutiveFailures: 1,
    });
  });

  test("follows on one that died, whose lease is its own", () => {
    const model = new Model();
    model.hold(first);
    model.takeSent();
    const hold = model.hold(again(first, T0 + 66 * SECOND));
    expect(model.takeSent()).toEqual([
      "acquire-newest",
      "read-record",
      "put-as-seen",
      "acquire-as-seen",
      "put-as-seen",
    ]);
    expect(hold).toMatchObject({ attempt: 2, previousError: LOST });
    expect(hold.attempts).toMatchObject([{ status: "LOST", endedMs: T0 + 60 * SECOND }]);
    expect(hold.tally).toMatchObject({ last: { status: "LOST" }, consecutiveFailures: 1 });
  });

  test("follows on a RUNNING record that no lease stands for any more: its attempt was abandoned", () => {
    const model = new Model();
    const { delivery } = model.hold(manual);
    model.perform(releaseOf(delivery.owner));
    const hold = model.hold(again(manual, T0 + SECOND));
    expect(hold.attempts).toMatchObject([{ status: "LOST", attempt: 1, startedMs: T0, endedMs: T0, error: LOST }]);
    expect(hold).toMatchObject({ attempt: 2, previousError: LOST });
  });

  test("does not start when none is left: the recorded error is thrown again", () => {
    const model = new Model();
    const once = { ...first, maxAttempts: 1 };
    const error = { name: "Error", message: "503" };
    model.perform(finish(model.hold(once), { status: "FAILED", endedMs: T0 + SECOND, error }));
    expect(model.begin(again(once, T0 + 60 * SECOND))).toEqual({ kind: "exhausted", error });
  });

  test("does not start when the last one died; its lease is taken away", () => {
    const model = new Model();
    const once = { ...first, maxAttempts: 1 };
    model.hold(once);
    model.takeSent();
    expect(model.begin(again(once, T0 + 66 * SECOND))).toEqual({ kind: "exhausted", error: LOST });
    expect(model.takeSent()).toEqual(["acquire-newest", "read-record", "put-as-seen", "remove-dead-lease"]);
    expect(model.state()).toEqual({
      fence: FIRST_FENCE,
      highWater: RUN,
      last: { runId: RUN, status: "LOST", endedMs: T0 + 60 * SECOND },
      consecutiveFailures: 1,
    });
  });
});

test("a run that succeeded long ago is known by its record", () => {
  const model = new Model();
  model.perform(finish(model.hold(first), { status: "SUCCEEDED", endedMs: T0 + SECOND }));
  model.perform(finish(model.hold(next(T0 + 2 * SECOND)), { status: "SUCCEEDED", endedMs: T0 + 3 * SECOND }));
  model.takeSent();
  const twin = { ...first, owner: "owner-3", deliveryId: "delivery-3", receivedMs: T0 + 4 * SECOND };
  expect(model.begin(twin)).toEqual({ kind: "duplicate", runId: RUN, status: "SUCCEEDED" });
  expect(model.takeSent()).toEqual(["acquire-newest", "read-record"]);
});

test("an overtaken occurrence without a record runs now, and leaves the mark", () => {
  const model = new Model();
  model.perform(finish(model.hold(next(T0)), { status: "SUCCEEDED", endedMs: T0 + SECOND }));
  model.takeSent();
  expect(model.begin({ ...first, receivedMs: T0 + 2 * SECOND }).kind).toBe("held");
  expect(model.takeSent()).toEqual(["acquire-newest", "read-record", "acquire-as-seen", "put-as-seen", "find-success"]);
  expect(model.state()).toMatchObject({ highWater: NEXT, lease: { runId: RUN } });
});

describe("what was claimed in the meantime", () => {
  const free: JobState = { fence: 7, highWater: NEXT, consecutiveFailures: 0 };
  const held: JobState = { ...free, fence: 8, lease: LEASE as never, leaseFence: 8 };
  const answer = (rest: Partial<Reply>): Reply => ({ nowMs: T0, applied: true, ...rest });
  const skipped = { job: JOB, runId: RUN, status: "SKIPPED", fence: 7 } as never;

  test("decides: the lock goes back, and the answer is the record's", () => {
    const protocol = begin(first);
    protocol.next();
    expect(protocol.next(answer({ applied: false, state: free })).value).toMatchObject({ kind: "read-record" });
    expect(protocol.next(answer({})).value).toMatchObject({ kind: "acquire-as-seen" });
    expect(protocol.next(answer({ state: held })).value).toMatchObject({ kind: "put-as-seen" });
    const refused = protocol.next(answer({ applied: false, record: skipped }));
    expect(refused.value).toEqual({ kind: "release", job: JOB, owner: "owner-1" });
    expect(protocol.next(answer({})).value).toEqual({ kind: "duplicate", runId: RUN, status: "SKIPPED" });
  });

  test("by this invocation itself, its reply lost, is a claim", () => {
    const protocol = begin(first);
    protocol.next();
    protocol.next(answer({ applied: false, state: free }));
    protocol.next(answer({}));
    protocol.next(answer({ state: held }));
    const mine = { job: JOB, runId: RUN, status: "RUNNING", fence: 8 } as never;
    expect(protocol.next(answer({ applied: false, record: mine }))).toMatchObject({
      done: true,
      value: { kind: "held" },
    });
  });

  test("by a delivery that needs no lock, by another policy, is answered from the lease on its record", () => {
    const claimed = { ...LEASE, owner: "owner-2", deliveryId: "delivery-2" };
    const protocol = begin({ ...first, maxAttempts: 1 });
    protocol.next();
    protocol.next(answer({ applied: false, state: free }));
    protocol.next(answer({}));
    protocol.next(answer({ state: held }));
    const record = { job: JOB, runId: RUN, status: "RUNNING", fence: 7, attempt: 1, lease: claimed } as never;
    expect(protocol.next(answer({ applied: false, record })).value).toMatchObject({ kind: "release" });
    expect(protocol.next(answer({})).value).toEqual({ kind: "duplicate", runId: RUN, status: "RUNNING" });
  });

  test("by another attempt with the same status is none, nor is the end of one with the same token", () => {
    for (const found of [
      { status: "RUNNING", fence: 7 },
      { status: "LOST", fence: 8 },
    ]) {
      const protocol = begin(first);
      protocol.next();
      protocol.next(answer({ applied: false, state: free }));
      protocol.next(answer({}));
      protocol.next(answer({ state: held }));
      const record = { job: JOB, runId: RUN, attempt: 1, ...found } as never;
      expect(protocol.next(answer({ applied: false, record })).value).toMatchObject({ kind: "release" });
      const why = "another delivery of this run was at work at the same time";
      expect(protocol.next(answer({})).value).toEqual(comeAgain(why));
    }
  });

  test("a skip that is refused looks again, five times in all, and then comes again", () => {
    const protocol = begin(next(T0));
    protocol.next();
    let step = protocol.next(answer({ applied: false, state: { ...held, highWater: RUN } }));
    const kinds: unknown[] = [];
    while (!step.done) {
      kinds.push(step.value.kind);
      step = protocol.next(answer({ applied: false, state: { ...held, highWater: RUN } }));
    }
    expect(kinds).toEqual(Array(5).fill("raise-high-water"));
    expect(step.value).toEqual(comeAgain("the job's state changed 5 times while it was looked at"));
  });

  test("a skip whose record is refused is answered by the record that stands", () => {
    const refusedBy = (record: unknown) => {
      const protocol = begin(next(T0));
      protocol.next();
      protocol.next(answer({ applied: false, state: { ...held, highWater: RUN } }));
      protocol.next(answer({}));
      return protocol.next(answer({ applied: false, record: record as never })).value;
    };
    const mine = { status: "SKIPPED", requestId: "request-2" };
    expect(refusedBy(mine)).toEqual({ kind: "skipped", reason: "overlap", runId: NEXT, heldBy: RUN });
    expect(refusedBy({ ...mine, requestId: "other" })).toMatchObject({ kind: "duplicate", status: "SKIPPED" });
    expect(refusedBy({ ...mine, status: "SUCCEEDED" })).toMatchObject({ kind: "duplicate", status: "SUCCEEDED" });
    const why = "its last attempt has just started";
    expect(refusedBy({ status: "RUNNING", attempt: 2, fence: 9 })).toEqual(comeAgain(why));
  });
});

function* releaseOf(owner: string) {
  yield { kind: "release", job: JOB, owner } as const;
}
