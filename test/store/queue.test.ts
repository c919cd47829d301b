import { describe, expect } from "vitest";
import { begin, finish, strandedHead } from "../../lib/run/index.ts";
import { createRunStore } from "../../lib/store/index.ts";
import { TABLE_NAME } from "./dynamo.ts";
import {
  delivery,
  FLEET,
  MINUTE,
  manual,
  redelivery,
  type Scene,
  SECOND,
  started,
  T0,
  TIMEOUT,
  test,
} from "./scene.ts";

// The overlap policy `queue`.
const queue = { overlap: "queue" } as const;
const FIRST = "2026-03-02T02:00:00.000Z#default";
const SECOND_RUN = "2026-03-02T02:01:00.000Z#default";
const THIRD = "2026-03-02T02:02:00.000Z#default";

const second = (overrides = {}) => delivery({ ...queue, at: T0 + MINUTE, ...overrides });
const third = (overrides = {}) => delivery({ ...queue, at: T0 + 2 * MINUTE, ...overrides });

async function waiting(scene: Scene): Promise<unknown[]> {
  const { queue = [] } = ((await scene.state()) ?? {}) as { queue?: { runId: string }[] };
  return queue.map(({ runId }) => runId);
}

describe("an occurrence that finds another one at work", () => {
  test("waits for its turn, with all that its run is told, and has no record yet", async ({ scene }) => {
    await scene.hold(delivery(queue));
    const input = { bytes: 17, hash: "c0ffee" };
    const arrival = second({ input, inputJson: '{"region":"emea"}' });
    expect(await scene.begin(arrival)).toEqual({ kind: "queued", runId: SECOND_RUN, position: 1 });
    expect((await scene.state())?.["queue"]).toEqual([
      {
        runId: SECOND_RUN,
        trigger: { kind: "schedule" },
        deliveryId: arrival.deliveryId,
        requestId: arrival.requestId,
        queuedAt: "2026-03-02T02:00:00.000Z",
        heldBy: FIRST,
        input: '{"region":"emea"}',
      },
    ]);
    expect(await scene.record(SECOND_RUN)).toBeUndefined();
  });

  test("runs in the order of joining, each started by the one before it", async ({ scene }) => {
    const first = await scene.hold(delivery(queue));
    await scene.begin(third());
    await scene.begin(second());
    expect(await waiting(scene)).toEqual([THIRD, SECOND_RUN]);

    const { next } = await scene.finish(first);
    expect(next).toMatchObject({ runId: THIRD });
    const held = await scene.hold(started(THIRD, "queued"));
    expect(held).toMatchObject({ attempt: 1, delivery: { runId: THIRD } });
    expect(await waiting(scene)).toEqual([SECOND_RUN]);
    expect((await scene.finish(held)).next).toMatchObject({ runId: SECOND_RUN });
    expect((await scene.finish(await scene.hold(started(SECOND_RUN, "queued")))).next).toBeUndefined();
    expect(await waiting(scene)).toEqual([]);
  });

  test("joins also when it is manual, or a further attempt", async ({ scene }) => {
    const failing = delivery(queue);
    await scene.finish(await scene.hold(failing), { status: "FAILED" });
    await scene.hold(second());
    expect(await scene.begin(redelivery(failing, T0 + 2 * MINUTE))).toMatchObject({ kind: "queued", position: 1 });
    const workTimeMs = T0 - 5 * MINUTE;
    expect(await scene.begin(manual("request-1", { ...queue, workTimeMs, workSchedule: "hourly" }))).toMatchObject({
      kind: "queued",
      position: 2,
    });
    expect((await scene.state())?.["queue"]).toMatchObject([
      { runId: FIRST },
      { trigger: { kind: "operator", by: "alice" }, workTime: "2026-03-02T01:55:00.000Z", workSchedule: "hourly" },
    ]);
  });

  test("comes again where its input is too long to be kept", async ({ scene }) => {
    await scene.hold(delivery(queue));
    const input = { bytes: 4_097, hash: "c0ffee" };
    expect(await scene.begin(second({ input }))).toEqual({
      kind: "come-again",
      why: "its input has 4097 bytes, and at most 4096 are kept in the queue",
    });
  });

  test("is skipped as late before it joins, and never while it waits", async ({ scene }) => {
    const first = await scene.hold(delivery(queue));
    const late = { receivedMs: T0 + 10 * MINUTE, lateAfterMs: T0 + 9 * MINUTE };
    scene.nowMs = T0 + SECOND;
    await scene.begin(third({ lateAfterMs: T0 + 3 * MINUTE }));
    scene.nowMs = T0 + 80 * SECOND;
    expect(await scene.begin(second({ ...late, lateAfterMs: T0 + 70 * SECOND }))).toMatchObject({
      kind: "skipped",
      reason: "late",
    });
    await scene.finish(first);
    scene.nowMs = T0 + 10 * MINUTE;
    expect(await scene.begin(third(late))).toMatchObject({ kind: "held" });
  });

  test("is skipped when as many wait as may, and a further attempt comes again", async ({ scene }) => {
    const failing = delivery({ ...queue, queueLength: 1 });
    await scene.finish(await scene.hold(failing), { status: "FAILED" });
    await scene.hold(second({ queueLength: 1 }));
    await scene.begin(third({ queueLength: 1 }));
    const fourth = delivery({ ...queue, queueLength: 1, at: T0 + 3 * MINUTE });
    expect(await scene.begin(fourth)).toMatchObject({ kind: "skipped", reason: "overlap", heldBy: SECOND_RUN });
    expect(await scene.begin(redelivery(failing, T0 + MINUTE))).toMatchObject({ kind: "come-again" });
    expect(await waiting(scene)).toEqual([THIRD]);
  });

  test("keeps its duplicates from the fast way, also when everybody has left", async ({ scene }) => {
    const first = await scene.hold(delivery(queue));
    await scene.begin(second());
    expect(await scene.begin(second())).toMatchObject({ kind: "queued", position: 1 });
    await scene.finish(first);
    await scene.finish(await scene.hold(started(SECOND_RUN, "queued")));
    expect(await scene.begin(second())).toMatchObject({ kind: "duplicate", status: "SUCCEEDED" });
  });
});

describe("a newcomer", () => {
  test("does not overtake those who wait, and starts the first of them where nobody else would", async ({ scene }) => {
    await scene.finish(await queuedBehind(scene));
    // The start of the second run is lost.
    const begun = await scene.begin(third());
    expect(begun).toMatchObject({ kind: "queued", position: 2, next: { runId: SECOND_RUN } });
    expect(await scene.hold(started(SECOND_RUN, "queued"))).toMatchObject({ attempt: 1 });
  });

  test("that is manual does not overtake, either", async ({ scene }) => {
    await scene.finish(await queuedBehind(scene));
    expect(await scene.begin(manual("request-1", queue))).toMatchObject({ kind: "queued", position: 2 });
  });

  test("waits behind another newcomer that joined between its look and its write", async ({ scene }) => {
    await scene.hold(delivery(queue));
    const one = scene.walk(begin(second()));
    const other = scene.walk(begin(third()));
    await one.past("acquire-newest");
    await other.past("acquire-newest");
    expect(await other.result()).toMatchObject({ position: 1 });
    expect(await one.result()).toMatchObject({ kind: "queued", position: 2 });
    expect(await waiting(scene)).toEqual([THIRD, SECOND_RUN]);
  });

  test("does not join when the holder has left since its look: it runs", async ({ scene }) => {
    const first = await scene.hold(delivery(queue));
    const joining = scene.walk(begin(second()));
    await joining.past("acquire-newest");
    expect((await scene.finish(first)).next).toBeUndefined();
    expect(await joining.result()).toMatchObject({ kind: "held" });
  });

  // Of two clocks one calls the lease dead a little earlier.
  test("is not overtaken by a taker of a dead lease that saw nobody wait", async ({ scene }) => {
    await scene.hold(delivery(queue));
    const afterwards = T0 + TIMEOUT + 6 * SECOND;
    scene.nowMs = afterwards;
    const taker = scene.walk(begin(third({ receivedMs: afterwards })));
    await taker.past("put-as-seen");
    scene.nowMs = T0 + TIMEOUT;
    await scene.begin(second());
    scene.nowMs = afterwards;
    expect(await taker.result()).toMatchObject({ kind: "queued", position: 2, next: { runId: SECOND_RUN } });
  });
});

describe("a duplicate of a run that waits", () => {
  test("is answered as queued, with one request", async ({ scene }) => {
    await queuedBehind(scene);
    scene.table.takeRequests();
    expect(await scene.begin(second())).toEqual({ kind: "queued", runId: SECOND_RUN, position: 1 });
    expect(scene.table.takeRequests()).toEqual(["UpdateItem"]);
    expect(await waiting(scene)).toEqual([SECOND_RUN]);
  });

  test("runs it when its turn has come", async ({ scene }) => {
    await scene.finish(await queuedBehind(scene));
    expect(await scene.begin(second())).toMatchObject({ kind: "held" });
    expect(await waiting(scene)).toEqual([]);
    expect(await scene.begin(started(SECOND_RUN, "queued"))).toMatchObject({ kind: "duplicate", status: "RUNNING" });
  });
});

describe("a start that ends otherwise than by running starts the next one", () => {
  test("when its run has been skipped because the job is paused", async ({ scene }) => {
    const first = await queuedBehind(scene);
    await scene.begin(third());
    await scene.begin(manual("request-1", queue));
    await scene.finish(first);
    await scene.pause();
    const skipped = await scene.begin(started(SECOND_RUN, "queued"));
    expect(skipped).toMatchObject({ kind: "skipped", reason: "paused", next: { runId: THIRD } });
    expect(await scene.record(SECOND_RUN)).toMatchObject({ status: "SKIPPED", reason: "paused" });
    const last = await scene.begin(started(THIRD, "queued"));
    expect(last).toMatchObject({ kind: "skipped", next: { runId: "2026-03-02T02:00:00.000Z#manual#request-1" } });
    // The operator's run starts on a paused job, too.
    expect(await scene.begin(started("2026-03-02T02:00:00.000Z#manual#request-1", "queued"))).toMatchObject({
      kind: "held",
    });
    await scene.resume();
  });

  test("when it is a further attempt on a paused job, which is left to the watchdog", async ({ scene }) => {
    const failing = delivery(queue);
    await scene.finish(await scene.hold(failing), { status: "FAILED" });
    const busy = await scene.hold(second());
    await scene.begin(redelivery(failing, T0 + MINUTE));
    await scene.begin(third());
    await scene.finish(busy);
    await scene.pause();
    expect(await scene.begin(started(FIRST, "queued"))).toMatchObject({ kind: "come-again", next: { runId: THIRD } });
    expect(await waiting(scene)).toEqual([THIRD]);
  });

  test("when its run is final, and out of the queue", async ({ scene }) => {
    const first = await queuedBehind(scene);
    await scene.begin(third());
    await scene.finish(first);
    await scene.finish(await scene.hold(started(SECOND_RUN, "queued")));
    expect(await scene.begin(started(SECOND_RUN, "queued"))).toMatchObject({
      kind: "duplicate",
      status: "SUCCEEDED",
      next: { runId: THIRD },
    });
  });

  test("when no attempt is left", async ({ scene }) => {
    const failing = delivery({ ...queue, maxAttempts: 2 });
    await scene.finish(await scene.hold(failing), { status: "FAILED" });
    const busy = await scene.hold(second());
    await scene.begin(redelivery(failing, T0 + MINUTE));
    await scene.begin(third());
    await scene.finish(busy);
    // Deployed in the meantime with fewer retries.
    const exhausted = await scene.begin(started(FIRST, "queued", { maxAttempts: 1 }));
    expect(exhausted).toMatchObject({ kind: "exhausted", next: { runId: THIRD } });
    expect(await waiting(scene)).toEqual([THIRD]);
  });
});

describe("a run that crashes", () => {
  test("between its release and the start of the next one leaves a head that anybody can see", async ({ scene }) => {
    await scene.finish(await queuedBehind(scene));
    const { state } = await scene.queries.readJob("nightly-report", { limit: 1 });
    expect(state && strandedHead(state, scene.nowMs)).toMatchObject({ runId: SECOND_RUN });
  });

  test("at work waits behind the others, and its end is recorded", async ({ scene }) => {
    const first = delivery(queue);
    await scene.hold(first);
    await scene.begin(second());
    scene.nowMs = T0 + TIMEOUT + 6 * SECOND;
    const retry = await scene.begin(redelivery(first, scene.nowMs));
    expect(retry).toMatchObject({ kind: "queued", position: 2, next: { runId: SECOND_RUN } });
    expect(await scene.record(FIRST)).toMatchObject({ status: "LOST", attempt: 1 });
    const held = await scene.hold(started(SECOND_RUN, "queued", { receivedMs: scene.nowMs }));
    expect((await scene.finish(held)).next).toMatchObject({ runId: FIRST });
    expect(await scene.hold(started(FIRST, "queued"))).toMatchObject({ attempt: 2 });
  });
});

describe("a lost reply", () => {
  test("to the joining is not taken for a queue that has grown", async ({ scene }) => {
    await scene.hold(delivery(queue));
    const joining = scene.walk(begin(second()));
    await joining.past("acquire-newest");
    scene.table.loseNextReply();
    expect(await joining.result()).toMatchObject({ kind: "queued", position: 1 });
    expect(await waiting(scene)).toEqual([SECOND_RUN]);
  });

  test("to the acquire of the head takes nobody else's entry out", async ({ scene }) => {
    const first = await queuedBehind(scene);
    await scene.begin(third());
    await scene.finish(first);
    const head = scene.walk(begin(started(SECOND_RUN, "queued")));
    await head.past("read-state");
    scene.table.loseNextReply();
    expect(await head.result()).toMatchObject({ kind: "held" });
    expect(await waiting(scene)).toEqual([THIRD]);
  });

  test("to the skip of one that waits takes nobody else's entry out", async ({ scene }) => {
    const first = await queuedBehind(scene);
    await scene.begin(third());
    await scene.finish(first);
    await scene.pause();
    const skipping = scene.walk(begin(started(SECOND_RUN, "queued")));
    await skipping.past("read-state");
    scene.table.loseNextReply();
    expect(await skipping.result()).toMatchObject({ kind: "skipped", next: { runId: THIRD } });
    expect(await waiting(scene)).toEqual([THIRD]);
    await scene.resume();
  });

  test("to the release still shows who is next", async ({ scene }) => {
    const ending = scene.walk(finish(await queuedBehind(scene), { status: "SUCCEEDED", endedMs: T0 }));
    await ending.past("put-record");
    scene.table.loseNextReply();
    expect(await ending.result()).toMatchObject({ recorded: true, next: { runId: SECOND_RUN } });
  });
});

describe("a job whose policy is no longer `queue`", () => {
  test("runs those who wait, one after the other", async ({ scene }) => {
    await scene.finish(await queuedBehind(scene));
    const held = await scene.hold(started(SECOND_RUN, "queued", { overlap: "skip" }));
    expect(held).toMatchObject({ delivery: { runId: SECOND_RUN } });
    expect(await waiting(scene)).toEqual([]);
  });

  test("starts newcomers at once, and the queue after them", async ({ scene }) => {
    await scene.finish(await queuedBehind(scene));
    const newcomer = await scene.hold(third({ overlap: "skip" }));
    expect(await scene.begin(started(SECOND_RUN, "queued", { overlap: "skip" }))).toMatchObject({ kind: "queued" });
    expect((await scene.finish(newcomer)).next).toMatchObject({ runId: SECOND_RUN });
  });

  test("does not skip a duplicate of one that waits", async ({ scene }) => {
    await queuedBehind(scene);
    expect(await scene.begin(second({ overlap: "skip" }))).toMatchObject({ kind: "queued", position: 1 });
  });

  test("but `allow` runs them without a lock, and each starts the next", async ({ scene }) => {
    const first = await queuedBehind(scene);
    await scene.begin(third());
    await scene.finish(first);
    const held = await scene.hold(started(SECOND_RUN, "queued", { overlap: "allow" }));
    expect(await waiting(scene)).toEqual([THIRD]);
    expect((await scene.finish(held)).next).toMatchObject({ runId: THIRD });
    await scene.finish(await scene.hold(started(THIRD, "queued", { overlap: "allow" })));
    expect(await waiting(scene)).toEqual([]);
  });
});

describe("a run that is caught up, backfilled or tried again", () => {
  test.for(["catch-up", "backfill", "next-attempt"] as const)(
    "%s: waits for its turn, whatever the policy",
    async (cause, { scene }) => {
      await scene.hold(second({ overlap: "skip" }));
      const start = started(FIRST, cause, { overlap: "skip" });
      expect(await scene.begin(start)).toMatchObject({ kind: "queued", position: 1 });
    },
  );

  test("runs at once where nobody is at work, under its own identity", async ({ scene }) => {
    await scene.finish(await scene.hold(second({ overlap: "skip" })));
    expect(await scene.hold(started(FIRST, "catch-up", { overlap: "skip" }))).toMatchObject({ attempt: 1 });
  });
});

test("an entry is taken out only by the run that it is of", async ({ scene }) => {
  await queuedBehind(scene);
  const store = createRunStore({ client: scene.table.client, tableName: TABLE_NAME, fleet: FLEET });
  const leaves = { runId: THIRD, at: 0 };
  const { applied } = await store.execute({ kind: "leave-queue", job: "nightly-report", leaves });
  expect(applied).toBe(false);
  expect(await waiting(scene)).toEqual([SECOND_RUN]);
});

/** The first run at work, and the second one waiting. */
async function queuedBehind(scene: Scene) {
  const hold = await scene.hold(delivery(queue));
  await scene.begin(second());
  return hold;
}
