import { afterAll, beforeAll, expect, test } from "vitest";
import type { JobOptions } from "../../lib/lambda/options.ts";
import type { Run } from "../../lib/lambda/run.ts";
import { scheduledIn } from "../../lib/lambda/scheduled.ts";
import type { Skipped } from "../../lib/lambda/skipped.ts";
import { pause } from "../../lib/run/index.ts";
import { rate } from "../../lib/schedule/index.ts";
import { perform } from "../../lib/store/index.ts";
import { lambdaContext, occurrence, openTable, type TestTable, testRuntime } from "./harness.ts";

const T0 = "2026-05-01T00:00:00Z";
const RUN_ID = "2026-05-01T00:00:00.000Z#default";
const NEXT = "2026-05-01T01:00:00Z";
const NEXT_ID = "2026-05-01T01:00:00.000Z#default";
const HOUR = 3_600_000;

let table: TestTable;
beforeAll(async () => {
  table = await openTable();
});
afterAll(() => table.close());

function deployed(given: Partial<JobOptions>, handler: (run: Run) => Promise<unknown> = async () => "done") {
  const runtime = testRuntime(table, T0);
  const lambda = scheduledIn(() => runtime, { schedule: rate("1 hour"), ...given }, handler);
  const deliver = (at: string, executionId = `exec-${at}`) =>
    lambda(occurrence(at, executionId), lambdaContext(runtime.clock, `req-${executionId}`));
  return { runtime, deliver };
}

/** A job that tells what its hook was told. */
function listening(given: Partial<JobOptions> = {}, handler?: (run: Run) => Promise<unknown>) {
  const told: Skipped[] = [];
  return { told, ...deployed({ ...given, onSkipped: (skipped) => told.push(skipped) }, handler) };
}

test("MW-16: a run that starts, succeeds or fails does not call onSkipped", async () => {
  const { told, deliver } = listening({}, async (run) => {
    if (run.attempt === 1) throw new Error("503");
  });
  await expect(deliver(T0)).rejects.toThrow("503");
  await deliver(T0);
  expect(told).toEqual([]);
});

test("MW-16, OP-14: a duplicate calls it once, with the run that it is one of", async () => {
  const { told, deliver, runtime } = listening();
  await deliver(T0, "exec-1");
  await deliver(T0, "exec-2");
  expect(told).toEqual([{ job: "nightly-report", runId: RUN_ID, reason: "duplicate", status: "SUCCEEDED" }]);
  expect(runtime.counted.slice(1)).toEqual([["duplicate"]]);
  expect(runtime.lines.at(-1)?.message).toBe(`duplicate of run ${RUN_ID}, which is SUCCEEDED`);
});

test("MW-16, OP-14: an overlap calls it once, with the run that held the lock", async () => {
  const { told, deliver, runtime } = listening({}, async () => {
    runtime.clock.advance(30_000);
    await deliver("2026-05-01T00:00:30Z");
  });
  await deliver(T0);
  const runId = "2026-05-01T00:00:30.000Z#default";
  expect(told).toEqual([{ job: "nightly-report", runId, reason: "overlap", heldBy: RUN_ID }]);
  expect(runtime.counted[0]).toEqual(["skipped", "overlap"]);
  expect(runtime.lines[0]?.message).toBe(`skipped: overlap, run ${RUN_ID} holds the lock`);
});

test("MW-16, OP-14: so does a late occurrence", async () => {
  const { told, deliver, runtime } = listening();
  runtime.clock.advance(HOUR + 1);
  await deliver(T0);
  expect(told).toEqual([{ job: "nightly-report", runId: RUN_ID, reason: "late" }]);
  expect(runtime.counted).toEqual([["skipped", "late"]]);
  expect(runtime.lines.at(-1)?.message).toBe("skipped: late");
});

test("MW-16, OP-14: and one of a paused job", async () => {
  const { told, deliver, runtime } = listening();
  const operator = { by: "alice", reason: "migration", id: "1", retentionMs: HOUR };
  await perform(pause(runtime.job, operator), runtime.store);
  await deliver(T0);
  expect(told).toEqual([{ job: "nightly-report", runId: RUN_ID, reason: "paused" }]);
  expect(runtime.counted).toEqual([["skipped", "paused"]]);
});

test.each<[string, () => unknown]>([
  [
    "throws",
    () => {
      throw new Error("no pager");
    },
  ],
  ["rejects", async () => Promise.reject(new Error("no pager"))],
])(
  "a hook that %s does no harm: it is logged, and the answer and the record are as without it",
  async (_how, onSkipped) => {
    const { deliver, runtime } = deployed({ onSkipped });
    runtime.clock.advance(HOUR + 1);
    expect(await deliver(T0)).toEqual({ outcome: "skipped", runId: RUN_ID, reason: "late" });
    expect(await runtime.queries.readRun(runtime.job, RUN_ID)).toMatchObject({ status: "SKIPPED", reason: "late" });
    expect(runtime.lines.at(-1)).toMatchObject({
      level: "warn",
      message: "onSkipped failed",
      extra: { failure: { name: "Error", message: "no pager" } },
    });
  },
);

test("a hook is waited for, and one that does not end is left alone a second before the deadline", async () => {
  let called = false;
  const { deliver, runtime } = deployed({
    onSkipped: () => {
      called = true;
      return new Promise(() => {});
    },
  });
  await deliver(T0, "exec-1");
  let answer: unknown;
  const duplicate = deliver(T0, "exec-2").then((value) => {
    answer = value;
  });
  await expect.poll(() => called, { timeout: 10_000 }).toBe(true);
  runtime.clock.advance(58_999);
  await new Promise((resolve) => setImmediate(resolve));
  expect(answer).toBeUndefined();
  runtime.clock.advance(1);
  await duplicate;
  expect(answer).toMatchObject({ outcome: "duplicate" });
  expect(runtime.lines.at(-1)?.message).toBe("onSkipped had not ended when the time was up");
  expect(runtime.clock.pending()).toBe(0);
});

test("the next occurrence after a skipped one runs", async () => {
  const { deliver, runtime } = listening();
  runtime.clock.advance(HOUR + 1);
  await deliver(T0);
  expect(await deliver(NEXT)).toBe("done");
  expect(await runtime.queries.readRun(runtime.job, NEXT_ID)).toMatchObject({ status: "SUCCEEDED" });
});
