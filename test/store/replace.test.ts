import { describe, expect } from "vitest";
import { begin, nextLookMs, renew, waitsUntilMs } from "../../lib/run/index.ts";
import { createRunStore, perform } from "../../lib/store/index.ts";
import { TABLE_NAME } from "./dynamo.ts";
import { delivery, FLEET, MINUTE, manual, redelivery, SECOND, T0, test } from "./scene.ts";

const heartbeatMs = 20 * SECOND;
const replace = { overlap: "replace", heartbeatMs } as const;
const FIRST = "2026-03-02T02:00:00.000Z#default";
const NEXT = "2026-03-02T02:01:00.000Z#default";

describe("a newer occurrence", () => {
  test("asks the holder to stop, waits, and runs when it has stopped", async ({ scene }) => {
    const hold = await scene.hold(delivery(replace));
    const { owner } = hold.delivery;
    const newer = delivery({ ...replace, at: T0 + MINUTE });
    expect(await scene.begin(newer)).toEqual({ kind: "wait", holder: { owner, runId: FIRST, heartbeatMs: 20_000 } });
    expect(await scene.state()).toMatchObject({ stop: { owner, kind: "replace", by: NEXT } });
    await scene.finish(hold, { status: "CANCELLED" });
    expect(await scene.begin(newer)).toMatchObject({ kind: "held", hold: { attempt: 1 } });
    expect(await scene.record(FIRST)).toMatchObject({ status: "CANCELLED" });
  });

  test("asks once, however often it looks", async ({ scene }) => {
    await scene.hold(delivery(replace));
    const newer = delivery({ ...replace, at: T0 + MINUTE });
    await scene.begin(newer);
    scene.table.takeRequests();
    expect(await scene.begin(newer)).toMatchObject({ kind: "wait" });
    expect(scene.table.takeRequests()).toEqual(["UpdateItem"]);
  });

  test("is skipped when the wait is over, and names the holder", async ({ scene }) => {
    await scene.hold(delivery(replace));
    const newer = delivery({ ...replace, at: T0 + MINUTE });
    await scene.begin(newer);
    const answer = { kind: "skipped", reason: "overlap", runId: NEXT, heldBy: FIRST };
    expect(await scene.begin({ ...newer, hasWaited: true })).toEqual(answer);
    expect(await scene.record(NEXT)).toMatchObject({ status: "SKIPPED", heldBy: FIRST });
  });

  test("is skipped at once when the holder cannot hear", async ({ scene }) => {
    await scene.hold(delivery({ heartbeatMs: undefined }));
    expect(await scene.begin(delivery({ ...replace, at: T0 + MINUTE }))).toMatchObject({ kind: "skipped" });
    expect(await scene.state()).not.toHaveProperty("stop");
  });

  test("that arrives late stops nobody", async ({ scene }) => {
    await scene.hold(delivery({ ...replace, leaseExpiresAtMs: T0 + 15 * MINUTE }));
    const late = delivery({ ...replace, at: T0 + SECOND, lateAfterMs: T0 + 2 * SECOND, receivedMs: T0 + 3 * SECOND });
    scene.nowMs = T0 + 3 * SECOND;
    expect(await scene.begin(late)).toMatchObject({ kind: "skipped", reason: "overlap" });
    expect(await scene.state()).not.toHaveProperty("stop");
  });

  test("that sees the holder give its lock back in the meantime takes it", async ({ scene }) => {
    const hold = await scene.hold(delivery(replace));
    const newer = scene.walk(begin(delivery({ ...replace, at: T0 + MINUTE })));
    await newer.past("acquire-newest");
    await scene.finish(hold);
    expect(await newer.result()).toMatchObject({ kind: "held" });
  });

  test("whose reply was lost has asked all the same", async ({ scene }) => {
    await scene.hold(delivery(replace));
    const newer = scene.walk(begin(delivery({ ...replace, at: T0 + MINUTE })));
    await newer.past("acquire-newest");
    scene.table.loseNextReply();
    expect(await newer.result()).toMatchObject({ kind: "wait" });
  });

  test("that crashes while it waits is delivered again, and runs", async ({ scene }) => {
    const hold = await scene.hold(delivery(replace));
    const newer = delivery({ ...replace, at: T0 + MINUTE });
    await scene.begin(newer);
    await scene.finish(hold, { status: "CANCELLED" });
    scene.nowMs = T0 + 2 * MINUTE;
    expect(await scene.begin(redelivery(newer, scene.nowMs))).toMatchObject({ kind: "held", hold: { attempt: 1 } });
  });
});

describe("of two that wait", () => {
  test("the newer one that comes first leaves nothing for the older one", async ({ scene }) => {
    const hold = await scene.hold(delivery(replace));
    const [older, newer] = [delivery({ ...replace, at: T0 + MINUTE }), delivery({ ...replace, at: T0 + 2 * MINUTE })];
    await scene.begin(older);
    await scene.begin(newer);
    await scene.finish(hold, { status: "CANCELLED" });
    await scene.hold(newer);
    expect(await scene.begin(older)).toMatchObject({ kind: "skipped", heldBy: newer.runId });
    expect(await scene.state()).not.toHaveProperty("stop");
  });

  test("the older one that comes first is asked to stop, too", async ({ scene }) => {
    const hold = await scene.hold(delivery(replace));
    const [older, newer] = [delivery({ ...replace, at: T0 + MINUTE }), delivery({ ...replace, at: T0 + 2 * MINUTE })];
    await scene.begin(older);
    await scene.begin(newer);
    await scene.finish(hold, { status: "CANCELLED" });
    await scene.hold(older);
    expect(await scene.begin(newer)).toMatchObject({ kind: "wait", holder: { owner: older.owner } });
    expect(await scene.state()).toMatchObject({ stop: { owner: older.owner, by: newer.runId } });
  });
});

test("an older occurrence and a retry ask nobody", async ({ scene }) => {
  const failed = delivery(replace);
  await scene.finish(await scene.hold(failed), { status: "FAILED" });
  await scene.hold(delivery({ ...replace, at: T0 + 2 * MINUTE }));
  expect(await scene.begin(delivery({ ...replace, at: T0 + MINUTE }))).toMatchObject({ kind: "skipped" });
  expect(await scene.begin(redelivery(failed, T0 + MINUTE))).toMatchObject({ kind: "come-again" });
  expect(await scene.state()).not.toHaveProperty("stop");
});

test("a manual run is the operator's will: it asks, also where a newer occurrence was started", async ({ scene }) => {
  await scene.hold(delivery({ ...replace, at: T0 + MINUTE }));
  expect(await scene.begin(manual("request-1", replace))).toMatchObject({ kind: "wait", holder: { runId: NEXT } });
});

test("a holder that was asked to stop can still renew its lease while it stops", async ({ scene }) => {
  const hold = await scene.hold(delivery(replace));
  await scene.begin(delivery({ ...replace, at: T0 + MINUTE }));
  const { client } = scene.table;
  const store = createRunStore({ client, tableName: TABLE_NAME, fleet: FLEET, clock: () => scene.nowMs });
  const renewed = await perform(renew(hold, T0 + 20 * SECOND, undefined), store);
  expect(renewed).toMatchObject({ kind: "held", stop: { kind: "replace", by: NEXT } });
});

test("the wait is two heartbeats and ten seconds, with a look each quarter of a heartbeat", () => {
  expect(waitsUntilMs(T0, heartbeatMs)).toBe(T0 + 50 * SECOND);
  expect(nextLookMs(heartbeatMs)).toBe(5 * SECOND);
});
