import { describe, expect } from "vitest";
import { begin, finish } from "../../lib/run/index.ts";
import { createFencedStore } from "../../lib/store/index.ts";
import { TABLE_NAME } from "./dynamo.ts";
import { delivery, FLEET, JOB, MINUTE, manual, redelivery, SECOND, T0, TIMEOUT, test } from "./scene.ts";

// The overlap policy `allow`: the run's record is claimed in the place of a lock.
const allow = { overlap: "allow" } as const;
const RUN = "2026-03-02T02:00:00.000Z#default";
const NEXT = "2026-03-02T02:01:00.000Z#default";

describe("two occurrences", () => {
  test("run beside each other, the later one with the higher fencing token", async ({ scene }) => {
    const first = await scene.hold(delivery(allow));
    const second = await scene.hold(delivery({ ...allow, at: T0 + MINUTE }));
    expect(second.fencingToken).toBe(first.fencingToken + 1);
    expect((await scene.state())?.["lease"]).toBeUndefined();
    const { runs } = await scene.queries.readJob(JOB, { limit: 5 });
    expect(runs.map(({ runId, status }) => [runId, status])).toEqual([
      [NEXT, "RUNNING"],
      [RUN, "RUNNING"],
    ]);
  });

  test("that end in the other order leave the newest success on the state", async ({ scene }) => {
    const first = await scene.hold(delivery(allow));
    const second = await scene.hold(delivery({ ...allow, at: T0 + MINUTE }));
    await scene.finish(second);
    scene.nowMs = T0 + 2 * MINUTE;
    await scene.finish(first);
    const state = await scene.state();
    expect(state?.["lastSuccess"]).toMatchObject({ runId: NEXT });
    expect(state?.["last"]).toMatchObject({ runId: RUN, status: "SUCCEEDED" });
  });

  test("do not hide each other's failures", async ({ scene }) => {
    const first = await scene.hold(delivery(allow));
    const second = await scene.hold(delivery({ ...allow, at: T0 + MINUTE }));
    await scene.finish(second, { status: "FAILED" });
    await scene.finish(first, { status: "FAILED", endedMs: T0 + SECOND });
    expect((await scene.state())?.["consecutiveFailures"]).toBe(2);
  });
});

describe("one occurrence", () => {
  test("runs once: a duplicate of a running one is answered", async ({ scene }) => {
    await scene.hold(delivery(allow));
    expect(await scene.begin(delivery(allow))).toMatchObject({ kind: "duplicate", status: "RUNNING" });
  });

  test("is a duplicate for ever once it succeeded, also behind a newer one", async ({ scene }) => {
    await scene.finish(await scene.hold(delivery(allow)));
    await scene.finish(await scene.hold(delivery({ ...allow, at: T0 + MINUTE })));
    expect(await scene.begin(delivery(allow))).toMatchObject({ kind: "duplicate", status: "SUCCEEDED" });
  });

  test("is claimed by one of two deliveries that both saw no record", async ({ scene }) => {
    const one = scene.walk(begin(delivery(allow)));
    const other = scene.walk(begin(delivery(allow)));
    await one.past("take-number");
    await other.past("read-record");
    await other.past("take-number");
    expect(await one.result()).toMatchObject({ kind: "held" });
    expect(await other.result()).toMatchObject({ kind: "duplicate", status: "RUNNING" });
  });

  test("is taken over by one of two that both saw the dead attempt", async ({ scene }) => {
    const first = delivery(allow);
    await scene.hold(first);
    scene.nowMs = T0 + TIMEOUT + MINUTE;
    const one = scene.walk(begin(redelivery(first, scene.nowMs)));
    const other = scene.walk(begin(delivery({ ...allow, receivedMs: scene.nowMs })));
    await one.past("take-number");
    await one.past("take-number");
    await other.past("take-number");
    await other.past("take-number");
    expect(await one.result()).toMatchObject({
      kind: "held",
      hold: { attempt: 2, previousError: { name: "RunLost" } },
    });
    expect(await other.result()).toMatchObject({ kind: "duplicate" });
  });

  test("is not taken from the one that took it over while the other looked at the dead attempt", async ({ scene }) => {
    const first = delivery(allow);
    await scene.hold(first);
    scene.nowMs = T0 + TIMEOUT + MINUTE;
    const other = scene.walk(begin(delivery({ ...allow, receivedMs: scene.nowMs })));
    await other.past("read-record");
    expect(await scene.begin(redelivery(first, scene.nowMs))).toMatchObject({ kind: "held", hold: { attempt: 2 } });
    expect(await other.result()).toMatchObject({ kind: "duplicate", status: "RUNNING" });
  });

  test("comes again while an earlier try of the same delivery may be at work", async ({ scene }) => {
    const first = delivery(allow);
    await scene.hold(first);
    expect(await scene.begin(redelivery(first, T0 + MINUTE))).toMatchObject({ kind: "come-again" });
  });

  test("waits for the deadline of a handler that was timed out and may go on", async ({ scene }) => {
    const first = delivery(allow);
    await scene.finish(await scene.hold(first), { status: "TIMED_OUT", endedMs: T0 + TIMEOUT - SECOND });
    scene.nowMs = T0 + TIMEOUT;
    expect(await scene.begin(redelivery(first, scene.nowMs))).toMatchObject({ kind: "come-again" });
    scene.nowMs = T0 + TIMEOUT + MINUTE;
    expect(await scene.begin(redelivery(first, scene.nowMs))).toMatchObject({ kind: "held", hold: { attempt: 2 } });
  });

  test("fails for good after its last attempt, with the recorded error", async ({ scene }) => {
    const first = delivery({ ...allow, maxAttempts: 1 });
    const error = { name: "Error", message: "503" };
    await scene.finish(await scene.hold(first), { status: "FAILED", error });
    expect(await scene.begin(redelivery(first, T0 + MINUTE))).toEqual({ kind: "exhausted", error });
  });

  test("is known when the replies to all of its writes were lost", async ({ scene }) => {
    scene.table.loseNextReply();
    const walk = scene.walk(begin(delivery(allow)));
    await walk.past("take-number");
    for (let sent: string | undefined = ""; sent !== "put-as-seen"; ) {
      scene.table.loseNextReply();
      sent = await walk.step();
    }
    expect(await walk.result()).toMatchObject({ kind: "held", hold: { attempt: 1 } });
  });
});

test("a paused job starts no occurrence, and a manual run all the same", async ({ scene }) => {
  await scene.pause();
  expect(await scene.begin(delivery(allow))).toMatchObject({ kind: "skipped", reason: "paused" });
  expect(await scene.begin(manual("request-1", allow))).toMatchObject({ kind: "held" });
});

test("a pause between look and start is seen", async ({ scene }) => {
  await scene.hold(delivery({ ...allow, at: T0 + MINUTE }));
  const overtaken = scene.walk(begin(delivery(allow)));
  await overtaken.past("read-record");
  await scene.pause();
  expect(await overtaken.result()).toMatchObject({ kind: "skipped", reason: "paused" });
});

describe("a job whose policy was changed", () => {
  test("from allow to skip does not start a run that is at work", async ({ scene }) => {
    await scene.hold(delivery(allow));
    expect(await scene.begin(delivery())).toMatchObject({ kind: "duplicate", status: "RUNNING" });
  });

  test("from skip to allow and back does not count a failed attempt as lost, too", async ({ scene }) => {
    // Its process dies between the record and the release.
    const failing = scene.walk(finish(await scene.hold(manual("request-1")), { status: "FAILED", endedMs: T0 }));
    await failing.past("put-record");
    scene.nowMs = T0 + TIMEOUT + MINUTE;
    await scene.finish(await scene.hold(delivery({ ...allow, receivedMs: scene.nowMs })));
    await scene.begin(delivery({ at: T0 + MINUTE, receivedMs: scene.nowMs }));
    const record = await scene.record("2026-03-02T02:00:00.000Z#manual#request-1");
    expect(record).toMatchObject({ status: "FAILED", attempt: 1, attempts: [{ attempt: 1, status: "FAILED" }] });
  });

  test("from skip to allow counts the attempt that died with the lock", async ({ scene }) => {
    const first = delivery();
    await scene.hold(first);
    scene.nowMs = T0 + TIMEOUT + MINUTE;
    const hold = await scene.hold(redelivery({ ...first, ...allow }, scene.nowMs));
    expect(hold).toMatchObject({ attempt: 2, attempts: [{ attempt: 1, status: "LOST" }] });
    expect((await scene.state())?.["lease"]).toBeUndefined();
  });

  test("from skip to allow refuses no write of the run that still holds the lock", async ({ scene }) => {
    const holder = await scene.hold(delivery());
    const beside = await scene.hold(delivery({ ...allow, at: T0 + MINUTE }));
    expect(beside.fencingToken).toBe(holder.fencingToken + 1);
    const { client } = scene.table;
    const store = createFencedStore({ client, tableName: TABLE_NAME, fleet: FLEET });
    const item = { Put: { TableName: TABLE_NAME, Item: { pk: "orders", sk: "1" } } };
    await store.transact(holder, [item], "holder");
    await store.transact(beside, [item], "beside");
    expect(await scene.table.item("orders", "1")).toEqual({ pk: "orders", sk: "1" });
  });

  test("from skip to allow does not start a run that holds the lock", async ({ scene }) => {
    await scene.hold(delivery());
    expect(await scene.begin(delivery(allow))).toMatchObject({ kind: "duplicate", status: "RUNNING" });
  });
});

describe("requests", () => {
  test("a clean run: a number and a claim before the handler, the record and the state after", async ({ scene }) => {
    const hold = await scene.hold(delivery(allow));
    expect(scene.table.takeRequests()).toEqual(["UpdateItem", "PutItem"]);
    await scene.finish(hold);
    expect(scene.table.takeRequests()).toEqual(["PutItem", "UpdateItem"]);
  });

  test("a duplicate of a running run: a refused write and a read", async ({ scene }) => {
    await scene.hold(delivery(allow));
    scene.table.takeRequests();
    await scene.begin(delivery(allow));
    expect(scene.table.takeRequests()).toEqual(["UpdateItem", "GetItem"]);
  });
});
