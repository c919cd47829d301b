import { describe, expect, test } from "vitest";
import { hasDead, type JobState, type RunRecord, settleDead } from "../../../lib/run/index.ts";
import { FIRST_FENCE, first, JOB, Model, RUN, T0 } from "../model.ts";

const SECOND = 1_000;
/** A lease ends a minute after T0, and is dead five seconds of tolerance later. */
const ALIVE = T0 + 65 * SECOND;
const DEAD = ALIVE + 1;
const free: JobState = { consecutiveFailures: 0 };
const LOST = {
  name: "RunLost",
  message: "Attempt 1 ended without a result in time: its process died, was stopped, or outlived its lease.",
};

/** A job whose run holds its lock, and has no record yet. */
function locked() {
  const model = new Model();
  model.hold(first);
  model.takeSent();
  return { model, state: model.state() as JobState };
}

/** A job whose run took no lock: its record says until when it is at work. */
function beside() {
  const model = new Model();
  model.hold({ ...first, overlap: "allow" });
  model.takeSent();
  return { model, claimed: model.record(RUN) as RunRecord };
}

describe("somebody is dead", () => {
  test("once the lease of the lock is over", () => {
    const { state } = locked();
    expect(hasDead(state, [], ALIVE)).toBe(false);
    expect(hasDead(state, [], DEAD)).toBe(true);
  });

  test("once the lease of one run without a lock is over", () => {
    const { claimed } = beside();
    const { lease, ...unclaimed } = claimed;
    expect(hasDead(free, [claimed], ALIVE)).toBe(false);
    expect(hasDead(free, [unclaimed, claimed], DEAD)).toBe(true);
  });

  test("not where nobody is at work, or the run has said how it ended", () => {
    const { claimed } = beside();
    const { lease, ...unclaimed } = claimed;
    expect(hasDead(free, [], DEAD)).toBe(false);
    expect(hasDead(free, [unclaimed], DEAD)).toBe(false);
    expect(hasDead(free, [{ ...claimed, status: "TIMED_OUT" }], DEAD)).toBe(false);
  });
});

describe("settling", () => {
  test("records the dead holder as lost, and frees its lock", () => {
    const { model, state } = locked();
    model.nowMs = DEAD;
    model.perform(settleDead(JOB, state, [], DEAD));
    expect(model.takeSent()).toEqual(["read-record", "put-as-seen", "remove-dead-lease"]);
    expect(model.record(RUN)).toMatchObject({ status: "LOST", fence: FIRST_FENCE, error: LOST });
    expect(model.state()).toEqual({
      fence: FIRST_FENCE,
      highWater: RUN,
      last: { runId: RUN, status: "LOST", endedMs: T0 + 60 * SECOND },
      consecutiveFailures: 1,
    });
  });

  test("records a dead run without a lock as lost, and nothing else", () => {
    const { model, claimed } = beside();
    model.perform(settleDead(JOB, free, [claimed], DEAD));
    expect(model.takeSent()).toEqual(["put-as-seen"]);
    expect(model.record(RUN)).toMatchObject({ status: "LOST", endedMs: T0 + 60 * SECOND, error: LOST });
  });

  test("leaves a run alone that has recorded its end since the look", () => {
    const { model, claimed } = beside();
    const { lease, ...ended } = { ...claimed, status: "SUCCEEDED", endedMs: T0 + SECOND } as const;
    model.send({ kind: "put-record", record: ended });
    model.takeSent();
    model.perform(settleDead(JOB, free, [claimed], DEAD));
    expect(model.takeSent()).toEqual(["put-as-seen"]);
    expect(model.record(RUN)?.status).toBe("SUCCEEDED");
  });

  test("does nothing to who is alive", () => {
    const { model, state } = locked();
    const { claimed } = beside();
    model.perform(settleDead(JOB, state, [claimed], ALIVE));
    model.perform(settleDead(JOB, free, [], DEAD));
    expect(model.takeSent()).toEqual([]);
  });

  test("does nothing about a lease without a fencing token, which no release has written", () => {
    const { model, state } = locked();
    model.perform(settleDead(JOB, { ...state, fence: undefined }, [], DEAD));
    expect(model.takeSent()).toEqual([]);
  });
});
