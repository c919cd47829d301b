import middy, { type MiddlewareObj } from "@middy/core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { defineJob } from "../../lib/lambda/job.ts";
import { runMiddleware } from "../../lib/lambda/middleware.ts";
import type { RunContext } from "../../lib/lambda/run.ts";
import { rate } from "../../lib/schedule/index.ts";
import { lambdaContext, occurrence, openTable, type TestTable, testRuntime } from "./harness.ts";

const T0 = "2026-05-01T00:00:00Z";
const RUN_ID = "2026-05-01T00:00:00.000Z#default";
const job = defineJob({ schedule: rate("1 hour") });

type Middleware = MiddlewareObj<unknown, unknown, Error, RunContext>;

let table: TestTable;
beforeAll(async () => {
  table = await openTable();
});
afterAll(() => table.close());

/** A composed handler; `outer` stands before our middleware, `inner` after it. */
function composed(given: {
  outer?: Middleware;
  inner?: Middleware;
  handler?: (event: unknown, context: RunContext) => Promise<unknown>;
  timeoutEarlyInMillis?: number;
}) {
  const { outer = {}, inner = {}, timeoutEarlyInMillis = 0 } = given;
  const runtime = testRuntime(table, T0);
  let started = 0;
  const handler = middy<unknown, unknown, Error, RunContext>(
    async (event: unknown, context: RunContext) => {
      started += 1;
      return given.handler ? given.handler(event, context) : "done";
    },
    { timeoutEarlyInMillis },
  );
  if (Object.keys(outer).length > 0) handler.use(outer);
  handler.use(runMiddleware(job, () => runtime));
  if (Object.keys(inner).length > 0) handler.use(inner);
  return {
    runtime,
    deliver: (executionId = "exec-1", context = lambdaContext(runtime.clock, `req-${executionId}`)) =>
      handler(occurrence(T0, executionId), context as RunContext),
    record: () => runtime.queries.readRun(runtime.job, RUN_ID),
    lease: () => runtime.queries.readJob(runtime.job, { limit: 1 }).then(({ state }) => state?.lease),
    started: () => started,
  };
}

function throwing(): never {
  throw new Error("hook failed");
}

describe("the composed form", () => {
  test("gives the run to the handler at context.run, and leaves the event as it is", async () => {
    const { deliver } = composed({ handler: async (event, { run }) => [event, run.id] });
    expect(await deliver()).toEqual([occurrence(T0, "exec-1"), RUN_ID]);
  });

  test("one middleware instance serves many handlers, at once", async () => {
    const runtime = testRuntime(table, T0);
    const shared = runMiddleware(job, () => runtime);
    const one = middy(async (_event: unknown, { run }: RunContext) => `one ${run.id}`).use(shared);
    const two = middy(async (_event: unknown, { run }: RunContext) => `two ${run.id}`).use(shared);
    const answers = [
      await one({}, lambdaContext(runtime.clock, "a") as RunContext),
      await two({}, lambdaContext(runtime.clock, "b") as RunContext),
    ];
    expect(answers).toEqual(["one manual#a", "two manual#b"]);
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
    const { deliver, record, lease, started } = composed({ inner: { before: async () => answer } });
    expect(await deliver()).toEqual(answer);
    expect(started()).toBe(0);
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
    const { deliver, record, lease } = composed({ handler: failing, outer });
    expect(await deliver()).toEqual({ statusCode: 500 });
    expect((await record())?.status).toBe("FAILED");
    expect(await lease()).toBeUndefined();
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
  test("an error in `before`, so that ours never ran, touches no lock", async () => {
    const running = composed({
      handler: async () => {
        const refused = composed({ outer: { before: throwing } });
        await expect(refused.deliver("exec-2")).rejects.toThrow("hook failed");
        expect(await refused.record()).toBeUndefined();
        return "done";
      },
    });
    expect(await running.deliver()).toBe("done");
  });

  test("an error in `after` comes when the run has ended: it stays SUCCEEDED and is settled once", async () => {
    const { deliver, record, runtime } = composed({ outer: { after: throwing } });
    await expect(deliver()).rejects.toThrow("hook failed");
    expect((await record())?.status).toBe("SUCCEEDED");
    expect(runtime.counted).toHaveLength(1);
  });

  test("MW-16: a duplicate is answered without a hook of theirs, and without an error", async () => {
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
  await expect.poll(async () => (await record())?.status).toBe("TIMED_OUT");
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
