import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { compose, type Middleware, throwing } from "./composed.ts";
import { lambdaContext, openTable, type TestTable } from "./harness.ts";

let table: TestTable;
beforeAll(async () => {
  table = await openTable();
});
afterAll(() => table.close());

const failing = async () => {
  throw new Error("the source is down");
};

describe("an error hook that stands after ours", () => {
  test.each([
    [
      "throws the error again",
      async ({ error }: { error?: Error | null | undefined }) => {
        throw error;
      },
      "the source is down",
    ],
    ["fails by itself", throwing, "hook failed"],
  ])("and %s fails the run with what it threw; the lock is given back", async (_what, onError, message) => {
    const { deliver, record, lease } = compose(table, { handler: failing, inner: { onError } });
    await expect(deliver()).rejects.toThrow(message);
    // Middy calls no hook of ours then, and waits for nothing.
    await expect.poll(lease, { timeout: 10_000 }).toBeUndefined();
    expect(await record()).toMatchObject({ status: "FAILED", error: { message } });
  });

  test("may put another error in the place of the handler's: that one is recorded and thrown", async () => {
    const inner: Middleware = {
      onError: async (request) => {
        request.error = new Error("wrapped", { cause: request.error });
      },
    };
    const { deliver, record } = compose(table, { handler: failing, inner });
    await expect(deliver()).rejects.toMatchObject({ message: "wrapped", cause: { message: "the source is down" } });
    expect(await record()).toMatchObject({ status: "FAILED", error: { message: "wrapped" } });
  });
});

describe("an error hook that stands before ours and fails", () => {
  test("comes when the run has ended: it is FAILED by the handler's error", async () => {
    const { deliver, record, lease, runtime } = compose(table, { handler: failing, outer: { onError: throwing } });
    await expect(deliver()).rejects.toThrow("hook failed");
    expect(await record()).toMatchObject({ status: "FAILED", error: { message: "the source is down" } });
    expect(await lease()).toBeUndefined();
    expect(runtime.counted).toHaveLength(1);
  });
});

test.each([
  ["text", "no good"],
  ["undefined", undefined],
  ["null", null],
  ["a BigInt", 7n],
])("an answer for a thrown %s is no success", async (_what, thrown) => {
  const { deliver, record, lease } = compose(table, {
    handler: async () => {
      throw thrown;
    },
    inner: { onError: async () => ({ statusCode: 500 }) },
  });
  const caught = await deliver().then(
    () => "no error",
    (error: unknown) => error,
  );
  expect(caught).toBe(thrown);
  expect((await record())?.status).toBe("FAILED");
  expect(await lease()).toBeUndefined();
});

test.each<[string, NonNullable<Middleware["onError"]>, "stays" | "returns"]>([
  ["answers for it", async () => ({ statusCode: 504 }), "stays"],
  [
    "assigns an answer",
    async (request) => {
      request.response = { statusCode: 504 };
    },
    "stays",
  ],
  [
    "puts another error in its place",
    async (request) => {
      request.error = new Error("wrapped");
    },
    "stays",
  ],
  ["fails", throwing, "returns"],
])(
  "Middy's own time-out ends no run whose handler is at work, also where an inner hook %s",
  async (_what, onError, invocation) => {
    const { deliver, record, lease, runtime, started } = compose(table, {
      timeoutEarlyInMillis: 5,
      inner: { onError },
      handler: () => new Promise(() => {}),
    });
    // Middy's timer is a real one: the context says 20 ms, the hand-turned clock stands still.
    let isAtWork = true;
    const ended = deliver("exec-1", lambdaContext(runtime.clock, "req-1", 20)).then(
      () => "answered",
      () => "failed",
    );
    void ended.then(() => {
      isAtWork = false;
    });
    await expect.poll(started).toBe(1);
    runtime.clock.advance(0);
    await expect.poll(async () => (await record())?.status, { timeout: 10_000 }).toBe("TIMED_OUT");
    if (invocation === "stays") expect(isAtWork).toBe(true);
    runtime.clock.advance(5_020);
    expect(await ended).toBe("failed");
    expect(await lease()).toBeDefined();
  },
);
