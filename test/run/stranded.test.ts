import { expect, test } from "vitest";
import { begin, type Delivery, finish } from "../../lib/run/index.ts";
import { again, first, Model, NEXT, NEXT_MS, next, RUN, T0, waiting } from "./model.ts";

// Whoever does not run names the run that waits first, where nobody at work would start it.
const SECOND = 1_000;
const THIRD = "2026-03-02T04:00:00.000Z#default";
const long = { leaseExpiresAtMs: T0 + 10_000 * SECOND };
const second = next(NEXT_MS, { ...long, overlap: "queue" });
const twin: Delivery = { ...first, owner: "owner-9", deliveryId: "delivery-9", receivedMs: NEXT_MS + SECOND };

/** The run at T0 has succeeded, and the second one waits: whoever was to start it has died. */
function stranded() {
  const model = new Model();
  const hold = model.hold({ ...first, ...long, overlap: "queue" });
  model.begin(second);
  model.perform(finish(hold, { status: "SUCCEEDED", endedMs: NEXT_MS }));
  return model;
}

test("a duplicate does, also where the last thing that it read was its record", () => {
  const model = stranded();
  const duplicate = { kind: "duplicate", runId: RUN, status: "SUCCEEDED" };
  expect(model.begin(twin)).toMatchObject({ ...duplicate, next: { runId: NEXT } });
  model.perform(finish(model.hold({ ...second, cause: "queued" }), { status: "SUCCEEDED", endedMs: NEXT_MS }));
  const third = { ...second, runId: THIRD, deliveryId: "delivery-3" };
  const hold = model.hold({ ...third, owner: "owner-3", runId: "2026-03-02T03:30:00.000Z#default", cause: "queued" });
  model.begin(third);
  model.perform(finish(hold, { status: "SUCCEEDED", endedMs: NEXT_MS }));
  model.takeSent();
  expect(model.begin(twin)).toMatchObject({ ...duplicate, next: { runId: THIRD } });
  expect(model.takeSent()).toEqual(["acquire-newest", "read-record"]);
});

test("who comes again names another one, and never itself", () => {
  const model = stranded();
  model.pause({ by: "alice", reason: "moving", at: "2026-03-02T03:00:00.000Z" });
  const failed = { ...second, runId: THIRD, scheduledTimeMs: NEXT_MS + 3_600 * SECOND, deliveryId: "delivery-3" };
  const record = { job: first.job, runId: THIRD, status: "FAILED", fence: 1, attempt: 1, startedMs: T0 } as const;
  const { trigger, requestId } = first;
  model.send({
    kind: "put-record",
    record: { ...record, attempts: [], trigger, requestId, endedMs: T0, expiresAtMs: NEXT_MS },
  });
  const why = "the job is paused and this run has attempts left";
  model.send({
    kind: "raise-high-water",
    job: first.job,
    seen: model.state() ?? {},
    whilePaused: true,
    highWater: THIRD,
  });
  expect(model.begin(failed)).toMatchObject({ kind: "come-again", why, next: { runId: NEXT } });

  const own = { ...record, runId: NEXT, attempts: [], trigger, requestId, endedMs: T0, expiresAtMs: NEXT_MS };
  model.send({ kind: "put-record", record: own });
  expect(model.begin(again(second, NEXT_MS + SECOND))).toEqual({ kind: "come-again", why });
});

test("who runs without a lock names nobody before it has ended", () => {
  const model = stranded();
  const beside: Delivery = { ...second, runId: THIRD, scheduledTimeMs: NEXT_MS + 3_600 * SECOND, overlap: "allow" };
  expect(model.begin(beside)).toEqual({ kind: "held", hold: expect.anything() });
});

test("who gets the lock where it changed hands in between is answered by the state that stands", () => {
  const model = new Model();
  model.perform(finish(model.hold(first), { status: "FAILED", endedMs: T0 + SECOND }));
  model.nowMs = T0 + SECOND;
  const protocol = begin(again(first, T0 + SECOND));
  let step = protocol.next();
  while (!step.done && step.value.kind !== "acquire-as-seen") step = protocol.next(model.send(step.value));
  if (step.done) throw new Error("it takes the lock");
  model.hold(next(T0 + SECOND));
  step = protocol.next(model.send(step.value));
  while (!step.done) step = protocol.next(model.send(step.value));
  const why = "another run holds the lock and this run has attempts left";
  expect(step.value).toEqual({ kind: "come-again", why });
});

test("who finds its own turn taken from under every look does not name itself: it comes again", () => {
  const state = { fence: 7, consecutiveFailures: 0, highWater: RUN, queue: [waiting(NEXT)] };
  const protocol = begin({ ...second, cause: "queued" });
  let step = protocol.next();
  while (!step.done) step = protocol.next({ nowMs: NEXT_MS, applied: false, state });
  const why = "the job's state changed 5 times while it was looked at";
  expect(step.value).toEqual({ kind: "come-again", why });
});
