import type { Context } from "aws-lambda";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { RunCancelledError } from "../../lib/lambda/errors.ts";
import type { JobOptions } from "../../lib/lambda/options.ts";
import type { Run } from "../../lib/lambda/run.ts";
import { scheduledIn } from "../../lib/lambda/scheduled.ts";
import { requestCancel } from "../../lib/run/index.ts";
import { cron } from "../../lib/schedule/index.ts";
import { perform } from "../../lib/store/index.ts";
import { lambdaContext, occurrence, openTable, type TestRuntime, type TestTable, testRuntime } from "./harness.ts";

const T0 = "2026-05-01T00:00:00Z";
const NEXT = "2026-05-01T00:01:00Z";
const RUN = "2026-05-01T00:00:00.000Z#default";
const NEXT_RUN = "2026-05-01T00:01:00.000Z#default";
const SECOND = 1_000;
/** On a busy machine, too. */
const SOON = { interval: 1, timeout: 20_000 };
const options = { schedule: cron("* * * * ? *"), timeout: "10 minutes", heartbeat: "20 seconds" } as const;

let table: TestTable;
beforeAll(async () => {
  table = await openTable();
});
afterAll(() => table.close());

function deployed(handler: (run: Run, runtime: TestRuntime) => Promise<unknown>, jobOptions: JobOptions = options) {
  const runtime = testRuntime(table, T0);
  const lambda = scheduledIn(
    () => runtime,
    jobOptions,
    (run) => handler(run, runtime),
  );
  /** Without a time: a manual run, `manual#req`. */
  const invoke = (time: string | undefined, timeoutMs = 600 * SECOND): Promise<unknown> => {
    const context: Context = lambdaContext(runtime.clock, "req", timeoutMs);
    return lambda(time === undefined ? {} : occurrence(time, `exec ${time}`), context);
  };
  return { runtime, invoke };
}

const alice = { by: "alice", reason: "wrong input", id: "id-1", retentionMs: 86_400 * SECOND };
const cancel = ({ job, store }: TestRuntime) => perform(requestCancel(job, alice), store);

const recordOf = (runtime: TestRuntime, runId: string) => runtime.queries.readRun(runtime.job, runId);
const leaseOf = (runtime: TestRuntime) =>
  runtime.queries.readJob(runtime.job, { limit: 1 }).then(({ state }) => state?.lease);

/** Turns the clock, a second for each 20 milliseconds, so that requests are answered in the meantime. */
async function until(runtime: TestRuntime, happened: () => unknown): Promise<void> {
  const turned = () => {
    runtime.clock.advance(SECOND);
    return Boolean(happened());
  };
  await expect.poll(turned, { ...SOON, interval: 20 }).toBe(true);
}

async function cancelled(run: Run, runtime: TestRuntime): Promise<void> {
  expect(await cancel(runtime)).toMatchObject({ kind: "asked" });
  runtime.clock.advance(20 * SECOND);
  await expect.poll(() => run.signal.aborted, SOON).toBe(true);
}

describe("a handler that is cancelled", () => {
  test("is told by whom and why by the next heartbeat, and ends CANCELLED when it throws that", async () => {
    const { runtime, invoke } = deployed(async (run, runtime) => {
      await cancelled(run, runtime);
      expect(run.signal.reason).toMatchObject({ code: "RUN_CANCELLED", kind: "cancel", by: "alice" });
      run.signal.throwIfAborted();
    });
    const answer = { outcome: "cancelled", runId: RUN, by: "alice", reason: "wrong input" };
    expect(await invoke(T0)).toEqual(answer);
    expect(await recordOf(runtime, RUN)).toMatchObject({
      status: "CANCELLED",
      error: { name: "RunCancelledError", message: `Run ${RUN} has to stop: cancel by alice, wrong input.` },
    });
    expect(runtime.counted).toMatchObject([["ended", { status: "CANCELLED" }]]);
    expect(runtime.lines).toContainEqual(expect.objectContaining({ level: "warn", message: "run cancelled" }));
    expect(await leaseOf(runtime)).toBeUndefined();
    expect(runtime.clock.pending()).toBe(0);
  });

  test("ends CANCELLED also when it returns, or throws something else", async () => {
    const returning = deployed(async (run, runtime) => {
      await cancelled(run, runtime);
      return "half done";
    });
    expect(await returning.invoke(T0)).toMatchObject({ outcome: "cancelled" });
    const throwing = deployed(async (run, runtime) => {
      await cancelled(run, runtime);
      throw new Error("socket hang up");
    });
    expect(await throwing.invoke(T0)).toMatchObject({ outcome: "cancelled" });
    expect(await recordOf(throwing.runtime, RUN)).toMatchObject({ error: { name: "RunCancelledError" } });
  });

  test("is not run again: its repetition is a duplicate", async () => {
    const { invoke } = deployed(cancelled);
    await invoke(T0);
    expect(await invoke(T0)).toEqual({ outcome: "duplicate", runId: RUN, status: "CANCELLED" });
  });

  test("keeps its lease while it stops", async () => {
    const { invoke } = deployed(async (run, runtime) => {
      await cancelled(run, runtime);
      const before = (await leaseOf(runtime))?.expiresAtMs ?? 0;
      await expect.poll(() => runtime.clock.pending(), SOON).toBe(3);
      runtime.clock.advance(20 * SECOND);
      await expect.poll(async () => (await leaseOf(runtime))?.expiresAtMs, SOON).toBe(before + 20 * SECOND);
    });
    expect(await invoke(T0)).toMatchObject({ outcome: "cancelled" });
  });

  test("that does not stop is CANCELLED near its deadline, commits nothing then, and keeps its lock until it confirms", async () => {
    const { runtime, invoke } = deployed(
      async (run, runtime) => {
        await cancelled(run, runtime);
        await until(runtime, () => runtime.counted.length > 0);
        expect(await leaseOf(runtime)).toMatchObject({ runId: RUN });
        await expect(run.commit([])).rejects.toMatchObject({
          code: "WRITE_FENCED",
          message: expect.stringContaining("its record is CANCELLED"),
        });
      },
      { ...options, deadlineMargin: "30 seconds" },
    );
    expect(await invoke(T0, 120 * SECOND)).toMatchObject({ outcome: "cancelled" });
    expect(await recordOf(runtime, RUN)).toMatchObject({ status: "CANCELLED", attempts: [{ status: "CANCELLED" }] });
    expect(await leaseOf(runtime)).toBeUndefined();
  });

  test("after its commit has SUCCEEDED all the same", async () => {
    const { runtime, invoke } = deployed(async (run, runtime) => {
      await run.commit([]);
      await cancelled(run, runtime);
      return "done";
    });
    expect(await invoke(T0)).toBe("done");
    expect(await recordOf(runtime, RUN)).toMatchObject({ status: "SUCCEEDED" });
  });

  test("fails when the end cannot be recorded, since its lock was taken over", async () => {
    const { runtime, invoke } = deployed(async (run, runtime) => {
      await cancelled(run, runtime);
      const found = await recordOf(runtime, RUN);
      if (!found) throw new Error("no run");
      const error = { name: "RunLost", message: "" };
      await runtime.store.execute({ kind: "put-record", record: { ...found, status: "LOST", endedMs: 1e13, error } });
    });
    await expect(invoke(T0)).rejects.toMatchObject({ code: "RUN_CANCELLED" });
    expect(await recordOf(runtime, RUN)).toMatchObject({ status: "LOST" });
  });
});

test("LK-06: a success that meets a record of its loss comes again, and says so in the log", async () => {
  const { runtime, invoke } = deployed(async (_run, runtime) => {
    const found = await recordOf(runtime, RUN);
    if (!found) throw new Error("no run");
    const error = { name: "RunLost", message: "" };
    await runtime.store.execute({ kind: "put-record", record: { ...found, status: "LOST", endedMs: 1e13, error } });
  });
  await expect(invoke(T0)).rejects.toMatchObject({ code: "COME_AGAIN" });
  expect(await recordOf(runtime, RUN)).toMatchObject({ status: "LOST" });
  expect(runtime.lines).toContainEqual(
    expect.objectContaining({
      level: "warn",
      message: "ended SUCCEEDED, but the record is LOST: it was taken from it",
    }),
  );
});

test("a handler that ends before it hears has SUCCEEDED", async () => {
  const { runtime, invoke } = deployed(async (_run, runtime) => {
    await cancel(runtime);
    return "done";
  });
  expect(await invoke(T0)).toBe("done");
  expect(await recordOf(runtime, RUN)).toMatchObject({ status: "SUCCEEDED" });
});

describe("with overlap replace", () => {
  const replace = { ...options, overlap: "replace" } as const;

  test("a newer occurrence stops the run before it and takes its place, though it would be late by now", async () => {
    const { runtime, invoke } = deployed(
      async (run, runtime) => {
        if (run.schedule) return "newer";
        await until(runtime, () => run.signal.aborted);
        throw run.signal.reason;
      },
      { ...replace, maxLateness: "5 minutes" },
    );
    runtime.clock.advance(355 * SECOND);
    const first = invoke(undefined);
    await expect.poll(() => leaseOf(runtime), SOON).toBeDefined();
    const second = invoke(NEXT);
    expect(await first).toMatchObject({ outcome: "cancelled", runId: "manual#req", by: NEXT_RUN });
    let answer: unknown;
    void second.then((value) => {
      answer = value;
    });
    await until(runtime, () => answer);
    expect(answer).toBe("newer");
    expect(await recordOf(runtime, "manual#req")).toMatchObject({ status: "CANCELLED" });
    expect(await recordOf(runtime, NEXT_RUN)).toMatchObject({ status: "SUCCEEDED" });
    expect(runtime.clock.pending()).toBe(0);
  });

  test("is skipped after two heartbeats and ten seconds where the run before goes on", async () => {
    let release = () => {};
    const { runtime, invoke } = deployed(
      () =>
        new Promise<void>((resolve) => {
          release = resolve;
        }),
      replace,
    );
    const first = invoke(T0);
    await expect.poll(() => leaseOf(runtime), SOON).toBeDefined();
    const askedMs = runtime.clock.nowMs();
    const second = invoke(NEXT.replace("01:00Z", "00:05Z"));
    let answer: unknown;
    void second.then((value) => {
      answer = value;
    });
    await until(runtime, () => answer);
    expect(answer).toMatchObject({ outcome: "skipped", reason: "overlap", heldBy: RUN });
    // Two heartbeats of 20 seconds and ten more, at the look after.
    expect(runtime.clock.nowMs() - askedMs).toBeGreaterThanOrEqual(50 * SECOND);
    release();
    await until(runtime, () => runtime.counted.length > 1);
    expect(await first).toMatchObject({ outcome: "cancelled" });
  });
});

test.for([
  ["replaces", {}],
  ["has the higher priority", { locks: ["billing-db"] }],
] as const)(
  "one that %s is skipped before its own deadline, however seldom the holder hears",
  async ([how, shared]) => {
    let release = () => {};
    const seldom = { ...options, heartbeat: "60 seconds", ...shared } as const;
    const { runtime, invoke } = deployed(
      () =>
        new Promise<void>((resolve) => {
          release = resolve;
        }),
      seldom,
    );
    const waits = how === "replaces" ? ({ overlap: "replace" } as const) : { ...shared, priority: 5 };
    const other = { ...runtime, job: how === "replaces" ? runtime.job : "urgent" };
    const newer = scheduledIn(
      () => other,
      { ...options, ...waits, timeout: "1 minute", heartbeat: "15 seconds" },
      async () => "newer",
    );
    const first = invoke(T0);
    await expect.poll(() => leaseOf(runtime)).toBeDefined();
    const startedMs = runtime.clock.nowMs();
    let answer: unknown;
    void newer(
      occurrence("2026-05-01T00:00:05Z", "exec", other.job),
      lambdaContext(runtime.clock, "newer", 60 * SECOND),
    ).then((value) => {
      answer = value;
    });
    // A second before the deadline: looks at 15, 30 and 45 seconds, and the last one here.
    await until(runtime, () => runtime.clock.nowMs() - startedMs >= 59 * SECOND);
    await expect.poll(() => answer, { timeout: 10_000 }).toMatchObject({ outcome: "skipped", reason: "overlap" });
    expect(runtime.clock.nowMs() - startedMs).toBe(59 * SECOND);
    release();
    await until(runtime, () => runtime.counted.length > 1);
    await first;
  },
);

test("RunCancelledError says who, why and what kind of request it is", () => {
  const error = new RunCancelledError(RUN, { kind: "replace", by: NEXT_RUN });
  expect(error.message).toBe(`Run ${RUN} has to stop: replace by ${NEXT_RUN}.`);
  expect(error).toMatchObject({ code: "RUN_CANCELLED", kind: "replace", by: NEXT_RUN, reason: undefined });
});
