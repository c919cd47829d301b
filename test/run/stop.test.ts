import { describe, expect, test } from "vitest";
import { begin, type JobState, requestCancel, type Stop, startEvent } from "../../lib/run/index.ts";
import { nextLookMs, replace, waitsUntilMs } from "../../lib/run/replace.ts";
import { FIRST_FENCE, first, JOB, Model, manual, NEXT, next, RUN, T0 } from "./model.ts";

const SECOND = 1_000;
const beating = { ...first, heartbeatMs: 10 * SECOND, leaseExpiresAtMs: T0 + 600 * SECOND };
const alice = { by: "alice", reason: "wrong data", id: "id-1", retentionMs: 60_000 };
const asked = { by: "alice", reason: "wrong data", atMs: T0 };

describe("a request to cancel", () => {
  test("reaches a run with a heartbeat, under its owner's name", () => {
    const model = new Model();
    model.hold(beating);
    const answer = { kind: "asked", runId: RUN, heartbeatMs: 10 * SECOND };
    expect(model.perform(requestCancel(JOB, alice))).toEqual(answer);
    expect(model.state()?.stop).toEqual({ owner: "owner-1", kind: "cancel", ...asked });
  });

  test("is for one run and no other, and leaves an entry that names it", () => {
    const model = new Model();
    model.hold(beating);
    expect(model.perform(requestCancel(JOB, alice, NEXT))).toEqual({ kind: "not-running" });
    expect(model.state()?.stop).toBeUndefined();
    const protocol = requestCancel(JOB, alice, RUN);
    protocol.next();
    expect(protocol.next({ nowMs: T0, applied: true, state: model.state() }).value).toMatchObject({
      kind: "ask-to-stop",
      entry: { action: "cancel", by: "alice", reason: "wrong data", detail: `run ${RUN}` },
    });
  });

  test("finds nobody where nobody is at work, or its lease is dead", () => {
    const model = new Model();
    expect(model.perform(requestCancel(JOB, alice))).toEqual({ kind: "not-running" });
    model.hold(beating);
    model.nowMs = T0 + 40 * SECOND + 1;
    model.takeSent();
    expect(model.perform(requestCancel(JOB, alice))).toEqual({ kind: "not-running" });
    expect(model.takeSent()).toEqual(["read-state"]);
  });

  test("says until when a run without a heartbeat lasts, and asks nothing", () => {
    const model = new Model();
    model.hold(first);
    const answer = { kind: "cannot-hear", runId: RUN, untilMs: T0 + 60 * SECOND };
    expect(model.perform(requestCancel(JOB, alice))).toEqual(answer);
    expect(model.state()?.stop).toBeUndefined();
  });

  test.each<[string, Partial<Stop>]>([
    ["somebody else", { by: "bob" }],
    ["the same one", {}],
    ["a run that waits", { kind: "replace" }],
  ])("finds that %s has asked before", (_name, other) => {
    const model = new Model();
    model.hold(beating);
    const stop: Stop = { owner: "owner-1", kind: "cancel", ...asked, ...other };
    model.send({ kind: "ask-to-stop", job: JOB, stop });
    expect(model.perform(requestCancel(JOB, alice))).toEqual({ kind: "asked-before", runId: RUN, stop });
  });

  test("is not for the run after the one that was looked at", () => {
    const model = new Model();
    model.hold(beating);
    const protocol = requestCancel(JOB, alice);
    protocol.next();
    protocol.next({ nowMs: T0, applied: true, state: model.state() });
    expect(protocol.next({ nowMs: T0, applied: false, state: { consecutiveFailures: 0 } }).value).toEqual({
      kind: "not-running",
    });
    const gone = requestCancel(JOB, alice);
    gone.next();
    gone.next({ nowMs: T0, applied: true, state: model.state() });
    expect(gone.next({ nowMs: T0, applied: false }).value).toEqual({ kind: "not-running" });
  });
});

describe("an occurrence that replaces", () => {
  const replacing = (atMs: number, more = {}) => next(atMs, { overlap: "replace", heartbeatMs: 10 * SECOND, ...more });
  const wait = { kind: "wait", holder: { owner: "owner-1", runId: RUN, heartbeatMs: 10 * SECOND } };
  const skipped = { kind: "skipped", reason: "overlap", runId: NEXT, heldBy: RUN };

  test("asks the holder to stop, once, and waits", () => {
    const model = new Model();
    model.hold(beating);
    model.takeSent();
    expect(model.begin(replacing(T0 + SECOND))).toEqual(wait);
    expect(model.takeSent()).toEqual(["acquire-newest", "ask-to-stop"]);
    expect(model.state()?.stop).toEqual({ owner: "owner-1", kind: "replace", by: NEXT, atMs: T0 + SECOND });
    expect(model.begin(replacing(T0 + 2 * SECOND))).toEqual(wait);
    expect(model.takeSent()).toEqual(["acquire-newest"]);
  });

  test.each<[string, object]>([
    ["has waited for as long as it may", { hasWaited: true }],
    ["belongs to a job that skips", { overlap: "skip" }],
    ["is late by now", { lateAfterMs: T0 }],
  ])("is skipped where it %s", (_name, more) => {
    const model = new Model();
    model.hold(beating);
    expect(model.begin(replacing(T0 + SECOND, more))).toMatchObject({ kind: "skipped" });
    expect(model.state()?.stop).toBeUndefined();
  });

  test("waits for its turn where it is started for another cause than a delivery", () => {
    const model = new Model();
    model.hold(beating);
    const start = replacing(T0 + SECOND, { cause: "catch-up" });
    expect(model.begin(start)).toMatchObject({ kind: "queued", position: 1 });
    expect(model.state()?.stop).toBeUndefined();
  });

  test("is skipped where the holder cannot hear, or is newer", () => {
    const deaf = new Model();
    deaf.hold(first);
    expect(deaf.begin(replacing(T0 + SECOND))).toEqual(skipped);
    const overtaken = new Model();
    overtaken.hold(replacing(T0));
    expect(overtaken.begin({ ...beating, overlap: "replace" })).toMatchObject({ kind: "skipped", heldBy: NEXT });
  });

  test("asks nobody to stop while its job is paused", () => {
    const model = new Model();
    model.hold(beating);
    model.pause({ by: "alice", reason: "maintenance", at: "2026-03-01T00:00:00.000Z" });
    expect(model.begin(replacing(T0 + SECOND))).toEqual({ kind: "skipped", reason: "paused", runId: NEXT });
    expect(model.state()?.stop).toBeUndefined();
  });

  test("takes the lock of a dead holder at once", () => {
    const model = new Model();
    model.hold(beating);
    model.takeSent();
    expect(model.begin(replacing(T0 + 60 * SECOND))).toMatchObject({ kind: "held", hold: { attempt: 1 } });
    expect(model.takeSent()).not.toContain("ask-to-stop");
  });

  test("asks also where a delivery of it died after it had raised the mark, and before it was skipped", () => {
    const model = new Model();
    model.hold(beating);
    const state: JobState = { ...(model.state() as JobState), highWater: NEXT };
    expect(model.perform(replace(replacing(T0 + SECOND), state, T0 + SECOND))).toEqual(wait);
  });

  test("is a manual one as well, whatever the mark says", () => {
    const model = new Model();
    model.hold(beating);
    const earlier = { ...manual, runId: "2026-03-02T01:30:00.000Z#manual#request" };
    expect(model.begin({ ...earlier, overlap: "replace", heartbeatMs: 10 * SECOND })).toEqual(wait);
    expect(model.begin({ ...manual, overlap: "replace", heartbeatMs: 10 * SECOND })).toEqual(wait);
  });

  test("looks again where the holder is another one by now", () => {
    const model = new Model();
    model.hold(beating);
    const protocol = begin(replacing(T0 + SECOND));
    protocol.next();
    const ask = protocol.next({ nowMs: T0 + SECOND, applied: false, state: model.state() });
    expect(ask.value).toMatchObject({ kind: "ask-to-stop" });
    const free = { fence: FIRST_FENCE, highWater: RUN, consecutiveFailures: 0 };
    expect(protocol.next({ nowMs: T0 + SECOND, applied: false, state: free }).value).toMatchObject({
      kind: "acquire-as-seen",
    });
  });

  test("asks nobody where nobody is at work, or where it was started for another cause than a delivery", () => {
    const model = new Model();
    expect(model.perform(replace(replacing(T0), { consecutiveFailures: 0 }, T0))).toBeUndefined();
    model.hold(beating);
    model.takeSent();
    const start = replacing(T0 + SECOND, { cause: "queued" });
    expect(model.perform(replace(start, model.state() as JobState, T0 + SECOND))).toBeUndefined();
    expect(model.takeSent()).toEqual([]);
  });

  test("waits once it has asked, without another look", () => {
    const model = new Model();
    model.hold(beating);
    model.takeSent();
    expect(model.perform(replace(replacing(T0 + SECOND), model.state() as JobState, T0 + SECOND))).toEqual(wait);
    expect(model.takeSent()).toEqual(["ask-to-stop"]);
  });

  test("looks again where the state is gone by now", () => {
    const model = new Model();
    model.hold(beating);
    const protocol = replace(replacing(T0 + SECOND), model.state() as JobState, T0 + SECOND);
    protocol.next();
    const gone = { nowMs: T0 + SECOND, applied: false };
    expect(protocol.next(gone)).toEqual({ done: true, value: { kind: "again", seen: gone } });
  });

  test("waits for two heartbeats and ten seconds, and looks four times in each", () => {
    expect(waitsUntilMs(T0, 10 * SECOND)).toBe(T0 + 30 * SECOND);
    expect(nextLookMs(10 * SECOND)).toBe(2_500);
  });
});

test("a start is an event that names its run, its cause, and the time that it works for", () => {
  const start = { runId: RUN, cause: "backfill", id: "sending-1", trigger: { kind: "operator", by: "alice" } } as const;
  expect(startEvent(JOB, { ...start, workTimeMs: T0, input: { rows: 1 } })).toEqual({
    escapement: { job: JOB, start: { ...start, workTime: "2026-03-02T02:00:00.000Z" } },
    input: { rows: 1 },
  });
  expect(startEvent(JOB, start)).toEqual({ escapement: { job: JOB, start } });
});
