import { describe, expect } from "vitest";
import { type Hold, type Renewed, renew } from "../../lib/run/index.ts";
import { createRunStore, perform } from "../../lib/store/index.ts";
import { TABLE_NAME } from "./dynamo.ts";
import { delivery, FLEET, MINUTE, redelivery, type Scene, SECOND, T0, test } from "./scene.ts";

// 20 seconds: a lease lasts a minute, and five seconds of tolerance more for its owner's clock.
const heartbeatMs = 20 * SECOND;

function renewal(scene: Scene, hold: Hold, sentMs: number, fraction = 0): Promise<Renewed> {
  const { client } = scene.table;
  const store = createRunStore({ client, tableName: TABLE_NAME, fleet: FLEET, clock: () => scene.nowMs });
  return perform(renew(hold, sentMs, { fraction, atMs: sentMs }), store);
}

async function leaseEnd(scene: Scene): Promise<unknown> {
  return ((await scene.state())?.["lease"] as Record<string, unknown> | undefined)?.["expiresAt"];
}

describe("a lease with a heartbeat", () => {
  test("lasts three heartbeats and a tolerance, not until the deadline", async ({ scene }) => {
    await scene.hold(delivery({ heartbeatMs, leaseExpiresAtMs: T0 + 15 * MINUTE }));
    expect(await leaseEnd(scene)).toBe("2026-03-02T02:01:05.000Z");
  });

  test("never lasts longer than the platform's deadline", async ({ scene }) => {
    const hold = await scene.hold(delivery({ heartbeatMs, leaseExpiresAtMs: T0 + 2 * MINUTE }));
    expect(await renewal(scene, hold, T0 + 100 * SECOND)).toEqual({ kind: "held" });
    expect(await leaseEnd(scene)).toBe("2026-03-02T02:02:00.000Z");
  });

  test("is renewed by one write, which carries the progress", async ({ scene }) => {
    const hold = await scene.hold(delivery({ heartbeatMs, leaseExpiresAtMs: T0 + 15 * MINUTE }));
    scene.table.takeRequests();
    expect(await renewal(scene, hold, T0 + 20 * SECOND, 0.4)).toEqual({ kind: "held" });
    expect(scene.table.takeRequests()).toEqual(["UpdateItem"]);
    const { state } = await scene.queries.readJob(hold.delivery.job, { limit: 1 });
    expect(state?.lease).toMatchObject({ owner: hold.delivery.owner, progress: { fraction: 0.4 } });
    expect(await leaseEnd(scene)).toBe("2026-03-02T02:01:25.000Z");
  });

  test("is mine also when the reply to the renewal was lost", async ({ scene }) => {
    const hold = await scene.hold(delivery({ heartbeatMs, leaseExpiresAtMs: T0 + 15 * MINUTE }));
    scene.table.loseNextReply();
    expect(await renewal(scene, hold, T0 + 20 * SECOND)).toEqual({ kind: "held" });
  });

  test("is not shortened by a renewal that was under way for long", async ({ scene }) => {
    const hold = await scene.hold(delivery({ heartbeatMs, leaseExpiresAtMs: T0 + 15 * MINUTE }));
    await renewal(scene, hold, T0 + 40 * SECOND);
    // Beats go one after another: that an earlier one comes later means that the own clock was set back.
    expect(await renewal(scene, hold, T0 + 20 * SECOND)).toEqual({ kind: "lost" });
    expect(await leaseEnd(scene)).toBe("2026-03-02T02:01:45.000Z");
  });

  test("does not come back by a renewal that arrives after the release", async ({ scene }) => {
    const hold = await scene.hold(delivery({ heartbeatMs, leaseExpiresAtMs: T0 + 15 * MINUTE }));
    await scene.finish(hold);
    expect(await renewal(scene, hold, T0 + 20 * SECOND)).toEqual({ kind: "lost" });
    expect(await leaseEnd(scene)).toBeUndefined();
  });

  test("is taken over a minute and twice the tolerance after the last good renewal was sent", async ({ scene }) => {
    const first = delivery({ heartbeatMs, leaseExpiresAtMs: T0 + 15 * MINUTE });
    const hold = await scene.hold(first);
    await renewal(scene, hold, T0 + 20 * SECOND);
    scene.nowMs = T0 + 90 * SECOND;
    expect(await scene.begin(redelivery(first, scene.nowMs))).toMatchObject({ kind: "come-again" });
    scene.nowMs = T0 + 90 * SECOND + 1;
    expect(await scene.begin(redelivery(first, scene.nowMs))).toMatchObject({ kind: "held", hold: { attempt: 2 } });
    expect(await renewal(scene, hold, scene.nowMs)).toEqual({ kind: "lost" });
  });
});
