import middy from "@middy/core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { deferred } from "../../lib/lambda/held-run.ts";
import { defineJob } from "../../lib/lambda/job.ts";
import { runMiddleware } from "../../lib/lambda/middleware.ts";
import type { RunContext } from "../../lib/lambda/run.ts";
import { rate } from "../../lib/schedule/index.ts";
import { StoreError } from "../../lib/store/index.ts";
import { compose, type Middleware, RUN_ID, T0, throwing } from "./composed.ts";
import { lambdaContext, occurrence, openTable, type TestRuntime, type TestTable, testRuntime } from "./harness.ts";

const job = defineJob({ schedule: rate("1 hour") });

let table: TestTable;
beforeAll(async () => {
  table = await openTable();
});
afterAll(() => table.close());

const composed = (given?: Parameters<typeof compose>[1]) => compose(table, given);

describe("the composed form", () => {
  test("gives the run to the handler at context.run, and leaves the event as it is", async () => {
    const { deliver } = composed({ handler: async (event, { run }) => [event, run.id] });
    expect(await deliver()).toEqual([occurrence(T0, "exec-1"), RUN_ID]);
  });

  test("one middleware instance serves many handlers, whose runs end in any order", async () => {
    const runtime = testRuntime(table, T0);
    const shared = runMiddleware(defineJob({ ...job, overlap: "allow" }), () => runtime);
    const bothStarted = gate(2);
    const handlerOf = (name: string) =>
      middy<unknown, unknown, Error, RunContext>(
        async (_event: unknown, { run }: RunContext) => {
          await bothStarted.pass();
          if (name === "two") throw new Error(`two ${run.id}`);
          return `one ${run.id}`;
        },
        { timeoutEarlyInMillis: 0 },
      ).use(shared);
    const [one, two] = await Promise.allSettled(
      ["one", "two"].map((name) => handlerOf(name)({}, lambdaContext(runtime.clock, name) as RunContext)),
    );
    expect(one).toMatchObject({ status: "fulfilled", value: "one manual#one" });
    expect(two).toMatchObject({ status: "rejected", reason: { message: "two manual#two" } });
    expect(await runtime.queries.readRun(runtime.job, "manual#one")).toMatchObject({ status: "SUCCEEDED" });
    expect(await runtime.queries.readRun(runtime.job, "manual#two")).toMatchObject({ status: "FAILED" });
  });

  test("a handler that is not async works, too", async () => {
    const runtime = testRuntime(table, T0);
    const handler = middy<unknown, unknown, Error, RunContext>(
      ((_event: unknown, { run }: RunContext) => run.attempt) as never,
    );
    handler.use(runMiddleware(job, () => runtime));
    expect(await handler({}, lambdaContext(runtime.clock, "a") as RunContext)).toBe(1);
  });
});

describe("inner middlewares", () => {
  test.each([
    ["a value", "cached"],
    ["null", null],
    ["an object", { cached: true }],
  ])("one that answers early ends the run with its answer: %s", async (_what, answer) => {
    const { deliver, record, lease, started, runtime } = composed({ inner: { before: async () => answer } });
    expect(await deliver()).toEqual(answer);
    expect(started()).toBe(0);
    expect(runtime.lines[0]?.message).toBe("another middleware answered early; the run ends with its answer");
    expect((await record())?.status).toBe("SUCCEEDED");
    expect(await lease()).toBeUndefined();
  });

  test("one that answers early with undefined, by Middy's own field, ends the run, too", async () => {
    const { deliver, record, lease } = composed({
      inner: {
        before: async (request) => {
          request.earlyResponse = undefined;
        },
      },
    });
    expect(await deliver()).toBeUndefined();
    expect((await record())?.status).toBe("SUCCEEDED");
    expect(await lease()).toBeUndefined();
  });

  test("one whose `after` answers early ends the run with that", async () => {
    const { deliver, record, lease } = composed({ inner: { after: async () => "replaced" } });
    expect(await deliver()).toBe("replaced");
    expect((await record())?.status).toBe("SUCCEEDED");
    expect(await lease()).toBeUndefined();
  });

  test.each([
    ["before", { before: throwing }],
    ["after", { after: throwing }],
  ])("an error in `%s` fails the run", async (_hook, inner) => {
    const { deliver, record, lease } = composed({ inner });
    await expect(deliver()).rejects.toThrow("hook failed");
    expect(await record()).toMatchObject({ status: "FAILED", error: { message: "hook failed" } });
    expect(await lease()).toBeUndefined();
  });
});

test("MW-16: inner middlewares see nothing of a duplicate: they open nothing that stays open", async () => {
  const calls: string[] = [];
  const note = (hook: string) => async () => void calls.push(hook);
  const { deliver } = composed({ inner: { before: note("before"), after: note("after"), onError: note("onError") } });
  await deliver("exec-1");
  expect(await deliver("exec-2")).toMatchObject({ outcome: "duplicate" });
  expect(calls).toEqual(["before", "after"]);
});

describe("MW-05: error handlers in the style of HTTP", () => {
  const failing = async () => {
    throw new Error("the source is down");
  };
  const byAssignment: Middleware = {
    onError: async (request) => {
      request.response = { statusCode: 500 };
    },
  };
  const byReturn: Middleware = { onError: async () => ({ statusCode: 500 }) };

  test.each([
    ["by assignment", byAssignment],
    ["by return", byReturn],
  ])("an inner one cannot hide the failure: %s", async (_how, inner) => {
    const { deliver, record, lease } = composed({ handler: failing, inner });
    await expect(deliver()).rejects.toThrow("the source is down");
    expect((await record())?.status).toBe("FAILED");
    expect(await lease()).toBeUndefined();
  });

  test.each([
    ["by assignment", byAssignment],
    ["by return", byReturn],
  ])("an outer one has the last word for the platform; the record is FAILED: %s", async (_how, outer) => {
    const { deliver, record, lease, runtime } = composed({ handler: failing, outer });
    expect(await deliver()).toEqual({ statusCode: 500 });
    expect((await record())?.status).toBe("FAILED");
    expect(await lease()).toBeUndefined();
    expect(warnings(runtime)).toEqual([HIDDEN]);
  });

  test("an outer one that answers for a delivery that has to come again is warned of, too", async () => {
    const { runtime, deliver } = composed({
      handler: async () => {
        const again = composed({ outer: byReturn, runtime });
        expect(await again.deliver()).toEqual({ statusCode: 500 });
        return "done";
      },
    });
    await deliver();
    expect(warnings(runtime)).toEqual([HIDDEN]);
  });

  test("and so is one that answers for a success that could not be recorded", async () => {
    const runtime = testRuntime(table, T0);
    const { execute } = runtime.store;
    const store: TestRuntime["store"] = {
      execute: async (command) => {
        if (command.kind === "put-record") throw new StoreError("STORE_REJECTED", "the item is too large");
        return execute(command);
      },
    };
    const { deliver, lease } = composed({ outer: byAssignment, runtime: { ...runtime, store } });
    expect(await deliver()).toEqual({ statusCode: 500 });
    expect(warnings(runtime)).toEqual([HIDDEN]);
    expect(await lease()).toBeDefined();
  });

  test("without an answer in place of the error nothing is warned of", async () => {
    const { deliver, runtime } = composed({
      handler: failing,
      inner: byAssignment,
      outer: { onError: async () => {} },
    });
    await expect(deliver()).rejects.toThrow("the source is down");
    expect(warnings(runtime)).toEqual([]);
  });

  test("outer error hooks still run after ours", async () => {
    const calls: unknown[] = [];
    const { deliver } = composed({
      handler: failing,
      outer: {
        onError: async (request) => {
          calls.push(request.error?.message);
        },
      },
    });
    await expect(deliver()).rejects.toThrow("the source is down");
    expect(calls).toEqual(["the source is down"]);
  });
});

describe("outer middlewares", () => {
  test("an error in `before`, so that ours never ran, leaves the lock and the record of the run at work alone", async () => {
    const { runtime, deliver, lease, record } = composed({
      handler: async () => {
        const before = [await lease(), await record()];
        const refused = composed({ outer: { before: throwing }, runtime });
        await expect(refused.deliver("exec-2")).rejects.toThrow("hook failed");
        await expect(refused.deliver("exec-1")).rejects.toThrow("hook failed");
        expect([await lease(), await record()]).toEqual(before);
        return "done";
      },
    });
    expect(await deliver()).toBe("done");
    expect(runtime.counted).toHaveLength(1);
  });

  test("an error in `after` comes when the run has ended: it stays SUCCEEDED and is settled once", async () => {
    const { deliver, record, runtime } = composed({ outer: { after: throwing } });
    await expect(deliver()).rejects.toThrow("hook failed");
    expect((await record())?.status).toBe("SUCCEEDED");
    expect(runtime.counted).toHaveLength(1);
  });

  test("MW-16: of a duplicate they see `before` alone, which is why ours stands first", async () => {
    const calls: string[] = [];
    const { deliver } = composed({
      outer: {
        before: async () => {
          calls.push("before");
        },
        after: async () => {
          calls.push("after");
        },
      },
    });
    await deliver("exec-1");
    expect(await deliver("exec-2")).toMatchObject({ outcome: "duplicate" });
    expect(calls).toEqual(["before", "after", "before"]);
  });
});

test("a delivery that lost does not touch the winner's lock, whatever its error hooks do", async () => {
  const { deliver, lease } = composed({
    handler: async () => {
      // The same delivery again: it has to come again, which runs its error hooks.
      await expect(deliver("exec-1")).rejects.toMatchObject({ code: "COME_AGAIN" });
      expect(await lease()).toBeDefined();
      return "done";
    },
  });
  expect(await deliver("exec-1")).toBe("done");
});

test("Middy's own early time-out leaves the lease alone and does not return while the handler goes on", async () => {
  const { deliver, record, lease, runtime, started } = composed({
    // Middy's timer is a real one: the context says 20 ms, the hand-turned clock stands still.
    timeoutEarlyInMillis: 5,
    handler: async (_event, { run }) => {
      await new Promise((resolve) => run.signal.addEventListener("abort", resolve));
      await new Promise(() => {});
    },
  });
  const context = lambdaContext(runtime.clock, "req-1", 20);
  let returned = false;
  const invocation = deliver("exec-1", context).finally(() => {
    returned = true;
  });
  await expect.poll(started).toBe(1);
  runtime.clock.advance(0);
  await expect.poll(async () => (await record())?.status, { timeout: 10_000 }).toBe("TIMED_OUT");
  expect(await lease()).toBeDefined();
  expect(returned).toBe(false);
  // At the deadline, where Lambda ends it, it has still not returned; a while later it gives up.
  runtime.clock.advance(20);
  expect(await lease()).toBeDefined();
  expect(returned).toBe(false);
  runtime.clock.advance(5_000);
  await expect(invocation).rejects.toMatchObject({ code: "RUN_TIMED_OUT" });
  expect(await lease()).toBeDefined();
});

const HIDDEN =
  "another middleware answers for the error, so Lambda takes it for a success and does not deliver it again";

function warnings({ lines }: TestRuntime): string[] {
  return lines.filter(({ level }) => level === "warn").map(({ message }) => message);
}

/** Opens when so many wait at it. */
function gate(count: number) {
  const opened = deferred<void>();
  let waiting = 0;
  return {
    pass() {
      waiting += 1;
      if (waiting === count) opened.resolve();
      return opened.promise;
    },
  };
}
