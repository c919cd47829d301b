import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { deadlineOf, leaseExpiresAtMs, within } from "../../lib/lambda/deadline.ts";
import type { Run } from "../../lib/lambda/run.ts";
import { scheduledIn } from "../../lib/lambda/scheduled.ts";
import { cron } from "../../lib/schedule/index.ts";
import { lambdaContext, manualClock, occurrence, openTable, type TestTable, testRuntime } from "./harness.ts";

const T0 = "2026-05-01T00:00:00Z";
const RUN_ID = "2026-05-01T00:00:00.000Z#default";
const options = { schedule: cron("0 0 * * ? *"), timeout: "1 minute", deadlineMargin: "2 seconds" } as const;

let table: TestTable;
beforeAll(async () => {
  table = await openTable();
});
afterAll(() => table.close());

function deployed(handler: (run: Run) => Promise<unknown>) {
  const runtime = testRuntime(table, T0);
  const lambda = scheduledIn(() => runtime, options, handler);
  const lease = () => runtime.queries.readJob(runtime.job, { limit: 1 }).then(({ state }) => state?.lease);
  const record = () => runtime.queries.readRun(runtime.job, RUN_ID);
  return { runtime, lambda, lease, record };
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => signal.addEventListener("abort", () => resolve()));
}

describe("the deadline", () => {
  test("is the platform's, and the lease ends with it", () => {
    const deadline = deadlineOf({ getRemainingTimeInMillis: () => 45_000 }, 1_000_000, 60_000);
    expect(deadline).toEqual({ ms: 1_045_000, byPlatform: true });
    expect(leaseExpiresAtMs(deadline)).toBe(1_045_000);
  });

  test.each([
    ["no such function", {}],
    ["undefined", { getRemainingTimeInMillis: () => undefined }],
    ["NaN", { getRemainingTimeInMillis: () => Number.NaN }],
    ["text", { getRemainingTimeInMillis: () => "60000" }],
    ["infinity", { getRemainingTimeInMillis: () => Number.POSITIVE_INFINITY }],
    ["zero", { getRemainingTimeInMillis: () => 0 }],
    ["a negative number", { getRemainingTimeInMillis: () => -5_000 }],
  ])(
    "MW-15: without a usable remaining time (%s) is the timeout from now, and the lease ends 5 seconds after it",
    (_what, context) => {
      const deadline = deadlineOf(context, 1_000_000, 60_000);
      expect(deadline).toEqual({ ms: 1_060_000, byPlatform: false });
      expect(leaseExpiresAtMs(deadline)).toBe(1_065_000);
    },
  );

  test.each([[undefined], [{}]])("a run without a context (%j) works, with one debug note", async (context) => {
    const { runtime, lambda } = deployed(async (run) => run.attempt);
    expect(await lambda(occurrence(T0, "exec-1"), context as never)).toBe(1);
    expect(runtime.lines.filter(({ level }) => level === "debug")).toHaveLength(1);
  });
});

describe("within", () => {
  test("leaves no timer behind, whoever is first", async () => {
    const clock = manualClock(T0);
    expect(await within(clock, clock.nowMs() + 10, Promise.resolve({ first: true }))).toEqual({ first: true });
    expect(clock.pending()).toBe(0);
    const never = within(clock, clock.nowMs() + 10, new Promise<object>(() => {}));
    clock.advance(10);
    expect(await never).toBeUndefined();
    expect(clock.pending()).toBe(0);
  });
});

describe("a handler that is still going near the deadline", () => {
  test("is told by its signal, with the time-out as the reason, margin before the end", async () => {
    const { runtime, lambda } = deployed(async (run) => {
      runtime.clock.advance(57_999);
      expect(run.signal.aborted).toBe(false);
      runtime.clock.advance(1);
      await aborted(run.signal);
      expect(run.signal.reason).toMatchObject({
        code: "RUN_TIMED_OUT",
        message: `Run ${RUN_ID} was still going 2000 ms before its deadline at 2026-05-01T00:01:00.000Z.`,
      });
    });
    await expect(lambda(occurrence(T0, "exec-1"), lambdaContext(runtime.clock, "req-1"))).rejects.toMatchObject({
      code: "RUN_TIMED_OUT",
    });
  });

  test("and stops in time: the time-out is recorded, the lock is free, and the next delivery is attempt 2", async () => {
    const { runtime, lambda, record, lease } = deployed(async (run) => {
      if (run.attempt === 2) return "done";
      runtime.clock.advance(58_000);
      await aborted(run.signal);
      return "too late";
    });
    await expect(lambda(occurrence(T0, "exec-1"), lambdaContext(runtime.clock, "req-1"))).rejects.toMatchObject({
      code: "RUN_TIMED_OUT",
    });
    expect(await record()).toMatchObject({ status: "TIMED_OUT", error: { name: "RunTimedOutError" } });
    expect(await lease()).toBeUndefined();
    expect(runtime.counted).toEqual([["ended", { status: "TIMED_OUT", durationMs: 58_000, latenessMs: 0 }]]);
    expect(runtime.clock.pending()).toBe(0);

    runtime.clock.advance(62_000);
    expect(await lambda(occurrence(T0, "exec-1"), lambdaContext(runtime.clock, "req-1"))).toBe("done");
    expect(await record()).toMatchObject({ status: "SUCCEEDED", attempt: 2 });
  });

  test("TO-01: and goes on: the lease stays, the invocation does not return, and what comes late is written nowhere", async () => {
    let finishLate = () => {};
    const { runtime, lambda, record, lease } = deployed(async (run) => {
      if (run.attempt === 2) return "second";
      runtime.clock.advance(58_000);
      await new Promise<void>((resolve) => {
        finishLate = resolve;
      });
      return "too late";
    });
    let returned = false;
    const first = lambda(occurrence(T0, "exec-1"), lambdaContext(runtime.clock, "req-1")).finally(() => {
      returned = true;
    });
    // The time-out is recorded while the handler goes on.
    await expect.poll(async () => (await record())?.status, { timeout: 10_000 }).toBe("TIMED_OUT");
    runtime.clock.advance(3_000);
    expect(await lease()).toBeDefined();
    expect(returned).toBe(false);

    // Lambda has killed the process and delivers the event again: the lease is over.
    runtime.clock.advance(59_000);
    expect(await lambda(occurrence(T0, "exec-1"), lambdaContext(runtime.clock, "req-1"))).toBe("second");

    finishLate();
    await expect(first).rejects.toMatchObject({ code: "RUN_TIMED_OUT" });
    expect(await record()).toMatchObject({ status: "SUCCEEDED", attempt: 2 });
    expect(runtime.clock.pending()).toBe(0);
  });

  test("and stops after the deadline: nothing is written, the lease runs out by itself", async () => {
    const { runtime, lambda, lease, record } = deployed(async (run) => {
      runtime.clock.advance(58_000);
      await aborted(run.signal);
      await expect.poll(async () => (await record())?.status, { timeout: 10_000 }).toBe("TIMED_OUT");
      runtime.clock.advance(2_000);
    });
    await expect(lambda(occurrence(T0, "exec-1"), lambdaContext(runtime.clock, "req-1"))).rejects.toMatchObject({
      code: "RUN_TIMED_OUT",
    });
    expect(await lease()).toBeDefined();
  });

  test("and then throws: the time-out is what is recorded and thrown", async () => {
    const { runtime, lambda, record } = deployed(async (run) => {
      runtime.clock.advance(58_000);
      await aborted(run.signal);
      throw run.signal.reason;
    });
    await expect(lambda(occurrence(T0, "exec-1"), lambdaContext(runtime.clock, "req-1"))).rejects.toMatchObject({
      code: "RUN_TIMED_OUT",
    });
    expect((await record())?.status).toBe("TIMED_OUT");
  });
});

test("a run that ends in time leaves no timer behind", async () => {
  const { runtime, lambda } = deployed(async () => "done");
  await lambda(occurrence(T0, "exec-1"), lambdaContext(runtime.clock, "req-1"));
  expect(runtime.clock.pending()).toBe(0);
});
