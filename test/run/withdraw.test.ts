import { describe, expect, test } from "vitest";
import { type Command, finish, type Protocol, type RunRecord, withdraw } from "../../lib/run/index.ts";
import { FIRST_FENCE, first, JOB, Model, NEXT, NEXT_MS, next, RUN, T0, waiting } from "./model.ts";

const SECOND = 1_000;
const withdrawn = { kind: "withdrawn", runId: NEXT };
const ada = { by: "ada", reason: "not needed", id: "id-1", retentionMs: 60 * SECOND };
const queueing = (overrides = {}) => next(T0 + 10 * SECOND, { overlap: "queue", queueLength: 10, ...overrides });

/** The first run is at work, and the next one waits for it. */
function withOneWaiting(): Model {
  const model = new Model();
  model.hold(first);
  expect(model.begin(queueing())).toMatchObject({ kind: "queued", runId: NEXT });
  model.takeSent();
  return model;
}

/** The command that follows once the mark is raised. */
function afterMark<T>(protocol: Protocol<T>, model: Model) {
  protocol.next();
  const raise = protocol.next(model.send({ kind: "read-state", job: JOB })).value as Command;
  expect(raise).toMatchObject({ kind: "raise-high-water", whilePaused: false });
  return protocol.next(model.send(raise));
}

describe("a run that waits", () => {
  test("is taken out, and its record says who and why", () => {
    const model = withOneWaiting();

    expect(model.perform(withdraw(JOB, NEXT, ada))).toEqual({ kind: "withdrawn", runId: NEXT });
    expect(model.takeSent()).toEqual(["read-state", "raise-high-water", "put-skipped", "leave-queue"]);
    expect(model.state()?.queue).toBeUndefined();
    expect(model.record(NEXT)).toMatchObject({
      status: "SKIPPED",
      reason: "cancelled",
      schedule: "default",
      endedMs: T0 + 10 * SECOND,
      error: { name: "RunCancelled", message: "ada took it out of the queue: not needed" },
    });
  });

  test("is not started by a start that was under way", () => {
    const model = withOneWaiting();
    model.perform(withdraw(JOB, NEXT, ada));

    const start = queueing({ cause: "queued", owner: "owner-9", deliveryId: "delivery-9" });
    expect(model.begin(start)).toMatchObject({ kind: "duplicate", runId: NEXT, status: "SKIPPED" });
  });

  test("that takes the lock after the look is not withdrawn: a start of the newest run asks for no record", () => {
    const model = new Model();
    const hold = model.hold(first);
    model.begin(queueing());
    const protocol = withdraw(JOB, NEXT, ada);
    protocol.next();
    const raise = protocol.next(model.send({ kind: "read-state", job: JOB })).value as Command;
    model.perform(finish(hold, { status: "SUCCEEDED", endedMs: T0 + SECOND }));
    model.hold(queueing({ cause: "queued", owner: "owner-9", deliveryId: "delivery-9" }));
    expect(protocol.next(model.send(raise)).value).toEqual({ kind: "not-waiting" });
    expect(model.record(NEXT)).toBeUndefined();
  });

  test("under the mark is withdrawn without raising it: a newer one was started or skipped", () => {
    const model = withOneWaiting();
    const later = "2026-03-02T04:00:00.000Z#default";
    model.send({
      kind: "raise-high-water",
      job: JOB,
      seen: model.state() ?? {},
      whilePaused: false,
      highWater: later,
    });
    model.takeSent();
    expect(model.perform(withdraw(JOB, NEXT, ada))).toEqual(withdrawn);
    expect(model.takeSent()).toEqual(["read-state", "put-skipped", "leave-queue"]);
    expect(model.state()?.highWater).toBe(later);
  });

  test("counts as started where the state changes under every look, after five of them", () => {
    const model = withOneWaiting();
    const protocol = withdraw(JOB, NEXT, ada);
    protocol.next();
    let step = protocol.next(model.send({ kind: "read-state", job: JOB }));
    for (let round = 1; round <= 5; round++) {
      expect(step.value).toMatchObject({ kind: "raise-high-water", highWater: NEXT });
      step = protocol.next({ nowMs: T0, applied: false, state: model.state() });
    }
    expect(step).toEqual({ done: true, value: { kind: "has-started" } });
  });

  test("in a job that has started nothing yet raises the first mark", () => {
    const protocol = withdraw(JOB, NEXT, ada);
    protocol.next();
    const state = { consecutiveFailures: 0, queue: [waiting(NEXT)] };
    expect(protocol.next({ nowMs: T0, applied: true, state }).value).toMatchObject({ kind: "raise-high-water" });
    expect(protocol.next({ nowMs: T0, applied: false }).value).toEqual({ kind: "not-waiting" });
  });

  test("is found in its new place when one before it has left since the look", () => {
    const model = withOneWaiting();
    const later = { runId: "2026-03-02T04:00:00.000Z#default", scheduledTimeMs: NEXT_MS + 3600 * SECOND };
    model.begin(queueing({ ...later, owner: "owner-4", deliveryId: "delivery-4" }));
    const protocol = withdraw(JOB, later.runId, ada);
    afterMark(protocol, model);
    const leave = protocol.next({ nowMs: T0, applied: true });
    const entry = { action: "cancel", by: "ada", reason: "not needed" };
    expect(leave.value).toMatchObject({ kind: "leave-queue", leaves: { at: 1 }, entry });
    model.send({ kind: "leave-queue", job: JOB, leaves: { runId: NEXT, at: 0 } });
    const refused = protocol.next(model.send(leave.value as Command));
    expect(refused.value).toMatchObject({ kind: "leave-queue", leaves: { runId: later.runId, at: 0 } });
    expect(protocol.next(model.send(refused.value as Command)).value).toMatchObject({ kind: "withdrawn" });
    expect(model.state()?.queue).toBeUndefined();
  });

  test("that has left by itself since is told of all the same", () => {
    const model = withOneWaiting();
    const protocol = withdraw(JOB, NEXT, ada);
    afterMark(protocol, model);
    protocol.next({ nowMs: T0, applied: true });
    const told = protocol.next({ nowMs: T0, applied: false, state: { consecutiveFailures: 0 } });
    expect(told.value).toMatchObject({
      kind: "note",
      entry: { action: "cancel", by: "ada", reason: "not needed", detail: `run ${NEXT}, which waited` },
    });
    expect(protocol.next({ nowMs: T0, applied: true })).toEqual({ done: true, value: withdrawn });
  });

  test("is taken out also when the reply was lost and the repetition finds the record that it has written", () => {
    const model = withOneWaiting();
    model.nowMs = T0 + 20 * SECOND;
    const protocol = withdraw(JOB, NEXT, ada);
    const put = afterMark(protocol, model).value as Command;
    model.send(put);
    const leave = protocol.next(model.send(put)).value as Command;
    expect(leave).toMatchObject({ kind: "leave-queue", leaves: { runId: NEXT, at: 0 } });
    expect(protocol.next(model.send(leave)).value).toEqual(withdrawn);
  });

  test("is withdrawn once where two ask at once: the second is told by whom, and leaves no entry", () => {
    const model = withOneWaiting();
    const mine = withdraw(JOB, NEXT, ada);
    const put = afterMark(mine, model).value as Command;
    const bobs = withdraw(JOB, NEXT, { ...ada, by: "bob", id: "id-2" });
    bobs.next();
    const bobsPut = bobs.next(model.send({ kind: "read-state", job: JOB })).value as Command;
    mine.next(model.send(put));
    const leave = bobs.next(model.send(bobsPut)).value as Command;
    expect(leave).toEqual({ kind: "leave-queue", job: JOB, leaves: { runId: NEXT, at: 0 }, entry: undefined });
    const said = "ada took it out of the queue: not needed";
    expect(bobs.next(model.send(leave))).toEqual({
      done: true,
      value: { kind: "withdrawn-before", runId: NEXT, said },
    });
  });

  test("has been withdrawn before by the same operator, for the same reason, at another time", () => {
    const model = withOneWaiting();
    const protocol = withdraw(JOB, NEXT, ada);
    const put = afterMark(protocol, model).value as Extract<Command, { kind: "put-skipped" }>;
    const earlier: RunRecord = { ...put.record, endedMs: T0 };
    const leave = protocol.next({ nowMs: T0, applied: false, record: earlier }).value;
    expect(leave).toMatchObject({ kind: "leave-queue", entry: undefined });
    // It has left by itself since: nothing was done that is to be told of.
    const gone = protocol.next({ nowMs: T0, applied: false, state: { consecutiveFailures: 0 } });
    const said = "ada took it out of the queue: not needed";
    expect(gone).toEqual({ done: true, value: { kind: "withdrawn-before", runId: NEXT, said } });
  });

  test("was withdrawn by somebody who has left no word", () => {
    const model = withOneWaiting();
    const protocol = withdraw(JOB, NEXT, ada);
    const put = afterMark(protocol, model).value as Extract<Command, { kind: "put-skipped" }>;
    protocol.next({ nowMs: T0, applied: false, record: { ...put.record, error: undefined } });
    const answer = { kind: "withdrawn-before", runId: NEXT, said: undefined };
    expect(protocol.next({ nowMs: T0, applied: true }).value).toEqual(answer);
  });

  test("is left in a queue that changes under every look, after five of them: started, it finds its record", () => {
    const model = withOneWaiting();
    const protocol = withdraw(JOB, NEXT, ada);
    afterMark(protocol, model);
    let step = protocol.next({ nowMs: T0, applied: true });
    for (let round = 1; round <= 5; round++) {
      expect(step.value).toMatchObject({ kind: "leave-queue" });
      step = protocol.next({ nowMs: T0, applied: false, state: model.state() });
    }
    expect(step.value).toMatchObject({ kind: "note" });
  });

  test("has a record that is kept as long as the operator's entry, and no schedule where its id names none", () => {
    const recordOf = (runId: string) => {
      const protocol = withdraw(JOB, runId, ada);
      protocol.next();
      const work = { workTimeMs: NEXT_MS, workSchedule: "hourly" };
      const state = { consecutiveFailures: 0, highWater: NEXT, queue: [{ ...waiting(runId), ...work }] };
      return (protocol.next({ nowMs: T0, applied: true, state }).value as { record: RunRecord }).record;
    };
    expect(recordOf("manual#request")).toEqual({
      job: JOB,
      runId: "manual#request",
      workTimeMs: NEXT_MS,
      workSchedule: "hourly",
      status: "SKIPPED",
      reason: "cancelled",
      fence: 0,
      attempt: 0,
      attempts: [],
      endedMs: T0,
      trigger: { kind: "schedule" },
      error: { name: "RunCancelled", message: "ada took it out of the queue: not needed" },
      requestId: "request-4",
      expiresAtMs: T0 + 60 * SECOND,
    });
    expect(recordOf("unknown")).not.toHaveProperty("schedule");
  });
});

describe("nothing is done to", () => {
  test("a run that does not wait", () => {
    const model = withOneWaiting();
    expect(model.perform(withdraw(JOB, RUN, ada))).toEqual({ kind: "not-waiting" });
    expect(model.takeSent()).toEqual(["read-state"]);
  });

  test("a job where nobody waits", () => {
    const model = new Model();
    model.hold(first);
    expect(model.perform(withdraw(JOB, RUN, ada))).toEqual({ kind: "not-waiting" });
    expect(new Model().perform(withdraw(JOB, RUN, ada))).toEqual({ kind: "not-waiting" });
  });

  test("one that has the lock, and waits a second time", () => {
    const model = withOneWaiting();
    const { lease } = model.state() ?? {};
    const protocol = withdraw(JOB, RUN, ada);
    protocol.next();
    const state = { consecutiveFailures: 0, fence: FIRST_FENCE, highWater: RUN, lease, queue: [waiting(RUN)] };
    expect(protocol.next({ nowMs: T0, applied: true, state })).toEqual({ done: true, value: { kind: "has-started" } });
  });

  test("one whose record has been written and has gone since the look", () => {
    const model = withOneWaiting();
    const protocol = withdraw(JOB, NEXT, ada);
    afterMark(protocol, model);
    expect(protocol.next({ nowMs: T0, applied: false }).value).toEqual({ kind: "has-started" });
  });

  test("one that has claimed its record since the look", () => {
    const model = withOneWaiting();
    const protocol = withdraw(JOB, NEXT, ada);
    afterMark(protocol, model);
    const started = { runId: NEXT, status: "RUNNING", fence: FIRST_FENCE + 1, attempt: 1, startedMs: T0 } as const;
    const { trigger, requestId } = first;
    const record = { job: JOB, ...started, attempts: [], trigger, requestId, expiresAtMs: T0 + 60 * SECOND };
    model.send({ kind: "put-record", record });
    expect(protocol.next({ nowMs: T0, applied: false, record: model.record(NEXT) }).value).toEqual({
      kind: "has-started",
    });
  });
});
