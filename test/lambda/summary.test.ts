import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { JobOptions } from "../../lib/lambda/options.ts";
import { scheduledIn } from "../../lib/lambda/scheduled.ts";
import { summarise, summariseError } from "../../lib/lambda/summary.ts";
import { rate } from "../../lib/schedule/index.ts";
import { lambdaContext, occurrence, openTable, type TestTable, testRuntime } from "./harness.ts";

const T0 = "2026-05-01T00:00:00Z";
const asItIs = (value: unknown) => value;

let table: TestTable;
beforeAll(async () => {
  table = await openTable();
});
afterAll(() => table.close());

/** A run of the handler; answers how it ended on its record and whether its lock is free. */
async function run(handler: () => Promise<unknown>, options: Partial<JobOptions> = {}) {
  const runtime = testRuntime(table, T0);
  const lambda = scheduledIn(() => runtime, { schedule: rate("1 hour"), ...options }, handler);
  await lambda(occurrence(T0, "exec-1"), lambdaContext(runtime.clock, "req-1")).catch(() => {});
  const { state, runs } = await runtime.queries.readJob(runtime.job, { limit: 1 });
  return { record: runs[0], lease: state?.lease };
}

const broken = (): never => {
  throw new Error("a trap");
};
const circle: Record<string, unknown> = {};
circle["self"] = circle;
const revoked = Proxy.revocable({}, {});
revoked.revoke();
const trapped = new Proxy({}, { get: broken, ownKeys: broken, getPrototypeOf: broken });

describe("whatever a handler throws, the run is FAILED and its lock given back:", () => {
  test.for([
    ["a string", "plain text"],
    ["undefined", undefined],
    ["null", null],
    ["a BigInt", 1n],
    ["a symbol", Symbol("s")],
    ["a circle", circle],
    ["a revoked proxy", revoked.proxy],
    ["a proxy whose traps throw", trapped],
    ["an error whose message throws", Object.defineProperty(new Error(), "message", { get: broken })],
    ["an error whose name throws", Object.defineProperty(new Error("text"), "name", { get: broken })],
    ["an error whose message is a symbol", Object.assign(new Error(), { message: Symbol("s") })],
    ["an object whose toJSON throws", { toJSON: broken }],
    ["an object without a prototype", Object.create(null)],
    ["an error of 2 MB", new Error("é".repeat(1_000_000))],
  ] as const)("%s", async ([, thrown]) => {
    const { record, lease } = await run(() => Promise.reject(thrown));
    expect(record?.status).toBe("FAILED");
    expect(Buffer.byteLength(record?.error?.message ?? "")).toBeLessThanOrEqual(2_000);
    expect(lease).toBeUndefined();
  });
});

describe("whatever a handler returns, the run is SUCCEEDED and its lock given back:", () => {
  test.for([
    ["a BigInt", 1n],
    ["a circle", circle],
    ["a revoked proxy", revoked.proxy],
    ["a proxy whose traps throw", trapped],
    ["an object whose getter throws", Object.defineProperty({}, "a", { get: broken, enumerable: true })],
    ["an object whose toJSON throws", { toJSON: broken }],
    ["2 MB of text", "é".repeat(1_000_000)],
  ] as const)("%s", async ([, result]) => {
    const { record, lease } = await run(async () => [result], { store: { result: true } });
    expect(record?.status).toBe("SUCCEEDED");
    expect(Buffer.byteLength(record?.result?.json ?? "")).toBeLessThanOrEqual(4_096);
    expect(lease).toBeUndefined();
  });
});

const THEN = "then";

describe("a redact that", () => {
  test.for([
    ["throws", broken],
    ["promises", async (): Promise<unknown> => "later"],
    ["promises by an object of its own", (value: unknown): unknown => Object.assign(Object(value), { [THEN]() {} })],
    ["breaks its promise", async (): Promise<never> => broken()],
    ["returns a circle", (): unknown => circle],
    ["returns a revoked proxy", (): unknown => revoked.proxy],
  ] as const)("%s keeps the content out, and the size and hash in", ([, redact]) => {
    expect(summarise({ token: "s3cret" }, true, redact)).toEqual({ bytes: 18, hash: expect.any(String) });
    expect(JSON.stringify(summariseError(new Error("s3cret"), redact))).not.toContain("s3cret");
  });

  test("edits what it gets edits a copy: the handler, the queue and the caller keep theirs", async () => {
    const seen: unknown[] = [];
    const answers: unknown[] = [];
    const runtime = testRuntime(table, T0);
    const options: JobOptions = {
      schedule: rate("1 hour"),
      overlap: "queue",
      store: { input: true, result: true },
      redact(value) {
        if (typeof value === "object" && value !== null) Reflect.deleteProperty(value, "token");
        return value;
      },
    };
    const deliver = (time: string, id: string) =>
      lambda({ ...occurrence(time, id), input: { token: id, city: "Bern" } }, lambdaContext(runtime.clock, id));
    const lambda = scheduledIn(
      () => runtime,
      options,
      async (run) => {
        seen.push(run.input);
        await deliver("2026-04-30T23:59:00Z", "exec-2");
        return { token: "for the caller", rows: 1 };
      },
    );
    answers.push(await deliver(T0, "exec-1"));
    expect(seen).toEqual([{ token: "exec-1", city: "Bern" }]);
    expect(runtime.sent).toMatchObject([{ input: { token: "exec-2", city: "Bern" } }]);
    expect(answers).toEqual([{ token: "for the caller", rows: 1 }]);
    const record = await runtime.queries.readRun(runtime.job, "2026-05-01T00:00:00.000Z#default");
    expect([record?.input?.json, record?.result?.json]).toEqual(['{"city":"Bern"}', '{"rows":1}']);
  });

  test("returns more than it got is bounded, too", () => {
    expect(summarise("x", true, () => "é".repeat(2_048))).not.toHaveProperty("json");
    const { message } = summariseError(new Error("x"), () => "é".repeat(2_000));
    expect(Buffer.byteLength(message)).toBeLessThanOrEqual(2_000);
  });
});

test("half of a surrogate pair in an error's name or message is kept as U+FFFD", () => {
  const broken = Object.assign(new Error("a\ud800b"), { name: "\udfff" });
  expect(summariseError(broken, asItIs)).toEqual({ name: "\ufffd", message: "a\ufffdb" });
});

test("an error's message is kept as it is without redact", () => {
  expect(summariseError(new TypeError("503"), asItIs)).toEqual({ name: "TypeError", message: "503" });
});
