import { afterAll, beforeAll, expect, test } from "vitest";
import type { JobOptions } from "../../lib/lambda/options.ts";
import type { Run } from "../../lib/lambda/run.ts";
import { scheduledIn } from "../../lib/lambda/scheduled.ts";
import type { Command } from "../../lib/run/index.ts";
import { rate } from "../../lib/schedule/index.ts";
import { requestFor } from "../../lib/store/commands.ts";
import { type RunStore, StoreError, type StoreErrorCode } from "../../lib/store/index.ts";
import { replyTo } from "../../lib/store/run-store.ts";
import { ModelTable } from "../simulation/model-table.ts";
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
  {
    faults = Number.POSITIVE_INFINITY,
    code = "STORE_THROTTLED" as StoreErrorCode,
    options = {} as Partial<JobOptions>,
    store = undefined as RunStore | undefined,
  } = {},
) {
  const runtime = testRuntime(table, T0);
  let met = 0;
  const waits: number[] = [];
  const throttling = {
    ...runtime,
    clock: {
      ...runtime.clock,
      startTimer(delayMs: number, callback: () => void) {
        const isWaitForAnotherTry = met > 0 && delayMs <= 5_000;
        const cancel = runtime.clock.startTimer(delayMs, callback);
        if (isWaitForAnotherTry) waits.push(delayMs);
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
        return (store ?? runtime.store).execute(command);
      },
    },
  };
  const lambda = scheduledIn(() => throttling, { schedule: rate("1 hour"), ...options }, handler);
  return {
    waits,
    runtime,
    deliver: () => lambda(occurrence(T0, "exec-1"), lambdaContext(runtime.clock, "req-1")),
    record: () => runtime.queries.readRun(runtime.job, RUN_ID),
    lease: () => runtime.queries.readJob(runtime.job, { limit: 1 }).then(({ state }) => state?.lease),
  };
}

/** A table of a hundred processes at once. */
function inMemory(): RunStore {
  const items = new ModelTable(() => {});
  return {
    async execute(command) {
      const request = requestFor("f", command);
      return replyTo(command, request, { ...items.send(request), nowMs: Date.parse(T0) });
    },
  };
}

test("SC-04: of 100 starts at once, each throttled five times, every one runs; their waits grow and differ", async () => {
  const starts = Array.from({ length: 100 }, () =>
    deployed("acquire-newest", async () => "done", { faults: 5, store: inMemory() }),
  );
  expect(await Promise.all(starts.map(({ deliver }) => deliver()))).toEqual(Array(100).fill("done"));
  expect(starts.flatMap(({ runtime }) => runtime.counted)).toEqual(
    Array(100).fill(["ended", expect.objectContaining({ status: "SUCCEEDED" })]),
  );
  const waits = starts.map(({ waits }) => waits);
  // 200 ms at first, then twice as long each time; half of it is chance.
  for (const [at, longestMs] of [200, 400, 800, 1_600, 3_200].entries()) {
    const these = waits.map((each) => each[at] ?? 0);
    expect(Math.min(...these)).toBeGreaterThanOrEqual(longestMs / 2);
    expect(Math.max(...these)).toBeLessThanOrEqual(longestMs);
    expect(new Set(these).size).toBeGreaterThan(50);
  }
});

test.each(["STORE_THROTTLED", "STORE_UNREACHABLE", "STORE_CONFLICT"] as const)(
  "SC-04: a start that meets %s for a third of its time fails with that, never as a skip",
  async (code) => {
    const { deliver, runtime } = deployed("acquire-newest", async () => "done", { code });
    await expect(deliver()).rejects.toMatchObject({ name: "StoreError", code });
    expect(runtime.counted).toEqual([]);
    // The timeout is 60 s; the last wait would have been 5 s at most.
    expect(runtime.clock.nowMs() - Date.parse(T0)).toBeGreaterThan(14_000);
    expect(runtime.clock.nowMs() - Date.parse(T0)).toBeLessThanOrEqual(20_000);
  },
);

test("a start with a heartbeat is patient for one of them: its lease counts from the arrival", async () => {
  const { deliver, runtime } = deployed("acquire-newest", async () => "done", { options: { heartbeat: "5 seconds" } });
  await expect(deliver()).rejects.toMatchObject({ code: "STORE_THROTTLED" });
  expect(runtime.clock.nowMs() - Date.parse(T0)).toBeLessThanOrEqual(5_000);
});

test.each(["STORE_ACCESS_DENIED", "STORE_TABLE_MISSING", "STORE_REJECTED"] as const)(
  "a start that meets %s, which no second heals, fails at once",
  async (code) => {
    const { deliver, runtime } = deployed("acquire-newest", async () => "done", { code });
    await expect(deliver()).rejects.toMatchObject({ code });
    expect(runtime.clock.nowMs()).toBe(Date.parse(T0));
    expect(runtime.counted).toEqual([]);
  },
);

test("a table that never answers a start leaves half the margin to say so", async () => {
  const runtime = testRuntime(table, T0);
  const silent = { ...runtime, store: { execute: () => new Promise<never>(() => {}) } };
  const lambda = scheduledIn(
    () => silent,
    { schedule: rate("1 hour") },
    async () => "done",
  );
  const answer = lambda(occurrence(T0, "exec-1"), lambdaContext(runtime.clock, "req-1"));
  await expect.poll(() => runtime.clock.pending()).toBe(1);
  runtime.clock.advance(59_500);
  await expect(answer).rejects.toMatchObject({ name: "StoreError", code: "STORE_UNREACHABLE" });
});

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

test("a start that fails once it has the lock gives it back: the next delivery runs, as the first attempt", async () => {
  const options = { retries: 0, locks: ["ledger"] };
  const code = "STORE_ACCESS_DENIED";
  const { deliver, lease, record } = deployed("take-lock", async () => "done", { faults: 1, code, options });
  await expect(deliver()).rejects.toMatchObject({ code });
  expect(await lease()).toBeUndefined();
  expect(await deliver()).toBe("done");
  expect(await record()).toMatchObject({ status: "SUCCEEDED", attempt: 1 });
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
