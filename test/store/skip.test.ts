import { describe, expect } from "vitest";
import { delivery, MINUTE, manual, redelivery, SECOND, T0, test } from "./scene.ts";

const RUN = "2026-03-02T02:00:00.000Z#default";
const NEXT = "2026-03-02T02:01:00.000Z#default";

describe("an occurrence that arrives while another run holds the lock", () => {
  test("is skipped, and its record names that run", async ({ scene }) => {
    await scene.hold(delivery());
    scene.nowMs = T0 + MINUTE;
    const begun = await scene.begin(delivery({ at: T0 + MINUTE }));
    expect(begun).toEqual({ kind: "skipped", reason: "overlap", runId: NEXT, heldBy: RUN });
    expect(await scene.record(NEXT)).toMatchObject({
      status: "SKIPPED",
      reason: "overlap",
      heldBy: RUN,
      attempt: 0,
      attempts: [],
      endedAt: "2026-03-02T02:01:00.000Z",
    });
  });

  test("stays skipped when a duplicate comes after the lock is free", async ({ scene }) => {
    const holder = await scene.hold(delivery());
    await scene.begin(delivery({ at: T0 + MINUTE }));
    await scene.finish(holder);
    const duplicate = await scene.begin(delivery({ at: T0 + MINUTE }));
    expect(duplicate).toEqual({ kind: "duplicate", runId: NEXT, status: "SKIPPED" });
  });

  test("is skipped also when it was asked for by hand, without moving the mark", async ({ scene }) => {
    await scene.hold(delivery());
    expect(await scene.begin(manual("request-1"))).toMatchObject({ kind: "skipped", reason: "overlap", heldBy: RUN });
    expect(await scene.state()).toMatchObject({ highWater: RUN });
  });
});

describe("on a paused job", () => {
  test("a scheduled occurrence is skipped, and stays so after the job is resumed", async ({ scene }) => {
    await scene.pause();
    expect(await scene.begin(delivery())).toMatchObject({ kind: "skipped", reason: "paused" });
    await scene.resume();
    expect(await scene.begin(delivery())).toMatchObject({ kind: "duplicate", status: "SKIPPED" });
  });

  test("a manual run starts: it is the operator's will", async ({ scene }) => {
    await scene.pause();
    expect(await scene.begin(manual("request-1"))).toMatchObject({ kind: "held" });
  });

  test("a running run finishes", async ({ scene }) => {
    const hold = await scene.hold(delivery());
    await scene.pause();
    expect(await scene.finish(hold)).toMatchObject({ recorded: true });
    expect(await scene.state()).toMatchObject({ paused: { by: "alice" } });
  });

  test("a duplicate of a run that succeeded is a duplicate, not skipped", async ({ scene }) => {
    await scene.finish(await scene.hold(delivery()));
    await scene.pause();
    expect(await scene.begin(delivery())).toMatchObject({ kind: "duplicate", status: "SUCCEEDED" });
  });
});

describe("a late occurrence", () => {
  test("runs up to its last instant", async ({ scene }) => {
    scene.nowMs = T0 + MINUTE;
    const punctual = delivery({ receivedMs: scene.nowMs, lateAfterMs: T0 + MINUTE });
    expect(await scene.begin(punctual)).toMatchObject({ kind: "held" });
  });

  test("is skipped a millisecond after it", async ({ scene }) => {
    scene.nowMs = T0 + MINUTE + 1;
    const late = delivery({ receivedMs: scene.nowMs, lateAfterMs: T0 + MINUTE });
    expect(await scene.begin(late)).toMatchObject({ kind: "skipped", reason: "late" });
    expect(await scene.record(RUN)).toMatchObject({ status: "SKIPPED", reason: "late" });
  });

  test("is a duplicate when it ran in time", async ({ scene }) => {
    await scene.finish(await scene.hold(delivery()));
    scene.nowMs = T0 + 2 * MINUTE;
    const late = delivery({ receivedMs: scene.nowMs, lateAfterMs: T0 + MINUTE });
    expect(await scene.begin(late)).toMatchObject({ kind: "duplicate", status: "SUCCEEDED" });
  });

  test("is late also where its own clock was behind: the table's answer decides", async ({ scene }) => {
    await scene.hold(delivery({ at: T0 - MINUTE, leaseExpiresAtMs: T0 }));
    scene.nowMs = T0 + MINUTE + SECOND;
    const behind = delivery({ receivedMs: T0 + MINUTE - SECOND, lateAfterMs: T0 + MINUTE });
    expect(await scene.begin(behind)).toMatchObject({ kind: "skipped", reason: "late" });
  });
});

describe("an occurrence that was overtaken by a newer one", () => {
  test("runs when it has no record", async ({ scene }) => {
    await scene.finish(await scene.hold(delivery({ at: T0 + MINUTE })));
    const hold = await scene.hold(delivery());
    expect(hold).toMatchObject({ attempt: 1, startedMs: T0 });
    expect(await scene.record(RUN)).toMatchObject({ status: "RUNNING" });
    expect(await scene.state()).toMatchObject({ highWater: NEXT });
  });

  test("is skipped while the newer one still runs", async ({ scene }) => {
    await scene.hold(delivery({ at: T0 + MINUTE }));
    expect(await scene.begin(delivery())).toMatchObject({ kind: "skipped", reason: "overlap", heldBy: NEXT });
    expect(await scene.state()).toMatchObject({ highWater: NEXT });
  });

  test("comes again after it failed, and runs", async ({ scene }) => {
    const first = delivery();
    await scene.finish(await scene.hold(delivery({ at: T0 + MINUTE })));
    await scene.finish(await scene.hold(first), { status: "FAILED" });
    expect(await scene.hold(redelivery(first, T0 + 2 * MINUTE))).toMatchObject({ attempt: 2 });
  });
});
