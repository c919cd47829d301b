import { describe, expect, test } from "vitest";
import { finish } from "../../lib/run/index.ts";
import { note, type Operator, pause, resume, unlock } from "../../lib/run/operate.ts";
import type { JobState } from "../../lib/run/state.ts";
import { FIRST_FENCE, first, JOB, Model, RUN, T0 } from "./model.ts";

const SECOND = 1_000;
const alice: Operator & { readonly reason: string } = {
  by: "alice",
  reason: "moving",
  id: "id-1",
  retentionMs: 60_000,
};
const paused = { by: "alice", reason: "moving", atMs: T0 };
const entry = { job: JOB, id: "id-1", atMs: T0, by: "alice", reason: "moving", expiresAtMs: T0 + 60 * SECOND };
const refused = { nowMs: T0, applied: false } as const;

/** The command that follows on a look at the state. */
function after<T>(protocol: Generator<unknown, T, never>, model: Model): IteratorResult<unknown, T> {
  protocol.next();
  return protocol.next(model.send({ kind: "read-state", job: JOB }) as never);
}

describe("a pause", () => {
  test("is written with the entry that tells of it", () => {
    const model = new Model();
    expect(after(pause(JOB, alice), model).value).toEqual({
      kind: "pause",
      job: JOB,
      paused,
      entry: { ...entry, action: "pause" },
    });
    expect(model.perform(pause(JOB, alice))).toEqual({ kind: "paused", paused });
    expect(model.state()?.paused).toEqual(paused);
  });

  test("may run out, which the entry tells", () => {
    const model = new Model();
    const until = { ...paused, untilMs: T0 + SECOND };
    expect(after(pause(JOB, alice, T0 + SECOND), model).value).toMatchObject({
      paused: until,
      entry: { untilMs: T0 + SECOND },
    });
  });

  test("finds one that lasts, and takes the place of one that has run out", () => {
    const model = new Model();
    model.perform(pause(JOB, alice, T0 + SECOND));
    const first = { ...paused, untilMs: T0 + SECOND };
    expect(model.perform(pause(JOB, alice))).toEqual({ kind: "already-paused", paused: first });
    model.nowMs = T0 + SECOND;
    expect(after(pause(JOB, alice), model).value).toMatchObject({ kind: "pause", seen: first });
    expect(model.perform(pause(JOB, alice))).toMatchObject({ kind: "paused", paused: { atMs: T0 + SECOND } });
  });

  test("that somebody else came before is a conflict, with what stands", () => {
    const protocol = pause(JOB, alice);
    protocol.next();
    protocol.next({ ...refused, applied: true });
    const state = { consecutiveFailures: 0, paused: { ...paused, by: "bob" } };
    expect(protocol.next({ ...refused, state }).value).toEqual({ kind: "conflict", state });
    const gone = pause(JOB, alice);
    gone.next();
    gone.next({ ...refused, applied: true });
    expect(gone.next(refused).value).toEqual({ kind: "conflict", state: { consecutiveFailures: 0 } });
  });
});

describe("resuming", () => {
  test("ends the pause, and tells which", () => {
    const model = new Model();
    model.perform(pause(JOB, alice));
    model.nowMs = T0 + SECOND;
    expect(after(resume(JOB, { ...alice, reason: undefined }), model).value).toEqual({
      kind: "resume",
      job: JOB,
      seen: paused,
      entry: {
        ...entry,
        action: "resume",
        reason: undefined,
        atMs: T0 + SECOND,
        expiresAtMs: T0 + 61 * SECOND,
        detail: "paused by alice since 2026-03-02T02:00:00Z: moving",
      },
    });
    expect(model.perform(resume(JOB, alice))).toEqual({ kind: "resumed", paused, atMs: T0 + SECOND });
    expect(model.state()?.paused).toBeUndefined();
    expect(model.perform(resume(JOB, alice))).toEqual({ kind: "not-paused" });
  });

  test("ends only the pause that was seen", () => {
    const model = new Model();
    model.perform(pause(JOB, alice));
    expect(model.perform(resume(JOB, alice, T0 - 1))).toMatchObject({ kind: "conflict", state: { paused } });
    expect(model.perform(resume(JOB, alice, T0))).toMatchObject({ kind: "resumed" });
  });

  test("that somebody else came before is a conflict", () => {
    const model = new Model();
    model.perform(pause(JOB, alice));
    const protocol = resume(JOB, alice);
    after(protocol as never, model);
    expect(protocol.next({ ...refused, state: { consecutiveFailures: 2 } }).value).toEqual({
      kind: "conflict",
      state: { consecutiveFailures: 2 },
    });
  });
});

describe("taking the lock away", () => {
  const error = { name: "RunUnlocked", message: "alice took its lock: moving" };

  test("records the attempt as lost first, and tells whose lock it was", () => {
    const model = new Model();
    const { lease } = { lease: model.hold(first) && model.state()?.lease };
    model.takeSent();
    model.nowMs = T0 + SECOND;
    expect(model.perform(unlock(JOB, alice, "owner-1"))).toEqual({ kind: "unlocked", lease });
    expect(model.takeSent()).toEqual(["read-state", "read-record", "put-as-seen", "unlock"]);
    expect(model.record(RUN)).toMatchObject({ status: "LOST", error, endedMs: T0 + SECOND });
    expect(model.state()).toEqual({
      fence: FIRST_FENCE + 1,
      highWater: RUN,
      last: { runId: RUN, status: "LOST", endedMs: T0 + SECOND },
      consecutiveFailures: 1,
    });
  });

  test("has an entry that names the run, its attempt and its token", () => {
    const model = new Model();
    model.hold(first);
    const protocol = unlock(JOB, alice, "owner-1");
    after(protocol as never, model);
    protocol.next({ ...refused, applied: true });
    expect(protocol.next({ ...refused, applied: true }).value).toMatchObject({
      kind: "unlock",
      owner: "owner-1",
      entry: {
        ...entry,
        action: "unlock",
        detail: `the lock of run ${RUN}, attempt 1, fencing token ${FIRST_FENCE}`,
      },
    });
  });

  test.each([
    [
      "is a conflict where the run succeeds before its attempt is lost",
      "put-as-seen",
      "conflict",
      "unlock",
      "SUCCEEDED",
    ],
    ["is done, and told, where its holder gives it back after that", "unlock", "unlocked", "note", "LOST"],
  ])("%s", (_what, before, answer, last, status) => {
    const model = new Model();
    const hold = model.hold(first);
    const unlocking = unlock(JOB, alice, "owner-1");
    let step = unlocking.next();
    model.takeSent();
    while (!step.done) {
      if (step.value.kind === before) model.perform(finish(hold, { status: "SUCCEEDED", endedMs: T0 }));
      step = unlocking.next(model.send(step.value));
    }
    expect(step.value.kind).toBe(answer);
    expect(model.takeSent().at(-1)).toBe(last);
    expect(model.record(RUN)?.status).toBe(status);
    expect(model.state()?.lease).toBeUndefined();
  });

  test("frees the shared locks of its holder before, in reverse, and names them", () => {
    const model = new Model();
    model.hold({ ...first, locks: ["a", "b"] });
    model.takeSent();
    model.nowMs = T0 + SECOND;
    const unlocking = unlock(JOB, alice, "owner-1");
    let step = unlocking.next();
    const freed: string[] = [];
    while (!step.done && step.value.kind !== "unlock") {
      if (step.value.kind === "release-lock") freed.push(`${step.value.lock} of ${step.value.owner}`);
      step = unlocking.next(model.send(step.value));
    }
    expect(freed).toEqual(["b of owner-1", "a of owner-1"]);
    expect([model.lock("a")?.lease, model.lock("b")?.lease, model.state()?.lease?.owner]).toEqual([
      undefined,
      undefined,
      "owner-1",
    ]);
    const detail = `the lock of run ${RUN}, attempt 1, fencing token ${FIRST_FENCE}, and the shared a, b`;
    expect(step.value).toMatchObject({ kind: "unlock", entry: { detail } });
  });

  test("leaves a shared lock that has passed to another job since", () => {
    const model = new Model();
    model.hold({ ...first, locks: ["a"] });
    model.send({ kind: "release-lock", lock: "a", owner: "owner-1" });
    model.hold({ ...first, job: "payouts", owner: "owner-2", deliveryId: "delivery-2", locks: ["a"] });
    expect(model.perform(unlock(JOB, alice, "owner-1"))).toMatchObject({ kind: "unlocked" });
    expect(model.lock("a")?.lease?.owner).toBe("owner-2");
  });

  test("is a conflict where the same operator has done so at another moment", () => {
    const model = new Model();
    model.hold(first);
    const unlocking = unlock(JOB, alice, "owner-1");
    unlocking.next();
    const seen = model.send({ kind: "read-state", job: JOB });
    model.nowMs = T0 + SECOND;
    expect(model.perform(unlock(JOB, { ...alice, id: "id-2" }, "owner-1"))).toMatchObject({ kind: "unlocked" });
    let step = unlocking.next(seen);
    while (!step.done) step = unlocking.next(model.send(step.value));
    expect(step.value).toMatchObject({ kind: "conflict", state: { fence: FIRST_FENCE + 1 } });
  });

  test("finds nothing to take, or another holder than the one decided about", () => {
    const model = new Model();
    expect(model.perform(unlock(JOB, alice, "owner-1"))).toEqual({ kind: "not-locked" });
    model.hold(first);
    expect(model.perform(unlock(JOB, alice, "owner-2"))).toMatchObject({
      kind: "conflict",
      state: { fence: FIRST_FENCE },
    });
    expect(model.record(RUN)).toBeUndefined();
  });

  test("finds nothing to take in a lease without a fencing token, which no release has written", () => {
    const model = new Model();
    model.hold(first);
    const { fence, ...state } = model.state() as JobState;
    const protocol = unlock(JOB, alice, "owner-1");
    protocol.next();
    expect(protocol.next({ ...refused, state })).toEqual({ done: true, value: { kind: "not-locked" } });
  });
});

test("an action that changes nothing is told", () => {
  expect(note(JOB, "backfill", alice, T0, "two runs").next().value).toEqual({
    kind: "note",
    job: JOB,
    entry: { ...entry, action: "backfill", detail: "two runs" },
  });
});
