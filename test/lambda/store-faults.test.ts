import { afterAll, beforeAll, expect, test } from "vitest";
import type { Run } from "../../lib/lambda/run.ts";
import { scheduledIn } from "../../lib/lambda/scheduled.ts";
import type { Command } from "../../lib/run/index.ts";
import { rate } from "../../lib/schedule/index.ts";
import { StoreError } from "../../lib/store/index.ts";
import { lambdaContext, occurrence, openTable, type TestTable, testRuntime } from "./harness.ts";

const T0 = "2026-05-01T00:00:00Z";
const RUN_ID = "2026-05-01T00:00:00.000Z#default";

let table: TestTable;
beforeAll(async () => {
  table = await openTable();
});
afterAll(() => table.close());

/** A function whose table throttles every command of one kind. */
function deployed(faulty: Command["kind"], handler: (run: Run) => Promise<unknown>) {
  const runtime = testRuntime(table, T0);
  const throttling = {
    ...runtime,
    store: {
      execute(command: Command) {
        if (command.kind === faulty) throw new StoreError("STORE_THROTTLED", "the table is throttled");
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

test("a success that cannot be recorded fails the invocation and leaves the lock closed", async () => {
  const { deliver, lease } = deployed("put-record", async () => "done");
  await expect(deliver()).rejects.toMatchObject({ code: "STORE_THROTTLED" });
  expect(await lease()).toBeDefined();
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
