import { describe, expect } from "vitest";
import { begin, finish } from "../../lib/run/index.ts";
import { delivery, MINUTE, manual, redelivery, SECOND, T0, TIMEOUT, test } from "./scene.ts";

const RUN = "2026-03-02T02:00:00.000Z#default";
const NEXT = "2026-03-02T02:02:00.000Z#default";
// The lease ends at T0 + 90 s; a taker whose clock may be 5 s ahead waits until after T0 + 95 s.
const LAST_LIVE_MS = T0 + 95 * SECOND;
const FIRST_DEAD_MS = LAST_LIVE_MS + 1;

describe("a run whose process died", () => {
  test("keeps the lock until its lease and the skew tolerance are over (LK-01)", async ({ scene }) => {
    await scene.hold(delivery());
    scene.nowMs = LAST_LIVE_MS;
    const next = delivery({ at: T0 + MINUTE, receivedMs: LAST_LIVE_MS });
    expect(await scene.begin(next)).toMatchObject({ kind: "skipped", reason: "overlap", heldBy: RUN });
  });

  test("loses it at the first call after that, and is recorded as lost (LK-01)", async ({ scene }) => {
    const dead = await scene.hold(delivery());
    scene.nowMs = FIRST_DEAD_MS;
    const hold = await scene.hold(delivery({ at: T0 + 2 * MINUTE, receivedMs: FIRST_DEAD_MS }));
    expect(hold.fencingToken).toBe(dead.fencingToken + 1);
    expect(await scene.record(RUN)).toMatchObject({
      status: "LOST",
      fence: dead.fencingToken,
      endedAt: "2026-03-02T02:01:30.000Z",
      attempts: [{ attempt: 1, status: "LOST" }],
    });
    expect(await scene.state()).toMatchObject({ last: { runId: RUN, status: "LOST" }, consecutiveFailures: 1 });
  });

  test("runs again as attempt 2 when its own delivery comes again (TO-01)", async ({ scene }) => {
    const first = delivery();
    await scene.hold(first);
    scene.nowMs = T0 + 2 * MINUTE;
    const hold = await scene.hold(redelivery(first, scene.nowMs));
    expect(hold).toMatchObject({ attempt: 2, previousError: { name: "RunLost" }, attempts: [{ status: "LOST" }] });
    await scene.finish(hold);
    expect(await scene.record(RUN)).toMatchObject({
      status: "SUCCEEDED",
      attempts: [
        { attempt: 1, status: "LOST" },
        { attempt: 2, status: "SUCCEEDED" },
      ],
    });
  });

  test("is exhausted when it had one attempt, and frees the lock", async ({ scene }) => {
    const first = delivery({ maxAttempts: 1 });
    await scene.hold(first);
    scene.nowMs = T0 + 2 * MINUTE;
    const begun = await scene.begin(redelivery(first, scene.nowMs));
    expect(begun).toMatchObject({ kind: "exhausted", error: { name: "RunLost" } });
    expect(await scene.state()).not.toHaveProperty("lease");
  });

  test("keeps the errors of its earlier attempts", async ({ scene }) => {
    const first = delivery();
    await scene.finish(await scene.hold(first), { status: "FAILED", error: { name: "Error", message: "503" } });
    await scene.hold(redelivery(first, T0 + MINUTE));
    scene.nowMs = T0 + MINUTE + TIMEOUT + 6 * SECOND;
    await scene.hold(delivery({ at: T0 + 2 * MINUTE, receivedMs: scene.nowMs }));
    expect(await scene.record(RUN)).toMatchObject({
      status: "LOST",
      attempts: [
        { attempt: 1, status: "FAILED", error: { message: "503" } },
        { attempt: 2, status: "LOST" },
      ],
    });
  });

  test("is recorded as lost on a paused job, too, and comes again", async ({ scene }) => {
    const first = delivery();
    await scene.hold(first);
    await scene.pause();
    scene.nowMs = T0 + 2 * MINUTE;
    expect(await scene.begin(redelivery(first, scene.nowMs))).toMatchObject({ kind: "come-again" });
    expect(await scene.record(RUN)).toMatchObject({ status: "LOST" });
    await scene.resume();
    expect(await scene.hold(redelivery(first, scene.nowMs))).toMatchObject({ attempt: 2 });
  });

  test("may be a manual one, which then is lost like any other", async ({ scene }) => {
    await scene.hold(manual("request-1"));
    scene.nowMs = FIRST_DEAD_MS;
    await scene.hold(delivery({ at: T0 + 2 * MINUTE, receivedMs: FIRST_DEAD_MS }));
    expect(await scene.record("2026-03-02T02:00:00.000Z#manual#request-1")).toMatchObject({ status: "LOST" });
  });
});

describe("a run that recorded its success and died before it gave the lock back", () => {
  test("answers its own delivery as a duplicate, and its lease is removed", async ({ scene }) => {
    const first = delivery();
    const hold = await scene.hold(first);
    await scene.walk(finish(hold, { status: "SUCCEEDED", endedMs: T0 + SECOND })).past("put-record");
    scene.nowMs = FIRST_DEAD_MS;
    expect(await scene.begin(redelivery(first, FIRST_DEAD_MS))).toMatchObject({
      kind: "duplicate",
      status: "SUCCEEDED",
    });
    expect(await scene.state()).not.toHaveProperty("lease");
    expect(await scene.state()).toMatchObject({
      last: { runId: RUN, status: "SUCCEEDED" },
      lastSuccess: { runId: RUN },
    });
  });

  test("is the previous success of the next occurrence", async ({ scene }) => {
    const hold = await scene.hold(delivery());
    await scene.walk(finish(hold, { status: "SUCCEEDED", endedMs: T0 + SECOND })).past("put-record");
    scene.nowMs = FIRST_DEAD_MS;
    const next = await scene.hold(delivery({ at: T0 + 2 * MINUTE, receivedMs: FIRST_DEAD_MS }));
    expect(next.previousSuccess).toEqual({ runId: RUN, scheduledTimeMs: T0, endedMs: T0 + SECOND });
    expect(await scene.record(RUN)).toMatchObject({ status: "SUCCEEDED" });
  });
});

test("of two that see the same dead lease one takes it, and the other finds it held (LK-14)", async ({ scene }) => {
  await scene.hold(delivery());
  scene.nowMs = T0 + 2 * MINUTE;
  const one = scene.walk(begin(delivery({ at: T0 + 2 * MINUTE })));
  const other = scene.walk(begin(delivery({ at: T0 + 3 * MINUTE, receivedMs: T0 + 2 * MINUTE })));
  // Both have recorded the lost run, or found it recorded, and are about to take its lease.
  for (const walk of [one, other, one, other, one, other]) await walk.step();
  const answers = [await one.result(), await other.result()];
  expect(answers).toMatchObject([{ kind: "held" }, { kind: "skipped", reason: "overlap", heldBy: NEXT }]);
});

describe("a taker's clock", () => {
  test("five seconds ahead takes no lease that still runs", async ({ scene }) => {
    await scene.hold(delivery());
    // The lease's last instant, read by a clock that is 5 s ahead.
    scene.nowMs = T0 + TIMEOUT + 5 * SECOND;
    expect(await scene.begin(delivery({ at: T0 + MINUTE, receivedMs: scene.nowMs }))).toMatchObject({
      kind: "skipped",
    });
  });

  test("far ahead is not believed: the table's own clock is earlier", async ({ scene }) => {
    // A lease that the table's clock, the real one, will see as live; the own clock says the year 2200.
    const farMs = Date.parse("2199-01-01T00:00:00.000Z");
    await scene.hold(delivery({ leaseExpiresAtMs: farMs }));
    scene.nowMs = Date.parse("2200-01-01T00:00:00.000Z");
    expect(await scene.begin(delivery({ at: T0 + MINUTE }))).toMatchObject({ kind: "skipped", reason: "overlap" });
  });
});
