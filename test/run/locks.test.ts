import { describe, expect, test } from "vitest";
import {
  type Begun,
  begin,
  type Command,
  type Delivery,
  finish,
  type Hold,
  type Protocol,
  unlock,
} from "../../lib/run/index.ts";
import { takeShared } from "../../lib/run/locks.ts";
import { again, FIRST_FENCE, first, Model, NEXT, NEXT_MS, RUN, T0 } from "./model.ts";

const SECOND = 1_000;
/** Two jobs that name the lock "billing-db". */
const invoicing: Delivery = { ...first, job: "invoicing", locks: ["billing-db"] };
const payouts: Delivery = {
  ...invoicing,
  job: "payouts",
  owner: "owner-2",
  deliveryId: "delivery-2",
  requestId: "request-2",
};
const sharedLock = { name: "billing-db", job: "invoicing" };
const beating = { ...invoicing, heartbeatMs: 10 * SECOND, leaseExpiresAtMs: T0 + 600 * SECOND };
const queueing: Delivery = { ...payouts, overlap: "queue" };
const ended = (hold: Hold) => finish(hold, { status: "SUCCEEDED", endedMs: T0 + SECOND });

const holding = (delivery: Delivery) => ({ delivery, fencingToken: FIRST_FENCE - 1 });

/** Sends the protocol's commands up to the first of that kind, which is not sent. */
function upTo<T>(kind: string, protocol: Protocol<T>, model: Model): Protocol<T> {
  let step = protocol.next();
  while (!step.done && step.value.kind !== kind) step = protocol.next(model.send(step.value));
  return protocol;
}

test("a run that lost its job's lock while it took the shared ones takes none from the next run of the job", () => {
  const model = new Model();
  const late = upTo("take-lock", begin(invoicing), model);
  const by = { by: "ada", reason: "it hangs", id: "id-1", retentionMs: 60 * SECOND };
  model.perform(unlock("invoicing", by, "owner-1"));
  model.hold({ ...invoicing, runId: NEXT, scheduledTimeMs: NEXT_MS, owner: "owner-9", deliveryId: "delivery-9" });
  const { owner, job, runId, leaseExpiresAtMs: expiresAtMs } = invoicing;
  const lease = { owner, job, runId, expiresAtMs, priority: 0 };
  const refused = model.send({ kind: "take-lock", lock: "billing-db", startedMs: T0, lease });
  const release = late.next(refused).value;
  expect(release).toEqual({ kind: "release", job, owner, tally: undefined });
  expect(late.next(model.send(release as Command)).value).toMatchObject({ kind: "come-again" });
  expect(model.lock("billing-db")?.lease).toMatchObject({ owner: "owner-9" });
});

describe("a shared lock", () => {
  test("is taken after the job's own, lasts as long, and is given back before it", () => {
    const model = new Model();
    const hold = model.hold({ ...invoicing, holdMs: 40 * SECOND });
    expect(model.takeSent()).toEqual(["acquire-newest", "take-lock"]);
    const lease = { owner: "owner-1", job: "invoicing", runId: RUN, jobFence: FIRST_FENCE, priority: 0 };
    expect(model.lock("billing-db")?.lease).toEqual({
      ...lease,
      expiresAtMs: T0 + 100 * SECOND,
      holdMs: 40 * SECOND,
    });
    model.perform(ended(hold));
    expect(model.takeSent()).toEqual(["put-record", "release-lock", "release"]);
    expect(model.lock("billing-db")?.lease).toBeUndefined();
  });

  test("is known as one's own when the reply was lost and the repetition was refused", () => {
    const model = new Model();
    const protocol = upTo("take-lock", begin(invoicing), model);
    const take = { kind: "take-lock", lock: "billing-db", startedMs: T0 } as const;
    model.perform(takeShared(holding(invoicing), T0));
    const { owner, job, runId, leaseExpiresAtMs: expiresAtMs } = invoicing;
    const refused = model.send({ ...take, lease: { owner, job, runId, expiresAtMs, priority: 0 } });
    expect(refused.applied).toBe(false);
    expect(protocol.next(refused).value).toMatchObject({ kind: "held" });
  });

  test("that another job holds skips the run; the record names lock, job and run, and the job's lock is free", () => {
    const model = new Model();
    model.hold(invoicing);
    model.takeSent();
    expect(model.begin(payouts)).toEqual({ kind: "skipped", reason: "overlap", runId: RUN, heldBy: RUN, sharedLock });
    expect(model.takeSent()).toEqual(["acquire-newest", "take-lock", "put-skipped", "release"]);
    const skipped = { status: "SKIPPED", reason: "overlap", heldBy: RUN, sharedLock, fence: FIRST_FENCE };
    expect(model.record(RUN, "payouts")).toMatchObject(skipped);
    expect(model.state("payouts")?.lease).toBeUndefined();
  });

  test("that another job holds makes a run with attempts left come again", () => {
    const model = new Model();
    const hold = model.hold(payouts);
    model.perform(finish(hold, { status: "FAILED", endedMs: T0 + SECOND }));
    model.hold(again(invoicing, T0 + 2 * SECOND));
    expect(model.begin(again(payouts, T0 + 3 * SECOND))).toEqual({
      kind: "come-again",
      why: "job invoicing holds the lock billing-db and this run has attempts left",
    });
    expect(model.record(RUN, "payouts")).toMatchObject({ status: "FAILED", attempt: 1 });
    expect(model.state("payouts")?.lease).toBeUndefined();
  });

  test("of a dead run of another job is taken once its lease and the tolerance are over", () => {
    const model = new Model();
    model.hold(invoicing);
    const late = (atMs: number) => ({ ...again(payouts, atMs), owner: `owner-${atMs}` });
    expect(model.begin({ ...late(T0 + 65 * SECOND), runId: "manual#one", scheduledTimeMs: undefined })).toMatchObject({
      kind: "skipped",
      sharedLock,
    });
    expect(model.begin(late(T0 + 65 * SECOND + 1))).toMatchObject({ kind: "held" });
  });

  test("of a dead run of the same job is taken at once: the job's own lock says that it is dead", () => {
    const model = new Model();
    model.perform(takeShared(holding({ ...invoicing, owner: "owner-0", runId: "manual#dead" }), T0));
    expect(model.begin(invoicing)).toMatchObject({ kind: "held" });
    expect(model.lock("billing-db")?.lease).toMatchObject({ owner: "owner-1", runId: RUN });
  });

  test("that a later run of the same job holds is left to it: the job's lock has been taken from this one", () => {
    const model = new Model();
    const protocol = upTo("take-lock", begin(invoicing), model);
    const expiresAtMs = T0 + 60 * SECOND;
    const lease = { owner: "owner-9", job: "invoicing", runId: "manual#later", expiresAtMs, priority: 0 };
    const lock = { fence: 2, lease: { ...lease, jobFence: FIRST_FENCE + 1 } };
    expect(protocol.next({ nowMs: T0, applied: false, lock }).value).toMatchObject({ kind: "release" });
    const why = "the lock billing-db changed under every look, or a later run of the job holds it";
    expect(protocol.next({ nowMs: T0, applied: true }).value).toEqual({ kind: "come-again", why });
  });

  test("that changes under every look is left alone after five of them", () => {
    const model = new Model();
    const protocol = upTo("take-lock", begin(invoicing), model);
    for (const fence of [1, 2, 3, 4]) {
      const next = protocol.next({ nowMs: T0 + fence, applied: false, lock: { fence } });
      expect(next.value).toMatchObject({ kind: "take-lock", lock: "billing-db", startedMs: T0, seen: { fence } });
    }
    expect(protocol.next({ nowMs: T0, applied: false, lock: { fence: 5 } }).value).toMatchObject({ kind: "release" });
    expect(protocol.next({ nowMs: T0, applied: true })).toEqual({
      done: true,
      value: {
        kind: "come-again",
        why: "the lock billing-db changed under every look, or a later run of the job holds it",
      },
    });
  });

  test("is tried again as seen where it has gone since", () => {
    const protocol = takeShared(holding(invoicing), T0);
    expect(protocol.next().value).not.toHaveProperty("seen.fence");
    expect(protocol.next({ nowMs: T0, applied: false }).value).toMatchObject({ kind: "take-lock", seen: {} });
  });

  test("goes back when another delivery's skip, under way since before, refuses the claim", () => {
    const model = new Model();
    const run = { ...invoicing, runId: "manual#one", schedule: undefined, scheduledTimeMs: undefined };
    const protocol = upTo("put-as-seen", begin(run), model);
    const refusing = { nowMs: T0, applied: false };
    expect(protocol.next(refusing).value).toEqual({ kind: "release-lock", lock: "billing-db", owner: "owner-1" });
    expect(protocol.next({ nowMs: T0, applied: true }).value).toMatchObject({ kind: "release", job: "invoicing" });
  });
});

describe("several shared locks", () => {
  const both = { ...invoicing, locks: ["a", "b", "c"] };
  const released = (protocol: Protocol<unknown>, model: Model) => {
    const locks: string[] = [];
    for (let step = protocol.next(); !step.done; step = protocol.next(model.send(step.value))) {
      if (step.value.kind === "release-lock") locks.push(step.value.lock);
    }
    return locks;
  };

  test("are given back in reverse", () => {
    const model = new Model();
    expect(released(ended(model.hold(both)), model)).toEqual(["c", "b", "a"]);
  });

  test("are given back when one of them is held: those that were taken", () => {
    const model = new Model();
    model.hold({ ...payouts, locks: ["c"] });
    expect(released(begin(both), model)).toEqual(["b", "a"]);
    expect(model.lock("a")?.lease).toBeUndefined();
    expect(model.lock("c")?.lease).toMatchObject({ job: "payouts" });
  });
});

describe("a higher priority", () => {
  const urgent = { ...payouts, priority: 5 };
  const wait = { kind: "wait", holder: { owner: "owner-1", runId: RUN, heartbeatMs: 10 * SECOND } };

  test("asks the holder to stop, once, and waits with nothing in its hands", () => {
    const model = new Model();
    model.hold(beating);
    model.takeSent();
    expect(model.begin(urgent)).toEqual(wait);
    expect(model.takeSent()).toEqual(["acquire-newest", "take-lock", "ask-lock-holder", "release"]);
    expect(model.lock("billing-db")?.stop).toEqual({
      owner: "owner-1",
      kind: "priority",
      by: `payouts ${RUN}`,
      reason: "it needs the lock billing-db",
      atMs: T0,
    });
    expect(model.begin({ ...urgent, owner: "owner-3" })).toEqual(wait);
    expect(model.takeSent()).not.toContain("ask-lock-holder");
  });

  test.each<[string, Partial<Delivery>, Partial<Delivery>]>([
    ["has the same one", { priority: 5 }, {}],
    ["has a higher one", { priority: 6 }, {}],
    ["cannot hear", { heartbeatMs: undefined }, {}],
    ["has been waited for as long as may be", {}, { hasWaited: true }],
    ["has none, where the job itself has none", {}, { priority: undefined }],
  ])("does not stop a holder that %s", (_what, holder, mine) => {
    const model = new Model();
    model.hold({ ...beating, ...holder });
    expect(model.begin({ ...urgent, ...mine })).toMatchObject({ kind: "skipped", sharedLock });
    expect(model.lock("billing-db")?.stop).toBeUndefined();
  });

  test("is above none, where a holder has one below", () => {
    const model = new Model();
    model.hold({ ...beating, priority: -1 });
    expect(model.begin(payouts)).toEqual(wait);
  });

  test("does not wait for a holder that has ended and is only held over, and says so", () => {
    const model = new Model();
    // Three heartbeats and the tolerance: its process ends 35 seconds after T0 at the latest.
    model.hold({ ...beating, holdMs: 60 * SECOND });
    expect(model.begin({ ...urgent, receivedMs: T0 + 40 * SECOND })).toEqual(wait);
    const over = { ...urgent, owner: "owner-3", receivedMs: T0 + 40 * SECOND + 1 };
    expect(model.begin(over)).toMatchObject({ kind: "skipped", heldBy: RUN, heldOver: true, sharedLock });
    expect(model.record(RUN, "payouts")).toMatchObject({ status: "SKIPPED", heldOver: true });
  });
});

describe("a skip because of a shared lock", () => {
  const refusedBy = (record: object | undefined): Begun => {
    const model = new Model();
    model.hold(invoicing);
    const protocol = upTo("put-skipped", begin(payouts), model);
    const refused = { nowMs: T0, applied: false, record: record as never };
    expect(protocol.next(refused).value).toMatchObject({ kind: "release", job: "payouts" });
    return protocol.next({ nowMs: T0, applied: true }).value as Begun;
  };
  const written = { job: "payouts", runId: RUN, status: "SKIPPED", fence: FIRST_FENCE, attempt: 0, attempts: [] };

  test("is known as one's own when the reply was lost", () => {
    expect(refusedBy({ ...written, requestId: "request-2" })).toMatchObject({ kind: "skipped", sharedLock });
  });

  test("answers what stands where another delivery was first", () => {
    expect(refusedBy({ ...written, requestId: "request-9" })).toMatchObject({ kind: "duplicate", status: "SKIPPED" });
    const succeeded = { ...written, status: "SUCCEEDED", requestId: "request-2" };
    expect(refusedBy(succeeded)).toMatchObject({ kind: "duplicate", status: "SUCCEEDED" });
    expect(refusedBy(undefined)).toMatchObject({ kind: "come-again" });
  });
});

describe("a job with a queue", () => {
  test("waits for a shared lock in it, and is not started for that lock round and round", () => {
    const model = new Model();
    const hold = model.hold(beating);
    const queued = { kind: "queued", runId: RUN, position: 1, sharedLock };
    expect(model.begin({ ...queueing, priority: 5 })).toEqual(queued);
    expect(model.state("payouts")?.lease).toBeUndefined();
    expect(model.state("payouts")?.queue).toMatchObject([{ runId: RUN, heldBy: RUN, queuedMs: T0 }]);
    const started: Delivery = { ...queueing, cause: "queued", owner: "owner-3", deliveryId: "delivery-3" };
    expect(model.begin(started)).toEqual(queued);
    expect(model.lock("billing-db")?.stop).toBeUndefined();
    model.perform(ended(hold));
    expect(model.begin({ ...started, owner: "owner-4" })).toMatchObject({ kind: "held", hold: { attempt: 1 } });
    expect(model.state("payouts")?.queue).toBeUndefined();
  });

  test("is the first in it again when it finds a shared lock held: it had its turn", () => {
    const model = new Model();
    const ran = model.hold({ ...queueing, owner: "owner-0", runId: "manual#before", scheduledTimeMs: undefined });
    model.begin(queueing);
    model.begin({ ...queueing, runId: "manual#after", scheduledTimeMs: undefined, deliveryId: "delivery-4" });
    model.perform(ended(ran));
    model.hold(beating);
    const started: Delivery = { ...queueing, cause: "queued", owner: "owner-3", deliveryId: "delivery-3" };
    expect(model.begin(started)).toMatchObject({ kind: "queued", position: 1, sharedLock });
    expect(model.state("payouts")?.queue).toMatchObject([{ runId: RUN }, { runId: "manual#after" }]);
  });

  test("lets its late own delivery wait on, too, also by another policy, and asks nobody to stop for it", () => {
    const model = new Model();
    const ran = model.hold({ ...queueing, owner: "owner-0", runId: "manual#before", scheduledTimeMs: undefined });
    model.begin(queueing);
    model.perform(ended(ran));
    model.hold(beating);
    const late: Delivery = { ...queueing, overlap: "skip", priority: 5, owner: "owner-3", deliveryId: "delivery-3" };
    expect(model.begin(late)).toMatchObject({ kind: "queued", position: 1, sharedLock });
    expect(model.state("payouts")?.queue).toMatchObject([{ runId: RUN }]);
    expect(model.lock("billing-db")?.stop).toBeUndefined();
  });

  test("lets a further attempt wait in it, too", () => {
    const model = new Model();
    model.perform(finish(model.hold(queueing), { status: "FAILED", endedMs: T0 + SECOND }));
    model.hold(again(invoicing, T0 + 2 * SECOND));
    const queued = { kind: "queued", runId: RUN, position: 1, sharedLock };
    expect(model.begin(again(queueing, T0 + 3 * SECOND))).toEqual(queued);
    expect(model.state("payouts")?.queue).toMatchObject([{ runId: RUN, heldBy: RUN }]);
    expect(model.record(RUN, "payouts")).toMatchObject({ status: "FAILED", attempt: 1 });
  });

  test("comes again where its input is too long to be kept, and names no lock", () => {
    const model = new Model();
    model.hold(beating);
    expect(model.begin({ ...queueing, input: { bytes: 5_000, hash: "abc" } })).toEqual({
      kind: "come-again",
      why: "its input has 5000 bytes, and at most 4096 are kept in the queue",
    });
  });

  /** The answer to a look at a queue that somebody changed since. */
  const joining = (states: readonly object[]) => {
    const model = new Model();
    model.hold(invoicing);
    const protocol = upTo("join-queue", begin(queueing), model);
    let step = protocol.next({ nowMs: T0, applied: false, state: states[0] as never });
    for (const state of states.slice(1)) {
      expect(step.value).toMatchObject({ kind: "join-queue", seen: states[0] });
      step = protocol.next({ nowMs: T0, applied: false, state: state as never });
    }
    expect(step.value).toMatchObject({ kind: "release", job: "payouts" });
    return protocol.next({ nowMs: T0, applied: true }).value;
  };
  const others = { consecutiveFailures: 0, queue: [{ runId: "manual#a" }] };

  test("finds itself in the queue where the reply to its joining was lost", () => {
    const mine = { consecutiveFailures: 0, queue: [{ runId: "manual#a" }, { runId: RUN }] };
    expect(joining([mine])).toEqual({ kind: "queued", runId: RUN, position: 2, sharedLock });
  });

  test("comes again where the queue changes under every look", () => {
    expect(joining([others, others, others, others, others])).toMatchObject({
      kind: "come-again",
      why: "the job's queue changed 5 times while it was looked at",
    });
  });
});
