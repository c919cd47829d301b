import { describe, expect } from "vitest";
import { delivery, MINUTE, manual, redelivery, SECOND, T0, TIMEOUT, test } from "./scene.ts";

const RUN = "2026-03-02T02:00:00.000Z#default";

describe("a delivery of an occurrence that", () => {
  test("runs under another delivery is a duplicate (DU-01)", async ({ scene }) => {
    await scene.hold(delivery());
    expect(await scene.begin(delivery())).toEqual({ kind: "duplicate", runId: RUN, status: "RUNNING" });
  });

  test("succeeded ten minutes ago is a duplicate (DU-02)", async ({ scene }) => {
    await scene.finish(await scene.hold(delivery()));
    scene.nowMs = T0 + 10 * MINUTE;
    expect(await scene.begin(delivery())).toEqual({ kind: "duplicate", runId: RUN, status: "SUCCEEDED" });
  });

  test("succeeded a day ago, with other runs since, is a duplicate", async ({ scene }) => {
    await scene.finish(await scene.hold(delivery()));
    await scene.finish(await scene.hold(delivery({ at: T0 + 24 * 60 * MINUTE })));
    expect(await scene.begin(delivery())).toEqual({ kind: "duplicate", runId: RUN, status: "SUCCEEDED" });
  });

  test("was skipped is a duplicate", async ({ scene }) => {
    const holder = await scene.hold(delivery());
    const next = delivery({ at: T0 + MINUTE });
    await scene.begin(next);
    await scene.finish(holder);
    expect(await scene.begin(delivery({ at: T0 + MINUTE }))).toMatchObject({ kind: "duplicate", status: "SKIPPED" });
  });

  test("runs under this very delivery has to come again: to acknowledge would lose it", async ({ scene }) => {
    const first = delivery();
    await scene.hold(first);
    expect(await scene.begin(redelivery(first, T0 + MINUTE))).toMatchObject({ kind: "come-again" });
  });

  test("runs under a delivery that would not be repeated has to come again", async ({ scene }) => {
    await scene.hold(delivery({ redelivered: false }));
    expect(await scene.begin(delivery())).toMatchObject({ kind: "come-again" });
  });

  test("was asked for by hand and succeeded is a duplicate, also after other runs", async ({ scene }) => {
    await scene.finish(await scene.hold(manual("request-1")));
    await scene.finish(await scene.hold(delivery({ at: T0 + MINUTE })));
    expect(await scene.begin(manual("request-1"))).toMatchObject({ kind: "duplicate", status: "SUCCEEDED" });
  });

  test("writes nothing", async ({ scene }) => {
    await scene.finish(await scene.hold(delivery()));
    const before = [await scene.state(), await scene.record(RUN)];
    await scene.begin(delivery());
    expect([await scene.state(), await scene.record(RUN)]).toEqual(before);
  });
});

test("a handler that returns nothing has succeeded, and its result is none (DU-07)", async ({ scene }) => {
  await scene.finish(await scene.hold(delivery()));
  const record = await scene.record(RUN);
  expect(record).toMatchObject({ status: "SUCCEEDED" });
  expect(record).not.toHaveProperty("result");
});

describe("a run that failed", () => {
  const error = { name: "Error", message: "rates service said 503" };

  test("runs again when its delivery comes again, as attempt 2 of one record (DU-04, RT-05)", async ({ scene }) => {
    const first = delivery();
    scene.nowMs = T0 + SECOND;
    await scene.finish(await scene.hold(first), { status: "FAILED", error });
    scene.nowMs = T0 + MINUTE;
    const hold = await scene.hold(redelivery(first, T0 + MINUTE));
    await scene.finish(hold);
    expect(await scene.record(RUN)).toMatchObject({
      status: "SUCCEEDED",
      attempt: 2,
      attempts: [
        { attempt: 1, status: "FAILED", error },
        { attempt: 2, status: "SUCCEEDED" },
      ],
    });
  });

  test("tells its next attempt the number and the error (DU-12)", async ({ scene }) => {
    const first = delivery();
    await scene.finish(await scene.hold(first), { status: "FAILED", error });
    const hold = await scene.hold(redelivery(first, T0 + MINUTE));
    expect(hold).toMatchObject({ attempt: 2, previousError: error, delivery: { runId: RUN } });
  });

  test("fails once more with its error when no attempt is left", async ({ scene }) => {
    const first = delivery({ maxAttempts: 2 });
    await scene.finish(await scene.hold(first), { status: "FAILED" });
    await scene.finish(await scene.hold(redelivery(first, T0 + MINUTE)), { status: "FAILED", error });
    expect(await scene.begin(redelivery(first, T0 + 3 * MINUTE))).toEqual({ kind: "exhausted", error });
  });

  test("comes again while another run holds the lock, since it has attempts left", async ({ scene }) => {
    const first = delivery();
    await scene.finish(await scene.hold(first), { status: "FAILED" });
    await scene.hold(delivery({ at: T0 + MINUTE }));
    expect(await scene.begin(redelivery(first, T0 + MINUTE))).toMatchObject({ kind: "come-again" });
  });

  test("comes again while the job is paused, and is not skipped", async ({ scene }) => {
    const first = delivery();
    await scene.finish(await scene.hold(first), { status: "FAILED" });
    await scene.pause();
    expect(await scene.begin(redelivery(first, T0 + MINUTE))).toMatchObject({ kind: "come-again" });
    expect(await scene.record(RUN)).toMatchObject({ status: "FAILED" });
  });

  test("may be retried though it is late by now: lateness is judged at the first attempt", async ({ scene }) => {
    const first = delivery({ lateAfterMs: T0 + MINUTE });
    await scene.finish(await scene.hold(first), { status: "FAILED" });
    scene.nowMs = T0 + 2 * MINUTE;
    expect(await scene.hold(redelivery(first, scene.nowMs))).toMatchObject({ attempt: 2 });
  });

  test("that is late by now takes over from a dead run only after that one is recorded as lost", async ({ scene }) => {
    const first = delivery({ lateAfterMs: T0 + MINUTE });
    await scene.finish(await scene.hold(first), { status: "FAILED" });
    await scene.hold(delivery({ at: T0 + MINUTE }));
    scene.nowMs = T0 + MINUTE + TIMEOUT + 6 * SECOND;
    expect(await scene.hold(redelivery(first, scene.nowMs))).toMatchObject({ attempt: 2 });
    expect(await scene.record("2026-03-02T02:01:00.000Z#default")).toMatchObject({ status: "LOST" });
  });
});
