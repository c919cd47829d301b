import { DeleteItemCommand } from "@aws-sdk/client-dynamodb";
import { describe, expect } from "vitest";
import { record, release } from "../../lib/run/index.ts";
import { TABLE_NAME } from "./dynamo.ts";
import { delivery, MINUTE, manual, SECOND, T0, TIMEOUT, test } from "./scene.ts";

const RUN = "2026-03-02T02:00:00.000Z#default";

test("a run that outlived its lease neither frees its successor's lock nor changes a record (LK-06)", async ({
  scene,
}) => {
  const slow = await scene.hold(delivery());
  scene.nowMs = T0 + TIMEOUT + 6 * SECOND;
  const successor = await scene.hold(delivery({ at: T0 + 2 * MINUTE, receivedMs: scene.nowMs }));
  expect(await scene.finish(slow)).toMatchObject({ recorded: false, found: { status: "LOST" } });
  expect(await scene.record(RUN)).toMatchObject({ status: "LOST" });
  expect(await scene.state()).toMatchObject({ lease: { owner: successor.delivery.owner } });
  const third = await scene.begin(delivery({ at: T0 + 3 * MINUTE, receivedMs: scene.nowMs }));
  expect(third).toMatchObject({ kind: "skipped", heldBy: successor.delivery.runId });
});

test("a time-out is recorded at once and keeps the lock until it is released", async ({ scene }) => {
  const hold = await scene.hold(delivery());
  const endedMs = T0 + 89 * SECOND;
  const timedOut = await scene.walk(record(hold, { status: "TIMED_OUT", endedMs })).result();
  expect(await scene.record(RUN)).toMatchObject({ status: "TIMED_OUT" });
  expect(await scene.begin(delivery({ at: T0 + MINUTE }))).toMatchObject({ kind: "skipped", reason: "overlap" });
  await scene.walk(release(hold, timedOut)).result();
  expect(await scene.state()).toMatchObject({ last: { runId: RUN, status: "TIMED_OUT" }, consecutiveFailures: 1 });
  expect(await scene.state()).not.toHaveProperty("lease");
});

test("a result that comes after the time-out changes nothing", async ({ scene }) => {
  const hold = await scene.hold(delivery());
  await scene.walk(record(hold, { status: "TIMED_OUT", endedMs: T0 + 89 * SECOND })).result();
  const late = await scene.walk(record(hold, { status: "SUCCEEDED", endedMs: T0 + 90 * SECOND })).result();
  expect(late).toMatchObject({ recorded: false, found: { status: "TIMED_OUT" } });
  expect(await scene.record(RUN)).toMatchObject({ status: "TIMED_OUT" });
});

test("a state that was deleted during a run is not half recreated, and the next occurrence runs (LK-16)", async ({
  scene,
}) => {
  const hold = await scene.hold(delivery());
  const key = { pk: { S: "shop-dev#job#nightly-report" }, sk: { S: "state" } };
  await scene.table.client.send(new DeleteItemCommand({ TableName: TABLE_NAME, Key: key }));
  expect(await scene.finish(hold)).toMatchObject({ recorded: true });
  expect(await scene.state()).toBeUndefined();
  const next = await scene.hold(delivery({ at: T0 + MINUTE }));
  expect(next.fencingToken).toBeGreaterThan(hold.fencingToken);
});

describe("what a run leaves on the state", () => {
  test("counts attempts that ended badly since the last success", async ({ scene }) => {
    await scene.finish(await scene.hold(delivery()), { status: "FAILED" });
    await scene.finish(await scene.hold(delivery({ at: T0 + MINUTE })), { status: "TIMED_OUT" });
    expect(await scene.state()).toMatchObject({ consecutiveFailures: 2 });
    await scene.finish(await scene.hold(delivery({ at: T0 + 2 * MINUTE })));
    expect(await scene.state()).toMatchObject({ consecutiveFailures: 0 });
  });

  test("keeps the newest success, also when an older occurrence succeeds later", async ({ scene }) => {
    await scene.finish(await scene.hold(delivery({ at: T0 + MINUTE })));
    await scene.finish(await scene.hold(delivery()));
    expect(await scene.state()).toMatchObject({
      last: { runId: RUN },
      lastSuccess: { runId: "2026-03-02T02:01:00.000Z#default" },
    });
  });

  test("does not take a manual run's success for a scheduled one's", async ({ scene }) => {
    await scene.finish(await scene.hold(manual("request-1")));
    expect(await scene.state()).toMatchObject({ last: { status: "SUCCEEDED" } });
    expect(await scene.state()).not.toHaveProperty("lastSuccess");
  });
});

describe("the previous success", () => {
  test("is none at first, then the newest before the scheduled time", async ({ scene }) => {
    const first = await scene.hold(delivery());
    expect(first.previousSuccess).toBeUndefined();
    await scene.finish(first);
    await scene.finish(await scene.hold(delivery({ at: T0 + MINUTE })), { status: "FAILED" });
    const third = await scene.hold(delivery({ at: T0 + 2 * MINUTE }));
    expect(third.previousSuccess).toMatchObject({ runId: RUN, scheduledTimeMs: T0 });
  });

  test("of an overtaken occurrence is looked up among the records before it", async ({ scene }) => {
    await scene.finish(await scene.hold(delivery()));
    await scene.finish(await scene.hold(manual("request-1", { at: T0 + MINUTE })));
    await scene.finish(await scene.hold(delivery({ at: T0 + 3 * MINUTE })));
    const overtaken = await scene.hold(delivery({ at: T0 + 2 * MINUTE }));
    expect(overtaken.previousSuccess).toMatchObject({ runId: RUN });
  });

  test("of two schedules that fire at one instant is before that instant for both", async ({ scene }) => {
    await scene.finish(await scene.hold(delivery()));
    const at = T0 + MINUTE;
    await scene.finish(await scene.hold(delivery({ at })));
    const second = { runId: "2026-03-02T02:01:00.000Z#weekly", schedule: "weekly" };
    const weekly = await scene.hold(delivery({ at, ...second }));
    expect(weekly.previousSuccess).toMatchObject({ runId: RUN });
  });
});
