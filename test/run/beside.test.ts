import { describe, expect, test } from "vitest";
import { begin, type Delivery, finish, type Hold, type Outcome, type Reply } from "../../lib/run/index.ts";
import { again, FIRST_FENCE, first, JOB, Model, manual, NEXT, next, RUN, T0, waiting } from "./model.ts";

// The overlap policy `allow`: no lock, and one run of each occurrence at a time.
const SECOND = 1_000;
const beside: Delivery = { ...first, overlap: "allow" };
const nextBeside = (atMs: number) => next(atMs, { overlap: "allow" });
const error = { name: "Error", message: "503" };
const succeeded: Outcome = { status: "SUCCEEDED", endedMs: T0 + SECOND };
const comeAgain = (why: string) => ({ kind: "come-again", why });

describe("a new occurrence", () => {
  test("takes a number, and claims its record with the lease on it", () => {
    const model = new Model();
    expect(model.begin(beside)).toEqual({
      kind: "held",
      hold: {
        delivery: beside,
        fencingToken: FIRST_FENCE,
        attempt: 1,
        startedMs: T0,
        attempts: [],
        steps: [],
        tally: { consecutiveFailures: 0 },
      },
    });
    expect(model.takeSent()).toEqual(["take-number", "put-as-seen"]);
    expect(model.state()).toEqual({ fence: FIRST_FENCE, highWater: RUN, consecutiveFailures: 0 });
    expect(model.record(RUN)).toMatchObject({
      status: "RUNNING",
      fence: FIRST_FENCE,
      lease: { owner: "owner-1", attempt: 1, startedMs: T0, expiresAtMs: T0 + 60 * SECOND },
    });
  });

  test("runs beside another", () => {
    const model = new Model();
    model.hold(beside);
    expect(model.hold(nextBeside(T0 + SECOND)).fencingToken).toBe(FIRST_FENCE + 1);
  });

  test("that is late, or whose job is paused, is skipped", () => {
    const model = new Model();
    const late = { ...beside, receivedMs: T0 + 1, lateAfterMs: T0 };
    expect(model.begin(late)).toEqual({ kind: "skipped", reason: "late", runId: RUN });
    expect(model.takeSent()).toEqual(["read-state", "read-record", "raise-high-water", "put-skipped"]);
    model.pause({ by: "alice", reason: "maintenance", at: "2026-03-01T00:00:00.000Z" });
    expect(model.begin(nextBeside(T0))).toEqual({ kind: "skipped", reason: "paused", runId: NEXT });
  });

  test("whose claim's reply was lost is claimed", () => {
    const model = new Model();
    const protocol = begin(beside);
    protocol.next();
    const claim = protocol.next(model.send({ kind: "take-number", job: JOB, nowMs: T0, evenIfPaused: false }));
    if (claim.done) throw new Error("it claims");
    model.send(claim.value);
    expect(protocol.next(model.send(claim.value))).toMatchObject({ done: true, value: { kind: "held" } });
  });
});

test("what a policy of before left in the queue, however full, keeps nothing from running", () => {
  const model = new Model();
  const hold = model.hold({ ...first, overlap: "queue" });
  model.begin(next(T0 + SECOND, { overlap: "queue", queueLength: 1 }));
  model.perform(finish(hold, succeeded));
  expect(model.state()?.queue).toMatchObject([{ runId: NEXT }]);
  const backfilled: Delivery = { ...manual, overlap: "allow", queueLength: 1, cause: "backfill" };
  expect(model.begin(backfilled).kind).toBe("held");
});

test("an operator's run starts on a paused job, and moves no mark", () => {
  const model = new Model();
  model.pause({ by: "alice", reason: "maintenance", at: "2026-03-01T00:00:00.000Z" });
  expect(model.begin({ ...manual, overlap: "allow" }).kind).toBe("held");
  expect(model.takeSent()).toEqual(["read-state", "read-record", "take-number", "put-as-seen"]);
  expect(model.state()?.highWater).toBeUndefined();
});

describe("another delivery", () => {
  test("of a run at work is a duplicate; the same delivery comes again", () => {
    const model = new Model();
    model.hold(beside);
    const twin = { ...beside, owner: "owner-2", deliveryId: "delivery-2" };
    expect(model.begin(twin)).toEqual({ kind: "duplicate", runId: RUN, status: "RUNNING" });
    const why = "an earlier try of this delivery still holds the lock";
    expect(model.begin(again(beside, T0))).toEqual(comeAgain(why));
  });

  test("takes over from a process that died, and records it as lost", () => {
    const model = new Model();
    model.hold(beside);
    model.takeSent();
    const hold = model.hold(again(beside, T0 + 66 * SECOND));
    expect(model.takeSent()).toEqual(["take-number", "read-record", "put-as-seen", "take-number", "put-as-seen"]);
    expect(hold).toMatchObject({ attempt: 2, fencingToken: FIRST_FENCE + 1, previousError: { name: "RunLost" } });
    expect(hold.attempts).toMatchObject([{ status: "LOST", endedMs: T0 + 60 * SECOND }]);
  });

  test("starts the next attempt with what the one before left", () => {
    const model = new Model();
    const hold = model.hold(beside);
    const steps = [{ name: "charge" }];
    model.perform(finish({ ...hold, steps }, { status: "FAILED", endedMs: T0 + SECOND, error }));
    const second = model.hold(again(beside, T0 + 60 * SECOND));
    expect(second).toMatchObject({ attempt: 2, previousError: error, steps, attempts: [{ status: "FAILED" }] });
    expect(second.tally).toMatchObject({ last: { status: "FAILED" }, consecutiveFailures: 1 });
  });

  test("of a run without attempts left fails again with its error", () => {
    const model = new Model();
    const once = { ...beside, maxAttempts: 1 };
    model.perform(finish(model.hold(once), { status: "FAILED", endedMs: T0 + SECOND, error }));
    expect(model.begin(again(once, T0 + 60 * SECOND))).toEqual({ kind: "exhausted", error });
  });

  test("does not start beside a handler that was timed out and may go on", () => {
    const model = new Model();
    model.perform(finish(model.hold(beside), { status: "TIMED_OUT", endedMs: T0 + 59 * SECOND, error }));
    const why = "an earlier try of this delivery still holds the lock";
    expect(model.begin(again(beside, T0 + 60 * SECOND))).toEqual(comeAgain(why));
    expect(model.hold(again(beside, T0 + 66 * SECOND))).toMatchObject({ attempt: 2, previousError: error });
  });

  test("of a run that holds the lock, by a policy of before, is a duplicate", () => {
    const model = new Model();
    model.hold(first);
    const twin = { ...beside, owner: "owner-2", deliveryId: "delivery-2" };
    expect(model.begin(twin)).toMatchObject({ kind: "duplicate", status: "RUNNING" });
    // Another's lock is no reason to wait.
    expect(model.begin(nextBeside(T0)).kind).toBe("held");
  });

  test("takes away the lock that a run left when it died under a policy of before, and records it as lost", () => {
    const model = new Model();
    model.hold(first);
    model.takeSent();
    const hold = model.hold(again(beside, T0 + 66 * SECOND));
    const removed = ["take-number", "read-record", "put-as-seen", "remove-dead-lease"];
    expect(model.takeSent()).toEqual([...removed, "read-record", "take-number", "put-as-seen"]);
    expect(hold).toMatchObject({ attempt: 2, attempts: [{ attempt: 1, status: "LOST" }] });
    expect(model.state()).toMatchObject({ lease: undefined, last: { runId: RUN, status: "LOST" } });
  });

  test("leaves a living run its lock, whose policy is that of before", () => {
    const model = new Model();
    model.hold({ ...first, leaseExpiresAtMs: T0 + 7_200 * SECOND });
    const failed = { ...nextBeside(T0), maxAttempts: 2 };
    model.perform(finish(model.hold(failed), { status: "FAILED", endedMs: T0 + SECOND, error }));
    model.takeSent();
    expect(model.hold(again(failed, T0 + 2 * SECOND))).toMatchObject({ attempt: 2 });
    expect(model.takeSent()).toEqual(["take-number", "read-record", "take-number", "put-as-seen"]);
    expect(model.state()?.lease).toMatchObject({ owner: "owner-1" });
  });

  test("of a run that ended and waits for its turn leaves the queue, by the state alone", () => {
    const last = { runId: RUN, status: "SUCCEEDED", endedMs: T0 } as const;
    const state = { consecutiveFailures: 0, last, queue: [waiting(RUN)] };
    const protocol = begin({ ...beside, cause: "queued" });
    protocol.next();
    const leave = protocol.next({ nowMs: T0, applied: true, state });
    expect(leave.value).toEqual({ kind: "leave-queue", job: JOB, leaves: { runId: RUN, at: 0 } });
    expect(protocol.next({ nowMs: T0, applied: true }).value).toMatchObject({ kind: "duplicate" });
  });

  test("moves the mark where it is the newest, also after a look", () => {
    const over = { by: "alice", reason: "moving", atMs: T0 - 60 * SECOND, untilMs: T0 - SECOND };
    const protocol = begin(beside);
    protocol.next();
    protocol.next({ nowMs: T0, applied: false, state: { fence: 7, consecutiveFailures: 0, paused: over } });
    const number = protocol.next({ nowMs: T0, applied: true });
    expect(number.value).toMatchObject({ kind: "take-number", highWater: RUN, pauseOver: over });
  });
});

describe("of two that saw the same record", () => {
  const free = { fence: 7, highWater: NEXT, consecutiveFailures: 0 };
  const answer = (rest: Partial<Reply>): Reply => ({ nowMs: T0, applied: true, ...rest });
  const claimRefusedBy = (record: unknown) => {
    const protocol = begin(beside);
    protocol.next();
    protocol.next(answer({ applied: false, state: free }));
    expect(protocol.next(answer({})).value).toMatchObject({ kind: "take-number", highWater: undefined });
    expect(protocol.next(answer({ state: { ...free, fence: 8 } })).value).toMatchObject({ kind: "put-as-seen" });
    return protocol.next(answer({ applied: false, record: record as never })).value;
  };
  const taken = { status: "RUNNING", fence: 9, attempt: 1, lease: { owner: "other", expiresAtMs: T0 + SECOND } };

  test("the second is answered by the lease of the first", () => {
    const record = { ...taken, lease: { ...taken.lease, deliveryId: "other", redelivered: true } };
    expect(claimRefusedBy(record)).toEqual({ kind: "duplicate", runId: RUN, status: "RUNNING" });
  });

  test("or by its record", () => {
    expect(claimRefusedBy({ ...taken, lease: undefined, status: "SUCCEEDED" })).toMatchObject({ kind: "duplicate" });
    const why = "another delivery of this run was at work at the same time";
    expect(claimRefusedBy({ ...taken, lease: undefined, status: "FAILED" })).toEqual(comeAgain(why));
    expect(claimRefusedBy(undefined)).toEqual(comeAgain(why));
  });

  test("one that finds the dead attempt taken over answers from who took it", () => {
    const dead = { job: JOB, runId: RUN, status: "RUNNING", fence: 7, attempt: 1, attempts: [], requestId: "r" };
    const lease = { owner: "dead", deliveryId: "d", redelivered: true, expiresAtMs: T0 - 6 * SECOND };
    const protocol = begin(beside);
    protocol.next();
    protocol.next(answer({ applied: false, state: free }));
    const settle = protocol.next(answer({ record: { ...dead, lease } as never }));
    expect(settle.value).toMatchObject({ kind: "put-as-seen", record: { status: "LOST", fence: 7 } });
    const successor = { ...dead, fence: 8, lease: { ...lease, owner: "other", expiresAtMs: T0 + SECOND } };
    const refused = protocol.next(answer({ applied: false, record: successor as never }));
    expect(refused.value).toEqual({ kind: "duplicate", runId: RUN, status: "RUNNING" });
  });

  test("a number that is refused is asked for again, five times in all", () => {
    const protocol = begin(beside);
    protocol.next();
    let step = protocol.next(answer({ applied: false, state: free }));
    const kinds: unknown[] = [];
    while (!step.done) {
      kinds.push(step.value.kind);
      step = protocol.next(step.value.kind === "take-number" ? answer({ applied: false, state: free }) : answer({}));
    }
    expect(kinds.filter((kind) => kind === "take-number")).toHaveLength(5);
    expect(step.value).toEqual(comeAgain("the job's state changed 5 times while it was looked at"));
  });
});

describe("the end", () => {
  const hold = (): [Model, Hold] => {
    const model = new Model();
    const held = model.hold(beside);
    model.takeSent();
    return [model, held];
  };

  test("is recorded, and then left on the state", () => {
    const [model, held] = hold();
    model.perform(finish(held, succeeded));
    expect(model.takeSent()).toEqual(["put-record", "note-end"]);
    expect(model.state()?.last).toEqual({ runId: RUN, status: "SUCCEEDED", endedMs: T0 + SECOND });
    expect(model.record(RUN)?.lease).toBeUndefined();
  });

  test("counts what others left there meanwhile", () => {
    const [model, held] = hold();
    model.perform(finish(model.hold(nextBeside(T0)), { status: "FAILED", endedMs: T0 + SECOND, error }));
    model.takeSent();
    model.perform(finish(held, { status: "FAILED", endedMs: T0 + 2 * SECOND, error }));
    expect(model.takeSent()).toEqual(["put-record", "note-end", "note-end"]);
    expect(model.state()).toMatchObject({ last: { runId: RUN }, consecutiveFailures: 2 });
  });

  test("that was left there before, its reply lost, is left once", () => {
    const [model, held] = hold();
    model.perform(finish(held, { status: "FAILED", endedMs: T0 + SECOND, error }));
    model.takeSent();
    model.perform(finish(held, { status: "FAILED", endedMs: T0 + SECOND, error }));
    expect(model.takeSent()).toEqual(["put-record", "note-end"]);
    expect(model.state()?.consecutiveFailures).toBe(1);
  });

  test("is left twenty times at most where others always come first, and not where the record is gone", () => {
    const [, held] = hold();
    const refused = (n: number): Reply => ({
      nowMs: T0,
      applied: false,
      state: { consecutiveFailures: 0, last: { runId: NEXT, status: "FAILED", endedMs: n } },
    });
    const ending = finish(held, succeeded);
    ending.next();
    let step = ending.next({ nowMs: T0, applied: true });
    let notes = 0;
    for (; !step.done; notes++) step = ending.next(refused(notes));
    expect(notes).toBe(20);
    const gone = finish(held, succeeded);
    gone.next();
    expect(gone.next({ nowMs: T0, applied: false })).toEqual({ done: true, value: { recorded: false } });
  });

  test("of another run at the same instant is not taken for one's own, nor an earlier end of the same run", () => {
    for (const last of [
      { runId: NEXT, status: "FAILED", endedMs: T0 + SECOND },
      { runId: RUN, status: "FAILED", endedMs: T0 },
      undefined,
    ] as const) {
      const [, held] = hold();
      const ending = finish(held, succeeded);
      ending.next();
      ending.next({ nowMs: T0, applied: true });
      const refused = { nowMs: T0, applied: false, state: { consecutiveFailures: 0, last } };
      expect(ending.next(refused).value).toMatchObject({ kind: "note-end" });
    }
    const [, held] = hold();
    const ending = finish(held, succeeded);
    ending.next();
    ending.next({ nowMs: T0, applied: true });
    expect(ending.next({ nowMs: T0, applied: false }).done).toBe(true);
  });
});
