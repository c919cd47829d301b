import { describe, expect, test } from "vitest";
import { begin, type Command, type Delivery, finish, type Hold } from "../../lib/run/index.ts";
import { again, FIRST_FENCE, first, JOB, Model, NEXT, NEXT_MS, next, RUN, T0 } from "./model.ts";

const SECOND = 1_000;
const HOUR = 3600 * SECOND;
const THIRD = "2026-03-02T04:00:00.000Z#default";
/** The run at T0 is at work for hours; the next ones find it. */
const running: Delivery = { ...first, overlap: "queue", leaseExpiresAtMs: T0 + 10 * HOUR };
const second = (overrides: Partial<Delivery> = {}) => next(NEXT_MS, { overlap: "queue", ...overrides });
const third = (overrides: Partial<Delivery> = {}) => {
  const identity = { runId: THIRD, scheduledTimeMs: NEXT_MS + HOUR, owner: "owner-5", deliveryId: "delivery-5" };
  return { ...second(identity), receivedMs: NEXT_MS + HOUR, requestId: "request-5", ...overrides };
};
/** The start of a run whose turn it is. */
const startOf = (delivery: Delivery): Delivery => ({
  ...delivery,
  cause: "queued",
  owner: `${delivery.owner}-start`,
  deliveryId: `${delivery.deliveryId}-start`,
});
const succeed = (model: Model, hold: Hold) =>
  model.perform(finish(hold, { status: "SUCCEEDED", endedMs: NEXT_MS + HOUR }));
const runIds = (model: Model) => model.state()?.queue?.map(({ runId }) => runId);

/** The run at T0 holds the lock, and the given ones wait. */
function busy(...waiting: readonly Delivery[]) {
  const model = new Model();
  const hold = model.hold(running);
  for (const delivery of waiting) model.begin(delivery);
  model.takeSent();
  return { model, hold };
}

describe("an occurrence that finds another one at work", () => {
  test("waits, and everything that its run is told is kept", () => {
    const { model } = busy();
    const input = { bytes: 7, hash: "abc" };
    expect(model.begin(second({ input, inputJson: '{"a":1}' }))).toEqual({ kind: "queued", runId: NEXT, position: 1 });
    expect(model.takeSent()).toEqual(["acquire-newest", "join-queue"]);
    expect(model.state()?.queue).toEqual([
      {
        runId: NEXT,
        trigger: { kind: "schedule" },
        deliveryId: "delivery-2",
        requestId: "request-2",
        queuedMs: NEXT_MS,
        heldBy: RUN,
        input: '{"a":1}',
      },
    ]);
    expect(model.record(NEXT)).toBeUndefined();
  });

  test("stands behind those who wait, and once, however often it is delivered", () => {
    const { model } = busy(second());
    expect(model.begin(third())).toMatchObject({ kind: "queued", position: 2 });
    model.takeSent();
    expect(model.begin(again(second(), NEXT_MS + HOUR))).toEqual({ kind: "queued", runId: NEXT, position: 1 });
    expect(model.takeSent()).toEqual(["acquire-newest"]);
    expect(runIds(model)).toEqual([NEXT, THIRD]);
  });

  test("comes again where its input is too long to be kept", () => {
    const { model } = busy();
    expect(model.begin(second({ input: { bytes: 5_000, hash: "abc" } }))).toEqual({
      kind: "come-again",
      why: "its input has 5000 bytes, and at most 4096 are kept in the queue",
    });
    expect(runIds(model)).toBeUndefined();
  });

  test("is skipped where as many wait as may, and those go on waiting", () => {
    const { model } = busy(second({ queueLength: 1 }));
    const skipped = { kind: "skipped", reason: "overlap", runId: THIRD, heldBy: RUN, queueFull: true };
    expect(model.begin(third({ queueLength: 1 }))).toEqual(skipped);
    expect(model.record(THIRD)).toMatchObject({ status: "SKIPPED", reason: "overlap", heldBy: RUN, queueFull: true });
    expect(model.begin(again(second({ queueLength: 1 }), NEXT_MS + HOUR))).toMatchObject({
      kind: "queued",
      position: 1,
    });
  });

  test("is skipped for a full queue without a holder where that has died", () => {
    const { model } = busy(second({ queueLength: 1 }));
    const afterItsLease = T0 + 11 * HOUR;
    const late = third({ queueLength: 1, receivedMs: afterItsLease });
    expect(model.begin(late)).toMatchObject({ kind: "skipped", reason: "overlap", queueFull: true });
    expect(model.record(THIRD)?.heldBy).toBeUndefined();
  });

  test("waits behind nobody at work where the holder has died and others wait", () => {
    const { model } = busy(second());
    expect(model.begin(third({ receivedMs: T0 + 11 * HOUR }))).toMatchObject({ kind: "queued", position: 2 });
    expect(model.state()?.queue?.map(({ heldBy }) => heldBy)).toEqual([RUN, undefined]);
  });

  test("waits also where it has had an attempt", () => {
    const model = new Model();
    const failed = model.hold(running);
    model.perform(finish(failed, { status: "FAILED", endedMs: T0 + SECOND }));
    model.hold(second({ leaseExpiresAtMs: NEXT_MS + 10 * HOUR }));
    expect(model.begin(again(running, NEXT_MS + SECOND))).toMatchObject({ kind: "queued", runId: RUN, position: 1 });
    expect(model.state()?.queue).toMatchObject([{ runId: RUN, heldBy: NEXT }]);
    expect(model.record(RUN)?.status).toBe("FAILED");
  });

  test("takes the lock where that has become free since the look", () => {
    const { model, hold } = busy();
    const protocol = begin(second());
    const join = protocol.next(model.send(protocol.next().value as Command)).value as Command;
    expect(join).toMatchObject({ kind: "join-queue", entry: { heldBy: RUN } });
    succeed(model, hold);
    expect(protocol.next(model.send(join)).value).toMatchObject({ kind: "acquire-as-seen", highWater: NEXT });
  });
});

describe("a run whose turn it is", () => {
  test("is named by whoever ends, and takes the lock and its entry away in one write", () => {
    const { model, hold } = busy(second(), third());
    expect(succeed(model, hold)).toMatchObject({ recorded: true, next: { runId: NEXT } });
    model.takeSent();
    expect(model.begin(startOf(second()))).toMatchObject({
      kind: "held",
      hold: { attempt: 1, fencingToken: FIRST_FENCE + 1 },
    });
    expect(runIds(model)).toEqual([THIRD]);
    expect(model.state()?.lease?.runId).toBe(NEXT);
  });

  test("is not late: it was in time when it joined", () => {
    const { model, hold } = busy(second({ lateAfterMs: NEXT_MS }));
    succeed(model, hold);
    const late = { ...startOf(second({ lateAfterMs: NEXT_MS })), receivedMs: NEXT_MS + 2 * HOUR };
    expect(model.begin(late)).toMatchObject({ kind: "held" });
  });

  test("was delivered when its first event came, whoever starts it and however often", () => {
    const { model, hold } = busy(second({ deliveredMs: NEXT_MS }));
    succeed(model, hold);
    const started = model.hold(startOf(second({ deliveredMs: NEXT_MS + HOUR })));
    expect(model.state()?.lease).toMatchObject({ runId: NEXT, deliveredMs: NEXT_MS });
    model.perform(finish(started, { status: "FAILED", endedMs: NEXT_MS + HOUR }));
    model.hold({ ...again(second(), NEXT_MS + 2 * HOUR), deliveredMs: NEXT_MS + 2 * HOUR });
    expect(model.record(NEXT)).toMatchObject({ status: "RUNNING", attempt: 2, deliveredMs: NEXT_MS });
  });

  test("is overtaken by nobody: a newcomer stands behind it, and has it started", () => {
    const { model, hold } = busy(second());
    succeed(model, hold);
    const answer = { kind: "queued", runId: THIRD, position: 2, next: { runId: NEXT } };
    expect(model.begin(third())).toMatchObject(answer);
    expect(model.begin(startOf(third()))).toMatchObject(answer);
    expect(model.state()?.lease).toBeUndefined();
  });

  test("is skipped and leaves where the job is paused by then", () => {
    const { model, hold } = busy(second());
    succeed(model, hold);
    model.pause({ by: "alice", reason: "moving", at: "2026-03-02T03:30:00.000Z" });
    expect(model.begin(startOf(second()))).toMatchObject({ kind: "skipped", reason: "paused" });
    expect(model.record(NEXT)).toMatchObject({ status: "SKIPPED", reason: "paused" });
    expect(runIds(model)).toBeUndefined();
  });

  test("keeps its turn where the job's policy is another one by now", () => {
    const { model, hold } = busy(second(), third());
    expect(model.begin(again(second({ overlap: "skip" }), NEXT_MS + HOUR))).toMatchObject({ kind: "queued" });
    succeed(model, hold);
    expect(model.begin(startOf(second({ overlap: "allow" })))).toMatchObject({ kind: "held" });
    expect(runIds(model)).toEqual([THIRD]);
  });
});

describe("a run that waits and has ended", () => {
  /** Its record appeared while it waited, as when it came to wait twice. */
  function endedWhileWaiting(overlap: "queue" | "allow") {
    const { model, hold } = busy(second());
    const { trigger, requestId } = first;
    const ended = { runId: NEXT, status: "SUCCEEDED", startedMs: NEXT_MS, endedMs: NEXT_MS } as const;
    const attempt = { fence: FIRST_FENCE + 1, attempt: 1, attempts: [], trigger, requestId, expiresAtMs: NEXT_MS };
    model.send({ kind: "put-record", record: { job: JOB, ...ended, ...attempt } });
    model.send({ kind: "raise-high-water", job: JOB, seen: model.state() ?? {}, whilePaused: false, highWater: NEXT });
    succeed(model, hold);
    model.takeSent();
    return { model, start: startOf(second({ overlap })) };
  }

  test.each(["queue", "allow"] as const)("leaves the queue, and is not started (%s)", (overlap) => {
    const { model, start } = endedWhileWaiting(overlap);
    expect(model.begin(start)).toEqual({ kind: "duplicate", runId: NEXT, status: "SUCCEEDED" });
    expect(model.takeSent()).toEqual(["read-state", "read-record", "leave-queue"]);
    expect(runIds(model)).toBeUndefined();
  });

  test("is looked at again where its place has changed since the look", () => {
    const { model, start } = endedWhileWaiting("queue");
    const protocol = begin(start);
    let step = protocol.next();
    while (!step.done && step.value.kind !== "leave-queue") step = protocol.next(model.send(step.value));
    const refused = { nowMs: NEXT_MS, applied: false, state: model.state() };
    expect(protocol.next(refused).value).toMatchObject({ kind: "read-record" });
  });

  test("leaves by the state alone where it was the last to end", () => {
    const { model, hold } = busy(second());
    succeed(model, hold);
    const last = { runId: NEXT, status: "SUCCEEDED", endedMs: NEXT_MS } as const;
    const protocol = begin(startOf(second()));
    protocol.next();
    const leave = protocol.next({
      nowMs: NEXT_MS,
      applied: true,
      state: { ...model.state(), consecutiveFailures: 0, last },
    });
    expect(leave.value).toEqual({ kind: "leave-queue", job: JOB, leaves: { runId: NEXT, at: 0 } });
    expect(protocol.next({ nowMs: NEXT_MS, applied: true }).value).toMatchObject({ kind: "duplicate" });
  });
});
