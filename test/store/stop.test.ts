import { describe, expect } from "vitest";
import { type CancelAnswer, type Hold, type Operator, renew, requestCancel } from "../../lib/run/index.ts";
import { createRunStore, perform } from "../../lib/store/index.ts";
import { TABLE_NAME } from "./dynamo.ts";
import { delivery, FLEET, JOB, MINUTE, type Scene, SECOND, T0, TIMEOUT, test } from "./scene.ts";

const heartbeatMs = 20 * SECOND;
const RUN = "2026-03-02T02:00:00.000Z#default";
const operator = { id: "id-1", retentionMs: 90 * 24 * 60 * MINUTE };
const alice = { by: "alice", reason: "wrong input", ...operator };
const bob = { by: "bob", ...operator };

function storeOf(scene: Scene) {
  return createRunStore({
    client: scene.table.client,
    tableName: TABLE_NAME,
    fleet: FLEET,
    clock: () => scene.nowMs,
  });
}

const cancel = (scene: Scene, by: Operator): Promise<CancelAnswer> => perform(requestCancel(JOB, by), storeOf(scene));

const beat = (scene: Scene, hold: Hold, sentMs: number) => perform(renew(hold, sentMs, undefined), storeOf(scene));

describe("a request to stop", () => {
  test("is heard by the holder's next renewal", async ({ scene }) => {
    const hold = await scene.hold(delivery({ heartbeatMs }));
    expect(await cancel(scene, alice)).toEqual({ kind: "asked", runId: RUN, heartbeatMs: 20_000 });
    const stop = { owner: hold.delivery.owner, kind: "cancel", by: "alice", reason: "wrong input", atMs: T0 };
    expect(await beat(scene, hold, T0 + 20 * SECOND)).toEqual({ kind: "held", stop });
    // A renewal rewrites the lease, not the request.
    expect(await beat(scene, hold, T0 + 40 * SECOND)).toEqual({ kind: "held", stop });
  });

  test("leaves an entry in the same write", async ({ scene }) => {
    await scene.hold(delivery({ heartbeatMs }));
    await cancel(scene, alice);
    expect(await scene.queries.listAudit(JOB, { limit: 10 })).toMatchObject([
      { action: "cancel", by: "alice", reason: "wrong input", atMs: T0, detail: `run ${RUN}` },
    ]);
  });

  test("that is refused leaves no entry", async ({ scene }) => {
    await scene.hold(delivery({ heartbeatMs }));
    await cancel(scene, bob);
    await cancel(scene, alice);
    expect(await scene.queries.listAudit(JOB, { limit: 10 })).toMatchObject([{ by: "bob" }]);
  });

  test("is known as one's own when the reply to it was lost", async ({ scene }) => {
    await scene.hold(delivery({ heartbeatMs }));
    const asking = scene.walk(requestCancel(JOB, alice));
    await asking.step();
    scene.table.loseNextReply();
    expect(await asking.result()).toMatchObject({ kind: "asked" });
  });

  test("leaves an earlier one as it is, and says whose that is", async ({ scene }) => {
    const hold = await scene.hold(delivery({ heartbeatMs }));
    await cancel(scene, alice);
    const stop = { owner: hold.delivery.owner, kind: "cancel", by: "alice", reason: "wrong input", atMs: T0 };
    expect(await cancel(scene, bob)).toEqual({ kind: "asked-before", runId: RUN, stop });
    expect(await beat(scene, hold, T0 + 20 * SECOND)).toEqual({ kind: "held", stop });
  });

  test("of two operators at the same time: one has asked, the other learns of it", async ({ scene }) => {
    await scene.hold(delivery({ heartbeatMs }));
    const [one, other] = [scene.walk(requestCancel(JOB, alice)), scene.walk(requestCancel(JOB, bob))];
    await one.step();
    await other.step();
    expect(await other.result()).toMatchObject({ kind: "asked" });
    expect(await one.result()).toMatchObject({ kind: "asked-before", stop: { by: "bob" } });
  });

  test("does not reach the run after the one it was meant for", async ({ scene }) => {
    const hold = await scene.hold(delivery({ heartbeatMs }));
    const asking = scene.walk(requestCancel(JOB, alice));
    await asking.step();
    await scene.finish(hold);
    const next = await scene.hold(delivery({ heartbeatMs, at: T0 + MINUTE }));
    expect(await asking.result()).toEqual({ kind: "not-running" });
    expect(await beat(scene, next, T0 + 80 * SECOND)).toEqual({ kind: "held" });
  });

  test("goes with the lease that it was for", async ({ scene }) => {
    const hold = await scene.hold(delivery({ heartbeatMs }));
    await cancel(scene, alice);
    await scene.finish(hold);
    expect(await scene.state()).not.toHaveProperty("stop");
  });

  test("goes with a dead lease that is taken over", async ({ scene }) => {
    await scene.hold(delivery({ heartbeatMs }));
    await cancel(scene, alice);
    scene.nowMs = T0 + 5 * MINUTE;
    const next = await scene.hold(delivery({ heartbeatMs, at: T0 + 5 * MINUTE }));
    expect(await scene.state()).not.toHaveProperty("stop");
    expect(await beat(scene, next, scene.nowMs)).toEqual({ kind: "held" });
  });

  test("goes with a dead lease that is removed", async ({ scene }) => {
    const first = delivery({ heartbeatMs, maxAttempts: 1 });
    await scene.hold(first);
    await cancel(scene, alice);
    scene.nowMs = T0 + 5 * MINUTE;
    expect(await scene.begin({ ...first, owner: "later", receivedMs: scene.nowMs })).toMatchObject({
      kind: "exhausted",
    });
    expect(await scene.state()).not.toHaveProperty("stop");
  });
});

describe("a cancellation meets", () => {
  test("no run", async ({ scene }) => {
    expect(await cancel(scene, alice)).toEqual({ kind: "not-running" });
  });

  test("a run that died", async ({ scene }) => {
    await scene.hold(delivery({ heartbeatMs }));
    scene.nowMs = T0 + 5 * MINUTE;
    expect(await cancel(scene, alice)).toEqual({ kind: "not-running" });
  });

  test("a run that cannot hear, which ends at its deadline", async ({ scene }) => {
    await scene.hold(delivery());
    expect(await cancel(scene, alice)).toEqual({ kind: "cannot-hear", runId: RUN, untilMs: T0 + TIMEOUT });
    expect(await scene.state()).not.toHaveProperty("stop");
  });
});

test("a renewal that arrives after the release brings neither lease nor request back", async ({ scene }) => {
  const hold = await scene.hold(delivery({ heartbeatMs }));
  await cancel(scene, alice);
  await scene.finish(hold);
  expect(await beat(scene, hold, T0 + 20 * SECOND)).toEqual({ kind: "lost" });
  expect(await scene.state()).not.toHaveProperty("lease");
  expect(await scene.state()).not.toHaveProperty("stop");
});

test("a cancelled run is final, and is nobody's failure", async ({ scene }) => {
  const hold = await scene.hold(delivery({ heartbeatMs }));
  const error = { name: "RunCancelledError", message: "alice" };
  await scene.finish(hold, { status: "CANCELLED", error });
  expect(await scene.record(RUN)).toMatchObject({ status: "CANCELLED", error });
  expect(await scene.state()).toMatchObject({ last: { runId: RUN, status: "CANCELLED" }, consecutiveFailures: 0 });
  expect(await scene.begin(delivery({ heartbeatMs }))).toMatchObject({ kind: "duplicate", status: "CANCELLED" });
});

test("asking costs a read and a write", async ({ scene }) => {
  await scene.hold(delivery({ heartbeatMs }));
  scene.table.takeRequests();
  await cancel(scene, alice);
  expect(scene.table.takeRequests()).toEqual(["GetItem", "TransactWriteItems"]);
});
