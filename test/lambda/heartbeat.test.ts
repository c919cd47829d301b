import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { Run } from "../../lib/lambda/run.ts";
import { scheduledIn } from "../../lib/lambda/scheduled.ts";
import { SKEW_TOLERANCE_MS } from "../../lib/run/index.ts";
import { cron } from "../../lib/schedule/index.ts";
import { lambdaContext, occurrence, openTable, type TestRuntime, type TestTable, testRuntime } from "./harness.ts";

const T0 = "2026-05-01T00:00:00Z";
const SECOND = 1_000;
const options = { schedule: cron("0 0 * * ? *"), timeout: "10 minutes", heartbeat: "20 seconds" } as const;

let table: TestTable;
beforeAll(async () => {
  table = await openTable();
});
afterAll(() => table.close());

const unhandled: unknown[] = [];
const note = (reason: unknown) => unhandled.push(reason);
beforeEach(() => void process.on("unhandledRejection", note));
afterEach(() => {
  process.off("unhandledRejection", note);
  expect(unhandled).toEqual([]);
});

/** A job whose renewals can be made to fail or to be held back, and are counted. */
function deployed(handler: (run: Run, world: World) => Promise<unknown>) {
  const runtime = testRuntime(table, T0);
  const world: World = { runtime, renewals: 0, onRenew: async () => {}, lease: () => leaseOf(runtime) };
  const store: TestRuntime["store"] = {
    async execute(command) {
      if (command.kind !== "renew") return runtime.store.execute(command);
      await world.onRenew();
      const reply = await runtime.store.execute(command);
      world.renewals++;
      return reply;
    },
  };
  const lambda = scheduledIn(
    () => ({ ...runtime, store }),
    options,
    (run) => handler(run, world),
  );
  const context = lambdaContext(runtime.clock, "req-1", 600 * SECOND);
  return { runtime, world, invoke: () => lambda(occurrence(T0, "exec-1"), context) };
}

interface World {
  readonly runtime: TestRuntime;
  renewals: number;
  onRenew: () => Promise<void>;
  lease(): ReturnType<typeof leaseOf>;
}

const leaseOf = (runtime: TestRuntime) =>
  runtime.queries.readJob(runtime.job, { limit: 1 }).then(({ state }) => state?.lease);

/** Turns the clock on and waits until the beat that is due then has been answered. */
async function nextBeat(world: World): Promise<void> {
  const before = world.renewals;
  world.runtime.clock.advance(20 * SECOND);
  await expect.poll(() => world.renewals, { interval: 1 }).toBe(before + 1);
  // The next beat, the watch, and the deadline.
  await expect.poll(() => world.runtime.clock.pending(), { interval: 1 }).toBe(3);
}

test("renews the lease while the handler is at work, and carries its progress", async () => {
  const { runtime, invoke } = deployed(async (run, world) => {
    run.progress(0.4, "half of the orders");
    await nextBeat(world);
    await nextBeat(world);
    const lease = await world.lease();
    // 40 s after the start, three heartbeats and the tolerance for this clock.
    expect(lease?.expiresAtMs).toBe(Date.parse("2026-05-01T00:01:40Z") + SKEW_TOLERANCE_MS);
    expect(lease?.progress).toEqual({ fraction: 0.4, note: "half of the orders", atMs: Date.parse(T0) });
    return "done";
  });
  expect(await invoke()).toBe("done");
  expect(await leaseOf(runtime)).toBeUndefined();
  expect(runtime.clock.pending()).toBe(0);
});

test("LK-08: keeps the lock of a handler that works for ten leases", async () => {
  const { runtime, invoke } = deployed(async (run, world) => {
    for (let beat = 0; beat < 25; beat++) await nextBeat(world);
    expect(run.signal.aborted).toBe(false);
    return "done";
  });
  expect(await invoke()).toBe("done");
  expect(runtime.counted).toMatchObject([["ended", { status: "SUCCEEDED", durationMs: 500_000 }]]);
});

test("LK-12: a renewal that fails is logged once and tried again; the handler's own promise decides", async () => {
  const { runtime, invoke } = deployed(async (run, world) => {
    let faults = 0;
    world.onRenew = async () => {
      if (++faults <= 2) throw new Error("socket hang up");
    };
    world.runtime.clock.advance(20 * SECOND);
    await expect.poll(() => world.runtime.lines.filter(({ level }) => level === "warn").length).toBe(1);
    world.runtime.clock.advance(1 * SECOND);
    await expect.poll(() => faults).toBe(2);
    await expect.poll(() => world.runtime.clock.pending()).toBe(3);
    world.runtime.clock.advance(1 * SECOND);
    await expect.poll(() => world.renewals).toBe(1);
    expect(run.signal.aborted).toBe(false);
    return "done";
  });
  expect(await invoke()).toBe("done");
  expect(runtime.lines.filter(({ level }) => level === "warn")).toHaveLength(1);
  expect(runtime.clock.pending()).toBe(0);
});

describe("the handler is told to stop", () => {
  test("two heartbeats after the last good request was sent, not after it was answered", async () => {
    const { runtime, invoke } = deployed(async (run, world) => {
      let answer = () => {};
      world.onRenew = () =>
        new Promise((resolve) => {
          answer = resolve;
        });
      world.runtime.clock.advance(20 * SECOND);
      // Sent 20 s after the start, answered 15 s later.
      world.runtime.clock.advance(15 * SECOND);
      answer();
      await expect.poll(() => world.renewals).toBe(1);
      world.onRenew = () => Promise.reject(new Error("socket hang up"));
      await expect.poll(() => world.runtime.clock.pending()).toBe(3);
      world.runtime.clock.advance(24_999);
      expect(run.signal.aborted).toBe(false);
      world.runtime.clock.advance(1);
      expect(run.signal.reason).toMatchObject({
        code: "LEASE_LOST",
        message: `Run ${run.id} has to stop: its lease could not be confirmed in time.`,
      });
      throw run.signal.reason;
    });
    await expect(invoke()).rejects.toMatchObject({ code: "LEASE_LOST" });
    expect(runtime.counted).toMatchObject([["ended", { status: "FAILED" }]]);
    expect(runtime.clock.pending()).toBe(0);
  });

  test("at once, when the lock is another's", async () => {
    const { runtime, invoke } = deployed(async (run, { runtime }) => {
      const lease = await leaseOf(runtime);
      await runtime.store.execute({ kind: "release", job: runtime.job, owner: String(lease?.owner) });
      runtime.clock.advance(20 * SECOND);
      await expect.poll(() => run.signal.aborted).toBe(true);
      expect(run.signal.reason).toMatchObject({ code: "LEASE_LOST" });
      return "done all the same";
    });
    expect(await invoke()).toBe("done all the same");
    expect(runtime.clock.pending()).toBe(0);
  });

  test("and its process ends with the lease, if it has not stopped by then", async () => {
    const { runtime, invoke } = deployed(async (run, world) => {
      world.onRenew = () => Promise.reject(new Error("socket hang up"));
      world.runtime.clock.advance(40 * SECOND);
      expect(run.signal.aborted).toBe(true);
      world.runtime.clock.advance(19_999);
      expect(world.runtime.counted).toEqual([]);
      world.runtime.clock.advance(1);
      expect(world.runtime.counted).toEqual([["process ended"]]);
    });
    await invoke();
    expect(runtime.clock.pending()).toBe(0);
  });
});

test("a handler does not start under a lease that nobody could confirm in time", async () => {
  let started = false;
  const runtime = testRuntime(table, T0);
  const store: TestRuntime["store"] = {
    async execute(command) {
      const reply = await runtime.store.execute(command);
      // The reply takes 45 seconds.
      if (command.kind === "acquire-newest") runtime.clock.advance(45 * SECOND);
      return reply;
    },
  };
  const lambda = scheduledIn(
    () => ({ ...runtime, store }),
    options,
    async () => {
      started = true;
    },
  );
  const context = lambdaContext(runtime.clock, "req-1", 600 * SECOND);
  await expect(lambda(occurrence(T0, "exec-1"), context)).rejects.toMatchObject({ code: "LEASE_LOST" });
  expect(started).toBe(false);
  expect(await leaseOf(runtime)).toBeUndefined();
});

test("a renewal under way when the handler ends re-arms nothing, and is waited for", async () => {
  let answer = () => {};
  const { runtime, invoke } = deployed(async (_run, world) => {
    world.onRenew = () =>
      new Promise((resolve) => {
        answer = resolve;
      });
    world.runtime.clock.advance(20 * SECOND);
    return "done";
  });
  let hasReturned = false;
  const result = invoke().finally(() => {
    hasReturned = true;
  });
  await expect.poll(() => runtime.counted).toHaveLength(1);
  expect(hasReturned).toBe(false);
  answer();
  expect(await result).toBe("done");
  expect(await leaseOf(runtime)).toBeUndefined();
  expect(runtime.clock.pending()).toBe(0);
});

test.each(["0.5", 1n, null])("renews the lease also after progress(%o), which is no fraction", async (fraction) => {
  const { invoke } = deployed(async (run, world) => {
    run.progress(fraction as unknown as number);
    await nextBeat(world);
    expect((await world.lease())?.progress).toBeUndefined();
    return "done";
  });
  expect(await invoke()).toBe("done");
});

test("MW-09: of a progress note of 1 MB the beginning is carried, and the run succeeds", async () => {
  const { invoke } = deployed(async (run, world) => {
    run.progress(0.5, "x".repeat(1_000_000));
    await nextBeat(world);
    // 200 bytes of it, and the mark of what is cut.
    expect((await world.lease())?.progress?.note).toBe(`${"x".repeat(197)}…`);
    return "done";
  });
  expect(await invoke()).toBe("done");
});

test("a job without a heartbeat renews nothing", async () => {
  const runtime = testRuntime(table, T0);
  const kinds: string[] = [];
  const store: TestRuntime["store"] = {
    execute(command) {
      kinds.push(command.kind);
      return runtime.store.execute(command);
    },
  };
  const lambda = scheduledIn(
    () => ({ ...runtime, store }),
    { schedule: options.schedule, timeout: "10 minutes" },
    async (run) => {
      run.progress(0.5);
      runtime.clock.advance(300 * SECOND);
    },
  );
  await lambda(occurrence(T0, "exec-1"), lambdaContext(runtime.clock, "req-1", 600 * SECOND));
  expect(kinds).toEqual(["acquire-newest", "put-record", "release"]);
});
