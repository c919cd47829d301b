import { describe, expect, test } from "vitest";
import { goneAtMs, renew, stopAtMs } from "../../lib/run/index.ts";
import { leaseFor } from "../../lib/run/lease.ts";
import { type SharedLock, sharedLeaseFor } from "../../lib/run/shared-lock.ts";
import { isPausedAt, pauseOver } from "../../lib/run/state.ts";
import { again, first, JOB, Model, next, RUN, T0 } from "./model.ts";

const SECOND = 1_000;
const beating = { ...first, heartbeatMs: 10 * SECOND, leaseExpiresAtMs: T0 + 600 * SECOND };

test("a lease lasts until the platform's deadline", () => {
  expect(leaseFor(first, 1, T0).expiresAtMs).toBe(T0 + 60 * SECOND);
});

test("with a heartbeat it lasts three of them and the tolerance for its owner's clock, and never past the deadline", () => {
  expect(leaseFor(beating, 1, T0)).toMatchObject({ expiresAtMs: T0 + 35 * SECOND, heartbeatMs: 10 * SECOND });
  const short = { ...beating, leaseExpiresAtMs: T0 + 20 * SECOND };
  expect(leaseFor(short, 1, T0).expiresAtMs).toBe(T0 + 20 * SECOND);
});

test("it is held for as much longer as the job asks for, with a heartbeat or without", () => {
  expect(leaseFor({ ...first, holdMs: 7 * SECOND }, 1, T0).expiresAtMs).toBe(T0 + 67 * SECOND);
  expect(leaseFor({ ...beating, holdMs: 7 * SECOND }, 1, T0).expiresAtMs).toBe(T0 + 42 * SECOND);
});

test("a handler is told to stop after two heartbeats without an answer, and must be gone after three", () => {
  expect(stopAtMs(T0, 10 * SECOND)).toBe(T0 + 20 * SECOND);
  expect(goneAtMs(T0, 10 * SECOND)).toBe(T0 + 30 * SECOND);
});

describe("a renewal", () => {
  test("counts from when it was sent, keeps the start, and carries the progress", () => {
    const model = new Model();
    const hold = model.hold(beating);
    const progress = { fraction: 0.4, note: "half", atMs: T0 };
    expect(model.perform(renew(hold, T0 + 10 * SECOND, progress))).toEqual({ kind: "held" });
    expect(model.state()?.lease).toMatchObject({ startedMs: T0, expiresAtMs: T0 + 45 * SECOND, progress });
  });

  test("that was under way for long takes nothing back", () => {
    const model = new Model();
    const hold = model.hold(beating);
    model.perform(renew(hold, T0 + 20 * SECOND, undefined));
    model.perform(renew(hold, T0 + 10 * SECOND, undefined));
    expect(model.state()?.lease?.expiresAtMs).toBe(T0 + 55 * SECOND);
  });

  test("counts as lost where the owner's clock was set back: it was refused, and the lease goes on ending", () => {
    const model = new Model();
    const hold = model.hold(beating);
    model.perform(renew(hold, T0 + 20 * SECOND, undefined));
    expect(model.perform(renew(hold, T0 + 20 * SECOND - 1, undefined))).toEqual({ kind: "lost" });
  });

  test("counts also where its reply was lost, and the repetition finds what it has written", () => {
    const model = new Model();
    const hold = model.hold(beating);
    model.perform(renew(hold, T0 + 20 * SECOND, undefined));
    expect(model.perform(renew(hold, T0 + 20 * SECOND, undefined))).toEqual({ kind: "held" });
  });

  test("finds the lock lost, when another has it or nobody", () => {
    const model = new Model();
    const hold = model.hold(beating);
    model.hold(again(beating, T0 + 41 * SECOND));
    expect(model.perform(renew(hold, T0 + 42 * SECOND, undefined))).toEqual({ kind: "lost" });
    const protocol = renew(hold, T0, undefined);
    protocol.next();
    expect(protocol.next({ nowMs: T0, applied: false })).toMatchObject({ value: { kind: "lost" } });
  });

  test("hears a request to stop, if it is meant for this owner", () => {
    const stop = { owner: "owner-1", kind: "cancel", by: "alice", atMs: T0 } as const;
    const model = new Model();
    const hold = model.hold(beating);
    model.send({ kind: "ask-to-stop", job: JOB, stop });
    expect(model.perform(renew(hold, T0 + SECOND, undefined))).toEqual({ kind: "held", stop });
    const protocol = renew(hold, T0, undefined);
    protocol.next();
    const state = { lease: leaseFor(beating, 1, T0), stop: { ...stop, owner: "other" }, consecutiveFailures: 0 };
    expect(protocol.next({ nowMs: T0, applied: true, state }).value).toEqual({ kind: "held" });
  });

  test("is of every shared lock, too: one that is lost, or whose state is gone, is enough", () => {
    const hold = new Model().hold(beating);
    const delivery = { ...beating, locks: ["ledger"] };
    const state = { lease: leaseFor(beating, 1, T0), consecutiveFailures: 0 };
    const shared = { ...sharedLeaseFor({ delivery: beating, fencingToken: hold.fencingToken }, T0) };
    const renewedBy = (lock: SharedLock) => {
      const protocol = renew({ ...hold, delivery }, T0 + SECOND, undefined);
      protocol.next();
      expect(protocol.next({ nowMs: T0, applied: true, state }).value).toMatchObject({
        kind: "renew-lock",
        lock: "ledger",
        lease: { owner: "owner-1", expiresAtMs: T0 + 36 * SECOND },
      });
      return protocol.next({ nowMs: T0, applied: true, lock }).value;
    };
    const stop = { owner: "owner-1", kind: "priority", by: "month-end", atMs: T0 } as const;
    expect(renewedBy({ lease: shared })).toEqual({ kind: "held" });
    expect(renewedBy({ lease: shared, stop })).toEqual({ kind: "held", stop });
    expect(renewedBy({ lease: { ...shared, owner: "other" } })).toEqual({ kind: "lost" });
    expect(renewedBy({})).toEqual({ kind: "lost" });
    expect(renewedBy({ lease: { ...shared, expiresAtMs: T0 + 36 * SECOND + 1 } })).toEqual({ kind: "lost" });
  });

  test("of another's lock changes nothing", () => {
    const model = new Model();
    const hold = model.hold(next(T0, { heartbeatMs: 10 * SECOND }));
    expect(model.perform(renew({ ...hold, delivery: { ...hold.delivery, owner: "stranger" } }, T0, undefined))).toEqual(
      {
        kind: "lost",
      },
    );
    expect(model.state()?.lease).toMatchObject({ owner: "owner-2", runId: expect.not.stringContaining(RUN) });
  });
});

describe("a pause", () => {
  const paused = { by: "alice", reason: "maintenance", atMs: T0 };
  const until = { ...paused, untilMs: T0 + SECOND };

  test("lasts until it is resumed, or up to the instant that it names", () => {
    expect(isPausedAt({ consecutiveFailures: 0 }, T0)).toBe(false);
    expect(isPausedAt({ consecutiveFailures: 0, paused }, T0 + 10_000 * SECOND)).toBe(true);
    expect(isPausedAt({ consecutiveFailures: 0, paused: until }, T0 + SECOND - 1)).toBe(true);
    expect(isPausedAt({ consecutiveFailures: 0, paused: until }, T0 + SECOND)).toBe(false);
  });

  test("that has run out is the one to take away", () => {
    expect(pauseOver({ consecutiveFailures: 0, paused: until }, T0)).toBeUndefined();
    expect(pauseOver({ consecutiveFailures: 0, paused: until }, T0 + SECOND)).toEqual(until);
    expect(pauseOver({ consecutiveFailures: 0 }, T0)).toBeUndefined();
  });
});
