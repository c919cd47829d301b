import { describe, expect } from "vitest";
import { begin } from "../../lib/run/index.ts";
import { delivery, MINUTE, manual, openScene, redelivery, SECOND, started, T0, TIMEOUT, test } from "./scene.ts";

const queue = { overlap: "queue" } as const;

// What docs/cost.md says. DynamoDB bills a refused write like one that is done.
describe("requests", () => {
  test("a clean run: one write before the handler, two after, no read", async ({ scene }) => {
    const hold = await scene.hold(delivery());
    expect(scene.table.takeRequests()).toEqual(["UpdateItem"]);
    await scene.finish(hold);
    expect(scene.table.takeRequests()).toEqual(["PutItem", "UpdateItem"]);
  });

  test("a duplicate of a running run: one refused write", async ({ scene }) => {
    await scene.hold(delivery());
    scene.table.takeRequests();
    await scene.begin(delivery());
    expect(scene.table.takeRequests()).toEqual(["UpdateItem"]);
  });

  test("a duplicate of the last run, which succeeded: one refused write", async ({ scene }) => {
    await scene.finish(await scene.hold(delivery()));
    scene.table.takeRequests();
    await scene.begin(delivery());
    expect(scene.table.takeRequests()).toEqual(["UpdateItem"]);
  });

  test("a duplicate of an older run: a read more", async ({ scene }) => {
    await scene.finish(await scene.hold(delivery()));
    await scene.finish(await scene.hold(delivery({ at: T0 + MINUTE })));
    scene.table.takeRequests();
    await scene.begin(delivery());
    expect(scene.table.takeRequests()).toEqual(["UpdateItem", "GetItem"]);
  });

  test("an occurrence that was overtaken: a read, a second acquire and a claim more", async ({ scene }) => {
    await scene.finish(await scene.hold(delivery({ at: T0 + MINUTE })));
    scene.table.takeRequests();
    const hold = await scene.hold(delivery());
    expect(scene.table.takeRequests()).toEqual(["UpdateItem", "GetItem", "UpdateItem", "PutItem", "Query"]);
    await scene.finish(hold);
    expect(scene.table.takeRequests()).toEqual(["PutItem", "UpdateItem"]);
  });

  test("a next attempt: a refused write, a read and a claim more", async ({ scene }) => {
    const first = delivery();
    await scene.finish(await scene.hold(first), { status: "FAILED" });
    scene.table.takeRequests();
    const hold = await scene.hold(redelivery(first, T0 + MINUTE));
    expect(scene.table.takeRequests()).toEqual(["UpdateItem", "GetItem", "UpdateItem", "PutItem"]);
    await scene.finish(hold);
    expect(scene.table.takeRequests()).toEqual(["PutItem", "UpdateItem"]);
  });

  test("the next attempt after a crash: the lost attempt is read and recorded", async ({ scene }) => {
    const first = delivery();
    await scene.hold(first);
    scene.table.takeRequests();
    scene.nowMs = T0 + TIMEOUT + MINUTE;
    await scene.hold(redelivery(first, scene.nowMs));
    expect(scene.table.takeRequests()).toEqual(["UpdateItem", "GetItem", "PutItem", "UpdateItem", "PutItem"]);
  });

  test("the next occurrence after a crash: the same, and no claim", async ({ scene }) => {
    await scene.hold(delivery());
    scene.table.takeRequests();
    scene.nowMs = T0 + TIMEOUT + MINUTE;
    await scene.hold(delivery({ at: T0 + 2 * MINUTE, receivedMs: scene.nowMs }));
    expect(scene.table.takeRequests()).toEqual(["UpdateItem", "GetItem", "PutItem", "UpdateItem"]);
  });

  test("a skip: a refused write, the state and the record", async ({ scene }) => {
    await scene.hold(delivery());
    scene.table.takeRequests();
    await scene.begin(delivery({ at: T0 + MINUTE }));
    expect(scene.table.takeRequests()).toEqual(["UpdateItem", "UpdateItem", "PutItem"]);
  });

  test("a late occurrence: a read, the state and the record", async ({ scene }) => {
    await scene.begin(delivery({ lateAfterMs: T0 - SECOND }));
    expect(scene.table.takeRequests()).toEqual(["GetItem", "UpdateItem", "PutItem"]);
  });

  test("an occurrence that waits: a refused write and its entry; its duplicate: a refused write", async ({ scene }) => {
    await scene.hold(delivery(queue));
    scene.table.takeRequests();
    await scene.begin(delivery({ ...queue, at: T0 + MINUTE }));
    expect(scene.table.takeRequests()).toEqual(["UpdateItem", "UpdateItem"]);
    await scene.begin(delivery({ ...queue, at: T0 + MINUTE }));
    expect(scene.table.takeRequests()).toEqual(["UpdateItem"]);
  });

  test("a run whose turn it is: a read and a write, and the run before it pays nothing", async ({ scene }) => {
    const first = await scene.hold(delivery(queue));
    await scene.begin(delivery({ ...queue, at: T0 + MINUTE }));
    scene.table.takeRequests();
    await scene.finish(first);
    expect(scene.table.takeRequests()).toEqual(["PutItem", "UpdateItem"]);
    await scene.hold(started("2026-03-02T02:01:00.000Z#default", "queued"));
    expect(scene.table.takeRequests()).toEqual(["GetItem", "UpdateItem"]);
  });

  test("a manual run: two reads and a claim more", async ({ scene }) => {
    const hold = await scene.hold(manual("request-1"));
    expect(scene.table.takeRequests()).toEqual(["GetItem", "GetItem", "UpdateItem", "PutItem"]);
    await scene.finish(hold);
    expect(scene.table.takeRequests()).toEqual(["PutItem", "UpdateItem"]);
  });
});

test("a store that returns no item with a failed condition is read once, consistently, and answers the same", async () => {
  const scene = await openScene({ returnsItem: false });
  await scene.hold(delivery());
  scene.table.takeRequests();
  expect(await scene.begin(delivery())).toMatchObject({ kind: "duplicate", status: "RUNNING" });
  expect(scene.table.takeRequests()).toEqual(["UpdateItem", "GetItem"]);
  await scene.table.close();
});

test("a state that changes under every look is given up after five rounds, to be delivered again", async ({
  scene,
}) => {
  await scene.finish(await scene.hold(delivery({ at: T0 + 10 * MINUTE })));
  const overtaken = scene.walk(begin(delivery()));
  for (let round = 1; round <= 5; round++) {
    await overtaken.past("read-record");
    await scene.finish(await scene.hold(delivery({ at: T0 + (10 + round) * MINUTE })));
  }
  expect(await overtaken.result()).toMatchObject({ kind: "come-again" });
});
