import { describe, expect } from "vitest";
import { begin, type Delivery, finish, type Hold, renew } from "../../lib/run/index.ts";
import { createFencedStore, createRunStore, perform } from "../../lib/store/index.ts";
import { TABLE_NAME } from "./dynamo.ts";
import { delivery, FLEET, JOB, MINUTE, redelivery, type Scene, SECOND, T0, TIMEOUT, test } from "./scene.ts";

// Two jobs that name the lock "billing-db"; times are of March 2.
const heartbeatMs = 20 * SECOND;
const RUN = "2026-03-02T02:00:00.000Z#default";
const locks = ["billing-db"];

type Overrides = Partial<Delivery> & { at?: number };
const invoicing = (overrides: Overrides = {}) => delivery({ job: "invoicing", locks, ...overrides });
const payouts = (overrides: Overrides = {}) => delivery({ job: "payouts", locks, ...overrides });

const lockOf = (scene: Scene, name = "billing-db") => scene.table.item(`${FLEET}#lock#${name}`, "state");
const stateOf = (scene: Scene, job: string) => scene.table.item(`${FLEET}#job#${job}`, "state");
const recordOf = (scene: Scene, job: string) => scene.table.item(`${FLEET}#job#${job}`, `run#${RUN}`);

function beat(scene: Scene, hold: Hold, sentMs: number) {
  const store = createRunStore({
    client: scene.table.client,
    tableName: TABLE_NAME,
    fleet: FLEET,
    clock: () => scene.nowMs,
  });
  return perform(renew(hold, sentMs, undefined), store);
}

describe("a shared lock", () => {
  test("is taken with the job's own, and given back before it", async ({ scene }) => {
    const hold = await scene.hold(invoicing());
    const { owner } = hold.delivery;
    expect(await lockOf(scene)).toMatchObject({
      lease: { owner, job: "invoicing", runId: RUN, expiresAt: "2026-03-02T02:01:30.000Z", priority: 0 },
    });
    const ending = scene.walk(finish(hold, { status: "SUCCEEDED", endedMs: T0 + SECOND }));
    await ending.past("release-lock");
    expect(await lockOf(scene)).not.toHaveProperty("lease");
    expect(await stateOf(scene, "invoicing")).toMatchObject({ lease: { owner } });
    await ending.result();
    expect(await stateOf(scene, "invoicing")).not.toHaveProperty("lease");
  });

  test("that another job holds skips the run, and the record names lock, job and run", async ({ scene }) => {
    await scene.hold(invoicing());
    const sharedLock = { name: "billing-db", job: "invoicing" };
    const answer = { kind: "skipped", reason: "overlap", runId: RUN, heldBy: RUN, sharedLock };
    expect(await scene.begin(payouts())).toEqual(answer);
    expect(await recordOf(scene, "payouts")).toMatchObject({ status: "SKIPPED", heldBy: RUN, sharedLock });
    expect(await stateOf(scene, "payouts")).not.toHaveProperty("lease");
    expect(await scene.begin(payouts())).toMatchObject({ kind: "duplicate", status: "SKIPPED" });
  });

  test("that another job holds makes a run with attempts left come again", async ({ scene }) => {
    const failed = payouts();
    await scene.finish(await scene.hold(failed), { status: "FAILED" });
    const other = await scene.hold(invoicing());
    expect(await scene.begin(redelivery(failed, T0 + MINUTE))).toEqual({
      kind: "come-again",
      why: "job invoicing holds the lock billing-db and this run has attempts left",
    });
    expect(await recordOf(scene, "payouts")).toMatchObject({ status: "FAILED", attempt: 1 });
    await scene.finish(other);
    expect(await scene.begin(redelivery(failed, T0 + 2 * MINUTE))).toMatchObject({
      kind: "held",
      hold: { attempt: 2 },
    });
  });

  test("is one of two that start at the same time", async ({ scene }) => {
    const [one, other] = [scene.walk(begin(invoicing())), scene.walk(begin(payouts()))];
    await one.past("acquire-newest");
    await other.past("acquire-newest");
    await other.past("take-lock");
    expect(await one.result()).toMatchObject({ kind: "skipped", sharedLock: { job: "payouts" } });
    expect(await other.result()).toMatchObject({ kind: "held" });
  });

  test("is known as one's own when the reply was lost", async ({ scene }) => {
    const walk = scene.walk(begin(invoicing()));
    await walk.past("acquire-newest");
    scene.table.loseNextReply();
    expect(await walk.result()).toMatchObject({ kind: "held" });
  });

  test("of a run that died is taken when its lease is over, as it was seen", async ({ scene }) => {
    await scene.hold(invoicing());
    scene.nowMs = T0 + TIMEOUT + 5 * SECOND;
    expect(await scene.begin(payouts({ at: T0 + MINUTE, receivedMs: scene.nowMs }))).toMatchObject({ kind: "skipped" });
    scene.nowMs += 1;
    const [one, other] = [payouts, payouts].map((of, n) =>
      scene.walk(begin(of({ job: `payouts-${n}`, receivedMs: scene.nowMs }))),
    );
    for (const walk of [one, other]) {
      await walk?.past("acquire-newest");
      await walk?.past("take-lock");
    }
    expect(await other?.result()).toMatchObject({ kind: "held" });
    expect(await one?.result()).toMatchObject({ kind: "skipped", sharedLock: { job: "payouts-1" } });
  });

  test("of a dead run of the same job is taken at once: the job's own lock says that it is dead", async ({ scene }) => {
    const dead = await scene.hold(invoicing());
    // The lock of the job was given back, that of the database was not.
    await scene.finish({ ...dead, delivery: { ...dead.delivery, locks: [] } }, { status: "FAILED" });
    const hold = await scene.hold(invoicing({ at: T0 + MINUTE }));
    expect(await lockOf(scene)).toMatchObject({ lease: { owner: hold.delivery.owner } });
    // What the dead one had sent changes nothing any more.
    await scene.finish(dead);
    expect(await lockOf(scene)).toMatchObject({ lease: { owner: hold.delivery.owner } });
  });

  test("goes back when a skip, under way since before, refuses the claim", async ({ scene }) => {
    await scene.pause();
    const skipping = scene.walk(begin(invoicing({ job: JOB })));
    await skipping.past("raise-high-water");
    await scene.resume();
    const late = scene.walk(begin(invoicing({ job: JOB })));
    await late.past("take-lock");
    expect(await skipping.result()).toMatchObject({ kind: "skipped" });
    expect(await late.result()).toMatchObject({ kind: "duplicate", status: "SKIPPED" });
    expect(await lockOf(scene)).not.toHaveProperty("lease");
    expect(await stateOf(scene, JOB)).not.toHaveProperty("lease");
  });
});

describe("several locks", () => {
  const both = { locks: ["a", "b"] };

  test("are taken in the order of their names, and given back in reverse", async ({ scene }) => {
    const walk = scene.walk(begin(invoicing(both)));
    expect([await walk.step(), await walk.step(), await walk.step()]).toEqual([
      "acquire-newest",
      "take-lock",
      "take-lock",
    ]);
    const begun = await walk.result();
    if (begun.kind !== "held") throw new Error(begun.kind);
    const ending = scene.walk(finish(begun.hold, { status: "SUCCEEDED", endedMs: T0 }));
    await ending.past("release-lock");
    expect(await lockOf(scene, "a")).toHaveProperty("lease");
    expect(await lockOf(scene, "b")).not.toHaveProperty("lease");
  });

  test("are all given back when one of them is held", async ({ scene }) => {
    await scene.hold(payouts({ locks: ["b"] }));
    expect(await scene.begin(invoicing(both))).toMatchObject({ kind: "skipped", sharedLock: { name: "b" } });
    expect(await lockOf(scene, "a")).not.toHaveProperty("lease");
    expect(await stateOf(scene, "invoicing")).not.toHaveProperty("lease");
  });

  test.for(["acquire-newest", "take-lock", "release-lock", "put-skipped"])(
    "are free again after a crash behind %s, when its lease is over",
    async (step, { scene }) => {
      const other = await scene.hold(payouts({ locks: ["b"] }));
      const crashed = invoicing(both);
      await scene.walk(begin(crashed)).past(step);
      await scene.finish(other);
      scene.nowMs = T0 + TIMEOUT + MINUTE;
      const again = await scene.begin(redelivery(crashed, scene.nowMs));
      const expected = step === "put-skipped" ? { kind: "duplicate", status: "SKIPPED" } : { kind: "held" };
      expect(again).toMatchObject(expected);
      expect(await scene.begin(payouts({ locks: ["a"], receivedMs: scene.nowMs, at: T0 + MINUTE }))).toMatchObject({
        kind: step === "put-skipped" ? "held" : "skipped",
      });
    },
  );
});

describe("a heartbeat", () => {
  test("renews the shared locks, too, and costs a write for each", async ({ scene }) => {
    const hold = await scene.hold(invoicing({ heartbeatMs, leaseExpiresAtMs: T0 + 15 * MINUTE }));
    scene.table.takeRequests();
    expect(await beat(scene, hold, T0 + 20 * SECOND)).toEqual({ kind: "held" });
    expect(scene.table.takeRequests()).toEqual(["UpdateItem", "UpdateItem"]);
    // Three heartbeats and the tolerance, from when it was sent.
    expect(await lockOf(scene)).toMatchObject({ lease: { expiresAt: "2026-03-02T02:01:25.000Z" } });
  });

  test("that finds a shared lock in other hands has lost", async ({ scene }) => {
    const hold = await scene.hold(invoicing({ heartbeatMs, leaseExpiresAtMs: T0 + 15 * MINUTE }));
    scene.nowMs = T0 + 2 * MINUTE;
    const other = await scene.hold(payouts({ receivedMs: scene.nowMs }));
    expect(await beat(scene, hold, scene.nowMs)).toEqual({ kind: "lost" });
    await scene.finish(hold, { status: "FAILED" });
    expect(await lockOf(scene)).toMatchObject({ lease: { owner: other.delivery.owner } });
  });
});

describe("a higher priority", () => {
  const low = { heartbeatMs, priority: 0, leaseExpiresAtMs: T0 + 15 * MINUTE };

  test("asks the holder to stop, waits with nothing in its hands, and runs then", async ({ scene }) => {
    const hold = await scene.hold(invoicing(low));
    const { owner } = hold.delivery;
    const urgent = payouts({ priority: 5 });
    expect(await scene.begin(urgent)).toEqual({ kind: "wait", holder: { owner, runId: RUN, heartbeatMs: 20_000 } });
    expect(await stateOf(scene, "payouts")).not.toHaveProperty("lease");
    expect(await beat(scene, hold, T0 + 20 * SECOND)).toMatchObject({
      kind: "held",
      stop: { kind: "priority", by: `payouts ${RUN}`, reason: "it needs the lock billing-db" },
    });
    await scene.finish(hold, { status: "CANCELLED" });
    expect(await lockOf(scene)).not.toHaveProperty("stop");
    expect(await scene.begin({ ...urgent, owner: "second look" })).toMatchObject({
      kind: "held",
      hold: { attempt: 1 },
    });
  });

  test("asks once", async ({ scene }) => {
    await scene.hold(invoicing(low));
    await scene.begin(payouts({ priority: 5 }));
    scene.table.takeRequests();
    expect(await scene.begin(payouts({ priority: 5 }))).toMatchObject({ kind: "wait" });
    // The state is refused, the record read, the lock of the job taken, the shared one refused; then it is given back.
    expect(scene.table.takeRequests()).toEqual(["UpdateItem", "GetItem", "UpdateItem", "UpdateItem", "UpdateItem"]);
  });

  test("is skipped when the wait is over", async ({ scene }) => {
    await scene.hold(invoicing(low));
    const urgent = payouts({ priority: 5 });
    await scene.begin(urgent);
    expect(await scene.begin({ ...urgent, owner: "last look", hasWaited: true })).toMatchObject({
      kind: "skipped",
      sharedLock: { name: "billing-db", job: "invoicing" },
    });
  });

  test.for([
    ["the same priority", { ...low, priority: 5 }],
    ["a higher one", { ...low, priority: 6 }],
    ["no heartbeat", { ...low, heartbeatMs: undefined }],
  ] as const)("does not stop a holder with %s", async ([_what, holder], { scene }) => {
    await scene.hold(invoicing(holder));
    expect(await scene.begin(payouts({ priority: 5 }))).toMatchObject({ kind: "skipped" });
    expect(await lockOf(scene)).not.toHaveProperty("stop");
  });

  test("does not wait for a holder that has ended and is only held over, and says so", async ({ scene }) => {
    // Its lease: three heartbeats and the tolerance, 65 seconds, and the hold.
    await scene.hold(invoicing({ ...low, holdMs: 10 * MINUTE }));
    scene.nowMs = T0 + 70 * SECOND;
    expect(await scene.begin(payouts({ priority: 5, receivedMs: scene.nowMs }))).toMatchObject({ kind: "wait" });
    scene.nowMs += 1;
    const heldOver = { heldOver: true, heldBy: RUN, sharedLock: { name: "billing-db", job: "invoicing" } };
    expect(await scene.begin(payouts({ priority: 5, receivedMs: scene.nowMs }))).toMatchObject({
      kind: "skipped",
      ...heldOver,
    });
    expect(await recordOf(scene, "payouts")).toMatchObject({ status: "SKIPPED", ...heldOver });
  });

  test("that crashes while it waits is delivered again, and runs", async ({ scene }) => {
    const hold = await scene.hold(invoicing(low));
    const urgent = payouts({ priority: 5 });
    await scene.begin(urgent);
    await scene.finish(hold, { status: "CANCELLED" });
    expect(await scene.begin(redelivery(urgent, T0 + MINUTE))).toMatchObject({ kind: "held", hold: { attempt: 1 } });
  });
});

describe("a job with a queue", () => {
  const queue = { overlap: "queue", queueLength: 10 } as const;

  test("waits for a shared lock in it, and is not started for that lock round and round", async ({ scene }) => {
    const other = await scene.hold(invoicing());
    const sharedLock = { name: "billing-db", job: "invoicing" };
    expect(await scene.begin(payouts(queue))).toEqual({ kind: "queued", runId: RUN, position: 1, sharedLock });
    expect(await stateOf(scene, "payouts")).toMatchObject({ queue: [{ runId: RUN, heldBy: RUN }] });
    const started = payouts({ ...queue, cause: "queued" });
    expect(await scene.begin(started)).toEqual({ kind: "queued", runId: RUN, position: 1, sharedLock });
    expect(await stateOf(scene, "payouts")).not.toHaveProperty("lease");
    await scene.finish(other);
    expect(await scene.begin({ ...started, owner: "once more" })).toMatchObject({ kind: "held", hold: { attempt: 1 } });
    expect(await stateOf(scene, "payouts")).toMatchObject({ queue: [] });
  });

  test("gives a run that steps back its place at the head again: those who came after it stay behind", async ({
    scene,
  }) => {
    const other = await scene.hold(invoicing());
    await scene.begin(payouts(queue));
    await scene.begin(payouts({ ...queue, at: T0 + MINUTE }));
    const first = payouts({ ...queue, cause: "queued" });
    expect(await scene.begin(first)).toMatchObject({ kind: "queued", position: 1 });
    const next = "2026-03-02T02:01:00.000Z#default";
    expect(await stateOf(scene, "payouts")).toMatchObject({ queue: [{ runId: RUN }, { runId: next }] });
    await scene.finish(other);
    const hold = await scene.hold({ ...first, owner: "once more" });
    expect((await scene.finish(hold)).next).toMatchObject({ runId: next });
  });

  test("puts a run that steps back before one that has joined since it took the lock", async ({ scene }) => {
    await scene.hold(invoicing());
    const stepping = scene.walk(begin(payouts(queue)));
    await stepping.past("take-lock");
    const next = "2026-03-02T02:01:00.000Z#default";
    expect(await scene.begin(payouts({ ...queue, at: T0 + MINUTE }))).toMatchObject({ kind: "queued", position: 1 });
    expect(await stepping.result()).toMatchObject({ kind: "queued", position: 1 });
    expect(await stateOf(scene, "payouts")).toMatchObject({ queue: [{ runId: RUN }, { runId: next }] });
  });

  test("lets the next delivery of the job start the one that waits", async ({ scene }) => {
    const other = await scene.hold(invoicing());
    await scene.begin(payouts(queue));
    await scene.finish(other);
    expect(await scene.begin(payouts({ ...queue, at: T0 + MINUTE }))).toMatchObject({
      kind: "queued",
      position: 2,
      next: { runId: RUN },
    });
  });

  test("stops nobody and waits for nobody, whatever its priority: two would hand the turn to each other without end", async ({
    scene,
  }) => {
    await scene.hold(invoicing({ heartbeatMs, priority: 0, leaseExpiresAtMs: T0 + 15 * MINUTE }));
    const urgent = { ...queue, priority: 5 };
    expect(await scene.begin(payouts(urgent))).toMatchObject({ kind: "queued", position: 1 });
    expect(await scene.begin(payouts({ ...urgent, at: T0 + MINUTE }))).toMatchObject({ kind: "queued", position: 2 });
    const started = await scene.begin(payouts({ ...urgent, cause: "queued" }));
    expect(started).toMatchObject({ kind: "queued", sharedLock: { name: "billing-db" } });
    expect(started).not.toHaveProperty("next");
    expect(await lockOf(scene)).not.toHaveProperty("stop");
  });

  test("knows its own entry when the reply to it was lost", async ({ scene }) => {
    await scene.hold(invoicing());
    const walk = scene.walk(begin(payouts(queue)));
    await walk.past("take-lock");
    scene.table.loseNextReply();
    expect(await walk.result()).toMatchObject({ kind: "queued", position: 1 });
    expect(await stateOf(scene, "payouts")).not.toHaveProperty("lease");
  });
});

test("a transaction of the handler is refused where a shared lock is lost", async ({ scene }) => {
  const hold = await scene.hold(invoicing({ heartbeatMs, leaseExpiresAtMs: T0 + 15 * MINUTE }));
  const { client } = scene.table;
  const store = createFencedStore({ client, tableName: TABLE_NAME, fleet: FLEET });
  const item = { Put: { TableName: TABLE_NAME, Item: { pk: "orders", sk: "1" } } };
  await store.transact(hold, [item], "first");
  scene.nowMs = T0 + 2 * MINUTE;
  await scene.hold(payouts({ receivedMs: scene.nowMs }));
  await expect(store.transact(hold, [item], "second")).rejects.toMatchObject({ code: "WRITE_FENCED" });
});

test("a clean run with two shared locks: two writes more before the handler, and two after", async ({ scene }) => {
  const hold = await scene.hold(invoicing({ locks: ["a", "b"] }));
  expect(scene.table.takeRequests()).toEqual(["UpdateItem", "UpdateItem", "UpdateItem"]);
  await scene.finish(hold);
  expect(scene.table.takeRequests()).toEqual(["PutItem", "UpdateItem", "UpdateItem", "UpdateItem"]);
});
