import { describe, expect } from "vitest";
import { begin, finish } from "../../lib/run/index.ts";
import { delivery, JOB, MINUTE, manual, redelivery, SECOND, T0, TIMEOUT, test } from "./scene.ts";

const FIRST = "2026-03-02T02:00:00.000Z#default";
const NEXT = "2026-03-02T02:01:00.000Z#default";

describe("a job and its newest runs", () => {
  test("are one query", async ({ scene }) => {
    await scene.finish(await scene.hold(delivery()));
    await scene.finish(await scene.hold(delivery({ at: T0 + MINUTE })));
    scene.table.takeRequests();
    const { state, runs } = await scene.queries.readJob(JOB, { limit: 10 });
    expect(scene.table.takeRequests()).toEqual(["Query"]);
    expect(state).toMatchObject({ highWater: NEXT });
    expect(runs.map(({ runId }) => runId)).toEqual([NEXT, FIRST]);
  });

  test("come page by page", async ({ scene }) => {
    for (const minute of [0, 1, 2]) await scene.finish(await scene.hold(delivery({ at: T0 + minute * MINUTE })));
    const newest = await scene.queries.readJob(JOB, { limit: 2 });
    expect(newest.runs).toHaveLength(2);
    expect(newest.before).toBe(NEXT);
    const rest = await scene.queries.readJob(JOB, { limit: 2, before: NEXT });
    expect(rest.runs.map(({ runId }) => runId)).toEqual([FIRST]);
    expect(rest.before).toBeUndefined();
  });

  test("of a job that never ran are nothing", async ({ scene }) => {
    expect(await scene.queries.readJob(JOB, { limit: 10 })).toEqual({ state: undefined, runs: [], before: undefined });
  });
});

describe("a run in progress", () => {
  test("is shown as RUNNING before it has a record", async ({ scene }) => {
    await scene.hold(delivery());
    const running = { runId: FIRST, status: "RUNNING", attempt: 1, scheduledTimeMs: T0, startedMs: T0 };
    expect((await scene.queries.readJob(JOB, { limit: 10 })).runs).toMatchObject([running]);
    expect(await scene.queries.readRun(JOB, FIRST)).toMatchObject(running);
    expect(await scene.queries.listRuns(JOB, { status: "RUNNING", limit: 10 })).toMatchObject([running]);
  });

  test("that begins between the look at the state and that at its record is shown as RUNNING, not as lost", async ({
    scene,
  }) => {
    const started = scene.walk(begin(manual("request-1", { runId: "manual#request-1", receivedMs: T0 })));
    let looks = 0;
    scene.table.client.middlewareStack.add(
      (next, { commandName }) =>
        async (request) => {
          if (commandName === "GetItemCommand" && ++looks === 2) await started.result();
          return next(request);
        },
      { step: "initialize" },
    );
    expect(await scene.queries.readRun(JOB, "manual#request-1")).toMatchObject({ status: "RUNNING" });
    expect(await started.result()).toMatchObject({ kind: "held" });
  });

  test("that is a next attempt is shown with the attempts before", async ({ scene }) => {
    const first = delivery();
    await scene.finish(await scene.hold(first), { status: "FAILED" });
    await scene.hold(redelivery(first, T0 + MINUTE));
    const { runs } = await scene.queries.readJob(JOB, { limit: 10 });
    expect(runs).toMatchObject([{ status: "RUNNING", attempt: 2, attempts: [{ attempt: 1, status: "FAILED" }] }]);
  });

  test("that died is shown as LOST once its lease is over, before anybody recorded it", async ({ scene }) => {
    await scene.hold(delivery());
    scene.nowMs = T0 + TIMEOUT + 6 * SECOND;
    expect(await scene.queries.readRun(JOB, FIRST)).toMatchObject({ status: "LOST", endedMs: T0 + TIMEOUT });
  });

  test("that has its end recorded, but not yet given the lock back, is shown as recorded", async ({ scene }) => {
    const hold = await scene.hold(delivery());
    await scene.walk(finish(hold, { status: "SUCCEEDED", endedMs: T0 + SECOND })).past("put-record");
    expect(await scene.queries.readRun(JOB, FIRST)).toMatchObject({ status: "SUCCEEDED" });
  });
});

describe("a job's runs", () => {
  test("are listed by time, of all kinds", async ({ scene }) => {
    await scene.finish(await scene.hold(delivery()));
    scene.nowMs = T0 + 30 * SECOND;
    const timeless = manual("request-1", { runId: "manual#request-1", receivedMs: scene.nowMs });
    await scene.finish(await scene.hold(timeless));
    await scene.finish(await scene.hold(delivery({ at: T0 + MINUTE })));
    const runs = await scene.queries.listRuns(JOB, { limit: 10 });
    expect(runs.map(({ runId }) => runId)).toEqual([NEXT, "manual#request-1", FIRST]);
  });

  test("are listed by status and since a time", async ({ scene }) => {
    for (const minute of [0, 1, 2]) {
      const status = minute === 1 ? "FAILED" : "SUCCEEDED";
      await scene.finish(await scene.hold(delivery({ at: T0 + minute * MINUTE })), { status });
    }
    expect(await scene.queries.listRuns(JOB, { status: "FAILED", limit: 10 })).toMatchObject([{ runId: NEXT }]);
    expect(await scene.queries.listRuns(JOB, { sinceMs: T0 + MINUTE, limit: 10 })).toHaveLength(2);
    expect(await scene.queries.listRuns(JOB, { limit: 1 })).toHaveLength(1);
  });

  test("are shown as they are now where one began after the first page was read", async ({ scene }) => {
    const result = { bytes: 200_000, hash: "h", json: "x".repeat(200_000) };
    for (let minute = 1; minute < 7; minute++) {
      await scene.finish(await scene.hold(delivery({ at: T0 + minute * MINUTE })), { result });
    }
    // Of before all these, so that it is on the last page.
    const earlier = manual("request-1", {
      runId: "2026-03-02T02:00:30.000Z#manual#request-1",
      receivedMs: scene.nowMs,
    });
    const started = scene.walk(begin(earlier));
    let looks = 0;
    scene.table.client.middlewareStack.add(
      (next, { commandName }) =>
        async (request) => {
          // The first one asks for runs without a time.
          if (commandName === "QueryCommand" && ++looks === 3) await started.result();
          return next(request);
        },
      { step: "initialize" },
    );
    const runs = await scene.queries.listRuns(JOB, { limit: 10 });
    expect(runs).toHaveLength(7);
    expect(runs.at(-1)).toMatchObject({ runId: earlier.runId, status: "RUNNING" });
  });

  test("are found beyond the first page of a megabyte", async ({ scene }) => {
    // 200 kB each: six of them are more than DynamoDB returns at once.
    const result = { bytes: 200_000, hash: "h", json: "x".repeat(200_000) };
    for (let minute = 0; minute < 6; minute++) {
      await scene.finish(await scene.hold(delivery({ at: T0 + minute * MINUTE })), { result });
    }
    expect(await scene.queries.listRuns(JOB, { limit: 10 })).toHaveLength(6);
    scene.table.takeRequests();
    expect(await scene.queries.listRuns(JOB, { limit: 2 })).toHaveLength(2);
    // SC-05: one for the runs without a time, and one page of the others; the second page is not read.
    expect(scene.table.takeRequests()).toEqual(["Query", "Query"]);
  });
});
