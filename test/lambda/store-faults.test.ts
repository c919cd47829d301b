import { afterAll, beforeAll, expect, test } from "vitest";
import type { Run } from "../../lib/lambda/run.ts";
import { scheduledIn } from "../../lib/lambda/scheduled.ts";
import type { Command } from "../../lib/run/index.ts";
import { rate } from "../../lib/schedule/index.ts";
import { StoreError, type StoreErrorCode } from "../../lib/store/index.ts";
import { lambdaContext, occurrence, openTable, type TestTable, testRuntime } from "./harness.ts";

const T0 = "2026-05-01T00:00:00Z";
const RUN_ID = "2026-05-01T00:00:00.000Z#default";

let table: TestTable;
beforeAll(async () => {
  table = await openTable();
});
afterAll(() => table.close());

/** A function whose table refuses the first `faults` commands of one kind. Every wait for another try is over at once. */
function deployed(
  faulty: Command["kind"],
  handler: (run: Run) => Promise<unknown>,
  { faults = Number.POSITIVE_INFINITY, code = "STORE_THROTTLED" as StoreErrorCode } = {},
) {
  const runtime = testRuntime(table, T0);
  let met = 0;
  const throttling = {
    ...runtime,
    clock: {
      ...runtime.clock,
      startTimer(delayMs: number, callback: () => void) {
        const isWaitForAnotherTry = met > 0 && delayMs <= 5_000;
        const cancel = runtime.clock.startTimer(delayMs, callback);
        if (isWaitForAnotherTry) setImmediate(() => runtime.clock.advance(delayMs));
        return cancel;
      },
    },
    store: {
      async execute(command: Command) {
        if (command.kind === faulty && met < faults) {
          met += 1;
          throw new StoreError(code, "the table does not answer");
        }
        return runtime.store.execute(command);
      },
    },
  };
  const lambda = scheduledIn(() => throttling, { schedule: rate("1 hour") }, handler);
  return {
    runtime,
    deliver: () => lambda(occurrence(T0, "exec-1"), lambdaContext(runtime.clock, "req-1")),
    record: () => runtime.queries.readRun(runtime.job, RUN_ID),
    lease: () => runtime.queries.readJob(runtime.job, { limit: 1 }).then(({ state }) => state?.lease),
  };
}

test("a lock that cannot be asked for is a fault, never a skip: the invocation fails and the handler is not started", async () => {
  let started = false;
  const { deliver, runtime, record } = deployed("acquire-newest", async () => {
    started = true;
  });
  await expect(deliver()).rejects.toMatchObject({ code: "STORE_THROTTLED" });
  expect(started).toBe(false);
  expect(runtime.counted).toEqual([]);
  expect(await record()).toBeUndefined();
});

test("a success is recorded as soon as the table answers again, well before the deadline", async () => {
  // Four faults, after which the SDK's own tries are long used up.
  const { deliver, record, lease } = deployed("put-record", async () => "done", { faults: 4 });
  expect(await deliver()).toBe("done");
  expect(await record()).toMatchObject({ status: "SUCCEEDED", attempt: 1 });
  expect(await lease()).toBeUndefined();
});

test("a record that the table rejects for what it is, is not sent again and again", async () => {
  const { deliver, runtime } = deployed("put-record", async () => "done", { code: "STORE_REJECTED" });
  await expect(deliver()).rejects.toMatchObject({ code: "STORE_REJECTED" });
  expect(runtime.clock.nowMs()).toBe(Date.parse(T0));
});

test("a success that cannot be recorded until the deadline fails the invocation and leaves the lock closed", async () => {
  const { deliver, lease, runtime } = deployed("put-record", async () => "done");
  await expect(deliver()).rejects.toMatchObject({ code: "STORE_THROTTLED" });
  expect(await lease()).toBeDefined();
  // The deadline is 60 s away, its margin 1 s, and the last wait 5 s at most.
  expect(runtime.clock.nowMs() - Date.parse(T0)).toBeGreaterThan(54_000);
  expect(runtime.clock.nowMs() - Date.parse(T0)).toBeLessThan(59_000);
});

test("a failure that cannot be recorded is still the handler's own error; the fault is logged", async () => {
  const { deliver, runtime, lease } = deployed("put-record", async () => {
    throw new Error("the source is down");
  });
  await expect(deliver()).rejects.toThrow("the source is down");
  expect(runtime.lines.at(-1)).toMatchObject({ level: "error", extra: { code: "STORE_THROTTLED" } });
  expect(await lease()).toBeDefined();
});

test.each(["put-record", "release"] as const)(
  "a time-out whose %s fails is thrown all the same, and the lock stays",
  async (kind) => {
    const { deliver, runtime, lease } = deployed(kind, async (run) => {
      runtime.clock.advance(59_000);
      await new Promise<void>((resolve) => run.signal.addEventListener("abort", () => resolve()));
    });
    await expect(deliver()).rejects.toMatchObject({ code: "RUN_TIMED_OUT" });
    expect(runtime.lines.at(-1)).toMatchObject({ level: "error", extra: { code: "STORE_THROTTLED" } });
    expect(await lease()).toBeDefined();
  },
);
