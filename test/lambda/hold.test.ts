import { once } from "node:events";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { JobOptions } from "../../lib/lambda/options.ts";
import type { Run } from "../../lib/lambda/run.ts";
import { scheduledIn } from "../../lib/lambda/scheduled.ts";
import { rate } from "../../lib/schedule/index.ts";
import { createRunStore } from "../../lib/store/index.ts";
import { lambdaContext, occurrence, openTable, type TestTable, testRuntime } from "./harness.ts";

const T0 = "2026-05-01T00:00:00Z";
const RUN_ID = "2026-05-01T00:00:00.000Z#default";
const MINUTE = 60_000;

let table: TestTable;
beforeAll(async () => {
  table = await openTable();
});
afterAll(() => table.close());

/** A job with a timeout of a minute that holds its lock for ten after a time-out. */
function deployed(handler: (run: Run) => Promise<unknown>, options: Partial<JobOptions> = {}) {
  const runtime = testRuntime(table, T0);
  const schedule = rate("5 minutes");
  const lambda = scheduledIn(() => runtime, { schedule, holdAfterTimeout: "10 minutes", ...options }, handler);
  let requests = 0;
  return {
    runtime,
    deliver: (at: string) => lambda(occurrence(at, `exec-${at}`), lambdaContext(runtime.clock, `req-${++requests}`)),
    lease: () => runtime.queries.readJob(runtime.job, { limit: 1 }).then(({ state }) => state?.lease),
    record: (runId: string) => runtime.queries.readRun(runtime.job, runId),
  };
}

/** Ends when the signal aborts, a second before the deadline. */
function timingOut(runtime: () => ReturnType<typeof testRuntime>) {
  return async (run: Run) => {
    if (run.id !== RUN_ID || run.attempt > 1) return "done";
    runtime().clock.advance(59_000);
    await once(run.signal, "abort");
  };
}

test("DU-14: a lock is held for ten minutes after a time-out, and says so; then the next occurrence runs", async () => {
  const job = deployed(timingOut(() => job.runtime));
  await expect(job.deliver(T0)).rejects.toMatchObject({ code: "RUN_TIMED_OUT" });
  expect(await job.lease()).toMatchObject({ expiresAtMs: Date.parse("2026-05-01T00:11:00Z"), holdMs: 600_000 });

  job.runtime.clock.advance(4 * MINUTE + 1_000);
  const skipped = { outcome: "skipped", reason: "overlap", heldBy: RUN_ID };
  expect(await job.deliver("2026-05-01T00:05:00Z")).toMatchObject(skipped);
  const record = await job.record("2026-05-01T00:05:00.000Z#default");
  expect(record).toMatchObject({ status: "SKIPPED", reason: "overlap", heldBy: RUN_ID, heldOver: true });
  expect(job.runtime.lines.at(-1)?.message).toContain("timed out or crashed, and still is to hold the lock");

  // The run's own next attempt waits, too.
  await expect(job.deliver(T0)).rejects.toMatchObject({ code: "COME_AGAIN" });

  job.runtime.clock.advance(10 * MINUTE);
  expect(await job.deliver("2026-05-01T00:15:00Z")).toBe("done");
  expect(await job.record(RUN_ID)).toMatchObject({ status: "TIMED_OUT", endedMs: Date.parse("2026-05-01T00:00:59Z") });
  expect(await job.deliver(T0)).toBe("done");
  expect(await job.record(RUN_ID)).toMatchObject({ status: "SUCCEEDED", attempt: 2 });
});

test("a lock is held after a crash, whose run is recorded as ended at its deadline", async () => {
  const job = deployed(async (run) => (run.id === RUN_ID ? new Promise(() => {}) : "done"));
  void job.deliver(T0);
  await expect.poll(job.lease, { timeout: 5_000 }).toBeDefined();
  /** Another sandbox of the job. */
  const deliver = (at: string, nowText: string) => {
    const { fleet } = job.runtime;
    const later = testRuntime(table, nowText);
    const store = createRunStore({ client: table.client, tableName: table.tableName, fleet, clock: later.clock.nowMs });
    const runtime = { ...later, fleet, store };
    const lambda = scheduledIn(
      () => runtime,
      { schedule: rate("5 minutes") },
      async () => "done",
    );
    return lambda(occurrence(at, at), lambdaContext(later.clock, `req-${at}`));
  };
  const inTheHold = await deliver("2026-05-01T00:05:00Z", "2026-05-01T00:06:00Z");
  expect(inTheHold).toMatchObject({ outcome: "skipped", heldBy: RUN_ID });
  expect(await deliver("2026-05-01T00:10:00Z", "2026-05-01T00:12:00Z")).toBe("done");
  expect(await job.record(RUN_ID)).toMatchObject({ status: "LOST", endedMs: Date.parse("2026-05-01T00:01:00Z") });
});

test.for(["returns", "throws"])("a handler that %s gives the lock back at once", async (how) => {
  const job = deployed(async () => {
    if (how === "throws") throw new Error("503");
  });
  await job.deliver(T0).catch(() => {});
  expect(await job.lease()).toBeUndefined();
});

test("with a heartbeat each lease is longer by the hold, and is given back at once when the run succeeds", async () => {
  const leases: unknown[] = [];
  const expiresAt = async (): Promise<number | undefined> => (await job.lease())?.expiresAtMs;
  const job: ReturnType<typeof deployed> = deployed(
    async () => {
      leases.push(await expiresAt());
      job.runtime.clock.advance(10_000);
      await expect.poll(expiresAt, { timeout: 5_000 }).not.toBe(leases[0]);
      leases.push(await expiresAt());
    },
    { heartbeat: "10 seconds" },
  );
  await job.deliver(T0);
  // Three heartbeats and the tolerance for the owner's clock, then ten minutes; ten seconds later the same again.
  expect(leases).toEqual([Date.parse("2026-05-01T00:10:35Z"), Date.parse("2026-05-01T00:10:45Z")]);
  expect(await job.lease()).toBeUndefined();
});

test("by default a time-out that the handler confirms gives the lock back", async () => {
  const job = deployed(
    timingOut(() => job.runtime),
    { holdAfterTimeout: "0 seconds" },
  );
  await expect(job.deliver(T0)).rejects.toMatchObject({ code: "RUN_TIMED_OUT" });
  expect(await job.lease()).toBeUndefined();
});

test.for([
  [{ holdAfterTimeout: "61 minutes" }, 'holdAfterTimeout is "61 minutes". Allowed: from "0 seconds" to "1 hour"'],
  [{ holdAfterTimeout: "5 minutes", overlap: "allow" }, "there is no lock to hold"],
] as const)("%o is refused", ([options, message]) => {
  expect(() => deployed(async () => {}, options)).toThrow(message);
});
