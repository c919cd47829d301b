import { describe, expect, test } from "vitest";
import { type Command, withdraw } from "../../lib/run/index.ts";
import { FIRST_FENCE, first, JOB, Model, NEXT, NEXT_MS, next, RUN, T0 } from "./model.ts";

const SECOND = 1_000;
const ada = { by: "ada", reason: "not needed", id: "id-1", retentionMs: 60 * SECOND };
const waiting = (overrides = {}) => next(T0 + 10 * SECOND, { overlap: "queue", queueLength: 10, ...overrides });

/** The first run is at work, and the next one waits for it. */
function withOneWaiting(): Model {
  const model = new Model();
  model.hold(first);
  expect(model.begin(waiting())).toMatchObject({ kind: "queued", runId: NEXT });
  model.takeSent();
  return model;
}

describe("a run that waits", () => {
  test("is taken out, and its record says who and why", () => {
    const model = withOneWaiting();

    expect(model.perform(withdraw(JOB, NEXT, ada))).toEqual({ kind: "withdrawn", runId: NEXT });
    expect(model.takeSent()).toEqual(["read-state", "put-skipped", "leave-queue"]);
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

    const start = waiting({ cause: "queued", owner: "owner-9", deliveryId: "delivery-9" });
    expect(model.begin(start)).toMatchObject({ kind: "duplicate", runId: NEXT, status: "SKIPPED" });
  });

  test("is found in its new place when one before it has left since the look", () => {
    const model = withOneWaiting();
    const later = { runId: "2026-03-02T04:00:00.000Z#default", scheduledTimeMs: NEXT_MS + 3600 * SECOND };
    model.begin(waiting({ ...later, owner: "owner-4", deliveryId: "delivery-4" }));
    const protocol = withdraw(JOB, later.runId, ada);
    protocol.next();
    protocol.next(model.send({ kind: "read-state", job: JOB }));
    const leave = protocol.next({ nowMs: T0, applied: true });
    expect(leave.value).toMatchObject({ kind: "leave-queue", leaves: { at: 1 } });
    model.send({ kind: "leave-queue", job: JOB, leaves: { runId: NEXT, at: 0 } });
    const refused = protocol.next(model.send(leave.value as Command));
    expect(refused.value).toMatchObject({ kind: "leave-queue", leaves: { runId: later.runId, at: 0 } });
    expect(protocol.next(model.send(refused.value as Command)).value).toMatchObject({ kind: "withdrawn" });
    expect(model.state()?.queue).toBeUndefined();
  });

  test("that has left by itself since is told of all the same", () => {
    const model = withOneWaiting();
    const protocol = withdraw(JOB, NEXT, ada);
    protocol.next();
    protocol.next(model.send({ kind: "read-state", job: JOB }));
    protocol.next({ nowMs: T0, applied: true });
    const told = protocol.next({ nowMs: T0, applied: false, state: { consecutiveFailures: 0 } });
    expect(told.value).toMatchObject({
      kind: "note",
      entry: { action: "cancel", by: "ada", reason: "not needed", detail: `run ${NEXT}, which waited` },
    });
  });
});

describe("nothing is done to", () => {
  test("a run that does not wait", () => {
    const model = withOneWaiting();
    expect(model.perform(withdraw(JOB, RUN, ada))).toEqual({ kind: "not-waiting" });
    expect(model.takeSent()).toEqual(["read-state"]);
  });

  test("one that has claimed its record since the look", () => {
    const model = withOneWaiting();
    const protocol = withdraw(JOB, NEXT, ada);
    protocol.next();
    protocol.next(model.send({ kind: "read-state", job: JOB }));
    const started = { runId: NEXT, status: "RUNNING", fence: FIRST_FENCE + 1, attempt: 1, startedMs: T0 } as const;
    const { trigger, requestId } = first;
    const record = { job: JOB, ...started, attempts: [], trigger, requestId, expiresAtMs: T0 + 60 * SECOND };
    model.send({ kind: "put-record", record });
    expect(protocol.next({ nowMs: T0, applied: false, record: model.record(NEXT) }).value).toEqual({
      kind: "has-started",
    });
  });
});
