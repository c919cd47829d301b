import { describe, expect } from "vitest";
import { begin, type Hold, recordSteps, type Step, unlock } from "../../lib/run/index.ts";
import { delivery, JOB, MINUTE, manual, redelivery, SECOND, T0, TIMEOUT, test } from "./scene.ts";

const RUN = "2026-03-02T02:00:00.000Z#default";
const charge: Step = { name: "charge", json: '{"id":7}' };
const mail: Step = { name: "mail" };

function withSteps(hold: Hold, ...steps: Step[]): Hold {
  return { ...hold, steps };
}

test("a step is on the record, which still says RUNNING", async ({ scene }) => {
  const hold = await scene.hold(delivery());
  expect(await scene.walk(recordSteps(withSteps(hold, charge))).result()).toEqual({ recorded: true });
  expect(await scene.record(RUN)).toMatchObject({ status: "RUNNING", fence: hold.fencingToken, steps: [charge] });
});

test("a write whose reply was lost is known as done when it is repeated", async ({ scene }) => {
  const hold = withSteps(await scene.hold(delivery()), charge);
  await scene.walk(recordSteps(hold)).result();
  expect(await scene.walk(recordSteps(hold)).result()).toEqual({ recorded: true });
});

describe("a copy of a write that lands late takes no step back:", () => {
  test("the first step's, after the second's", async ({ scene }) => {
    const hold = await scene.hold(delivery());
    const first = withSteps(hold, charge);
    await scene.walk(recordSteps(first)).result();
    await scene.walk(recordSteps(withSteps(hold, charge, mail))).result();
    await scene.walk(recordSteps(first)).result();
    expect(await scene.record(RUN)).toMatchObject({ steps: [charge, mail] });
  });

  test("the claim's, after the first step's", async ({ scene }) => {
    const claiming = scene.walk(begin(manual("request-1")));
    await claiming.past("put-as-seen");
    const runId = "2026-03-02T02:00:00.000Z#manual#request-1";
    const claimed = await scene.record(runId);
    const begun = await claiming.result();
    if (begun.kind !== "held") throw new Error("expected the lock");
    await scene.walk(recordSteps(withSteps(begun.hold, charge))).result();
    await scene.walk(recordSteps(begun.hold)).result();
    expect(claimed).not.toHaveProperty("steps");
    expect(await scene.record(runId)).toMatchObject({ status: "RUNNING", steps: [charge] });
  });
});

describe("a step's write is refused", () => {
  test.for(["SUCCEEDED", "FAILED", "TIMED_OUT"] as const)("when the attempt is %s", async (status, { scene }) => {
    const hold = await scene.hold(delivery());
    await scene.finish(hold, { status });
    const late = await scene.walk(recordSteps(withSteps(hold, charge))).result();
    expect(late).toMatchObject({ recorded: false, found: { status } });
    expect(await scene.record(RUN)).not.toHaveProperty("steps");
  });

  test("when a taker has recorded the attempt as LOST, and when the next attempt has ended", async ({ scene }) => {
    const first = delivery();
    const dead = withSteps(await scene.hold(first), charge);
    scene.nowMs = T0 + 2 * MINUTE;
    const retry = scene.walk(begin(redelivery(first, scene.nowMs)));
    await retry.past("put-as-seen");
    expect(await scene.walk(recordSteps(dead)).result()).toMatchObject({ found: { status: "LOST" } });
    const begun = await retry.result();
    if (begun.kind !== "held") throw new Error(begun.kind);
    await scene.finish(begun.hold, { status: "FAILED" });
    expect(await scene.walk(recordSteps(dead)).result()).toMatchObject({ found: { status: "FAILED", attempt: 2 } });
  });
});

describe("steps are kept", () => {
  test.for(["FAILED", "TIMED_OUT"] as const)(
    "by an attempt that ended %s, for the next one",
    async (status, { scene }) => {
      const first = delivery();
      await scene.finish(withSteps(await scene.hold(first), charge), { status });
      expect(await scene.hold(redelivery(first, T0 + MINUTE))).toMatchObject({ attempt: 2, steps: [charge] });
    },
  );

  test("by whoever records the dead run, over two attempts", async ({ scene }) => {
    const first = delivery();
    await scene.walk(recordSteps(withSteps(await scene.hold(first), charge))).result();
    scene.nowMs = T0 + TIMEOUT + 6 * SECOND;
    // It dies before it has written anything.
    const second = await scene.hold(redelivery(first, scene.nowMs));
    expect(second).toMatchObject({ attempt: 2, steps: [charge] });
    scene.nowMs = T0 + 2 * (TIMEOUT + 6 * SECOND);
    await scene.hold(delivery({ at: T0 + 3 * MINUTE, receivedMs: scene.nowMs }));
    expect(await scene.record(RUN)).toMatchObject({ status: "LOST", attempt: 2, steps: [charge] });
  });

  test("by an operator who takes the lock from a run at work, also the step that it finishes meanwhile", async ({
    scene,
  }) => {
    const hold = await scene.hold(delivery());
    const operator = { by: "alice", reason: "stuck", id: "a1", retentionMs: MINUTE };
    const unlocking = scene.walk(unlock(JOB, operator, hold.delivery.owner));
    await unlocking.past("read-record");
    await scene.walk(recordSteps(withSteps(hold, charge))).result();
    expect(await unlocking.result()).toMatchObject({ kind: "unlocked" });
    expect(await scene.record(RUN)).toMatchObject({ status: "LOST", steps: [charge] });
  });

  test("where there is no lock, with the lease that the record carries", async ({ scene }) => {
    const first = delivery({ overlap: "allow" });
    const hold = await scene.hold(first);
    const lease = (await scene.record(RUN))?.["lease"];
    await scene.walk(recordSteps(withSteps(hold, charge))).result();
    expect(await scene.record(RUN)).toMatchObject({ status: "RUNNING", steps: [charge], lease });
    expect(await scene.begin(delivery({ overlap: "allow" }))).toMatchObject({ kind: "duplicate", status: "RUNNING" });
    scene.nowMs = T0 + TIMEOUT + 6 * SECOND;
    expect(await scene.hold(redelivery(first, scene.nowMs))).toMatchObject({ attempt: 2, steps: [charge] });
  });

  test("by no success", async ({ scene }) => {
    const hold = withSteps(await scene.hold(delivery()), charge);
    await scene.walk(recordSteps(hold)).result();
    await scene.finish(hold);
    expect(await scene.record(RUN)).not.toHaveProperty("steps");
  });
});
