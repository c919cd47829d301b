import { existsSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { AsyncQueue } from "../../lib/local/async-queue.ts";
import { listDeadLetters } from "../../lib/local/dead-letters.ts";
import type { AsyncPolicy, FunctionDefinition } from "../../lib/local/definitions.ts";
import type { RunnerEvent } from "../../lib/local/events.ts";
import type { InvocationResult } from "../../lib/local/sandbox.ts";
import { ManualClock } from "./manual-clock.ts";
import { tempFolder } from "./temp-folder.ts";

const failure: InvocationResult = { ok: false, error: { errorType: "Error", errorMessage: "no" } };
const success: InvocationResult = { ok: true };
const destination = "arn:aws:sqs:local:000000000000:Shop-Failed";

const whole = {
  requestId: "bad",
  functionName: "bill",
  payload: "{}",
  acceptedAtMs: Date.parse("2026-05-01T09:59:00Z"),
  dueAtMs: Date.parse("2026-05-01T09:59:00Z"),
  invocations: 0,
  failures: 0,
};

describe("an event in the queue", () => {
  test("is on disk before it is acknowledged, and gone when its function has succeeded", async () => {
    const { clock, open, files } = machine(() => success);
    const requestId = open().accept("bill", '{"a":1}', "invoke");
    expect(files()).toEqual([`${requestId}.json`]);
    await clock.moveTo("2026-05-01T10:00:00Z");
    expect(files()).toEqual([]);
  });

  test("whose function fails comes again after one and two minutes with the same request id, then is a dead letter", async () => {
    const { clock, open, files, invoked, letters } = machine(() => failure, { destination });
    const requestId = open().accept("bill", '{"a":1}', "invoke");
    await clock.moveTo("2026-05-01T11:00:00Z");
    expect(invoked).toEqual([`10:00:00 ${requestId}`, `10:01:00 ${requestId}`, `10:03:00 ${requestId}`]);
    expect(files()).toEqual([]);
    expect(letters()).toEqual([
      {
        version: "1.0",
        timestamp: "2026-05-01T10:03:00.000Z",
        destination,
        requestContext: {
          requestId,
          functionArn: "arn:aws:lambda:local:000000000000:function:bill",
          condition: "RetriesExhausted",
          approximateInvokeCount: 3,
        },
        requestPayload: { a: 1 },
        responsePayload: { errorType: "Error", errorMessage: "no" },
      },
    ]);
  });

  test("that has no destination is dropped when it has failed for good, and that is said", async () => {
    const { clock, open, letters, told } = machine(() => failure, { maxRetries: 0 });
    open().accept("bill", "{}", "invoke");
    await clock.moveTo("2026-05-01T11:00:00Z");
    expect(letters()).toEqual([]);
    expect(told.at(-1)).toMatchObject({ kind: "dead-lettered", error: { errorMessage: "no" } });
  });

  test("that has grown too old is a dead letter without another try", async () => {
    const { clock, open, invoked, letters } = machine(() => failure, { destination, maxAgeMs: 90_000 });
    open().accept("bill", "{}", "invoke");
    await clock.moveTo("2026-05-01T11:00:00Z");
    expect(invoked.map((line) => line.slice(0, 8))).toEqual(["10:00:00", "10:01:00"]);
    expect(letters()[0]?.requestContext.condition).toBe("EventAgeExceeded");
  });
});

describe("an event whose function is away when it is due, as while its job's file is moved,", () => {
  test("waits for it, and comes when it is deployed again; that is said", async () => {
    const { clock, open, functions, bill, files, invoked, told } = machine(() => failure);
    const queue = open();
    const requestId = queue.accept("bill", "{}", "invoke");
    await clock.moveTo("2026-05-01T10:00:30Z");
    functions.delete("bill");
    queue.functionsChanged();
    await clock.moveTo("2026-05-01T10:05:00Z");
    expect(told.at(-1)).toEqual({
      kind: "warning",
      message: `An event for bill stays in the queue (${requestId}): there is no such function. It runs once there is one again.`,
    });
    expect([queue.waiting(), files()]).toEqual([1, [`${requestId}.json`]]);

    queue.functionsChanged();
    await clock.moveTo("2026-05-01T10:06:00Z");
    functions.set("bill", bill);
    queue.functionsChanged();
    await clock.moveTo("2026-05-01T10:06:01Z");
    // At 10:06 its first retry, and two minutes later its second.
    await clock.moveTo("2026-05-01T11:00:00Z");
    expect(invoked.map((line) => line.slice(0, 8))).toEqual(["10:00:00", "10:06:00", "10:08:00"]);
    expect(queue.waiting()).toBe(0);
  });

  test("is not begun any more by a queue that drains", async () => {
    const { clock, open, functions, bill, files, invoked } = machine(() => success);
    functions.delete("bill");
    const queue = open();
    const requestId = queue.accept("bill", "{}", "invoke");
    await clock.moveTo("2026-05-01T10:00:00Z");
    await queue.drain();
    functions.set("bill", bill);
    queue.functionsChanged();
    await clock.moveTo("2026-05-01T11:00:00Z");
    expect([invoked, files()]).toEqual([[], [`${requestId}.json`]]);
  });
});

describe("on a disk that refuses for a while, as a full one does,", () => {
  test("a failure that cannot be written down is written down a minute later, and its function is not run for that", async () => {
    const { clock, open, invoked, letters, told, away, back } = machine(
      () => {
        away();
        return failure;
      },
      { destination, maxRetries: 0 },
    );
    open().accept("bill", "{}", "invoke");
    await clock.moveTo("2026-05-01T10:00:30Z");
    expect(told.at(-1)).toEqual({
      kind: "warning",
      message: expect.stringMatching(/^bill: E.* is tried again in a minute\.$/),
    });
    back();
    await clock.moveTo("2026-05-01T11:00:00Z");
    expect(invoked.length).toBe(1);
    expect(letters().map((letter) => letter.timestamp)).toEqual(["2026-05-01T10:01:00.000Z"]);
  });

  test("a queue drains all the same", async () => {
    let fail: (result: InvocationResult) => void = () => {};
    const slow = new Promise<InvocationResult>((resolve) => {
      fail = resolve;
    });
    const { clock, open, files, away, back } = machine(() => slow);
    const queue = open();
    const requestId = queue.accept("bill", "{}", "invoke");
    await clock.moveTo("2026-05-01T10:00:00Z");
    const drained = queue.drain();
    away();
    fail(failure);
    await drained;
    back();
    expect(queue.underWay()).toBe(0);
    expect(files()).toEqual([`${requestId}.json`]);
  });
});

describe("after the runner has died", () => {
  test("an event that nobody had begun is run at the next start", async () => {
    const { clock, open, invoked } = machine(() => success);
    const dead = open();
    const requestId = dead.accept("bill", "{}", "invoke");
    dead.stop();
    await clock.moveTo("2026-05-01T10:30:00Z");
    open().resume();
    await clock.moveTo("2026-05-01T10:30:00Z");
    expect(invoked).toEqual([`10:30:00 ${requestId}`]);
  });

  test("one that was under way comes again 6 s after its deadline, with its request id, and all its retries left", async () => {
    const never = new Promise<InvocationResult>(() => {});
    const results: (InvocationResult | Promise<InvocationResult>)[] = [never, failure, failure, failure];
    const { clock, open, invoked, letters, told } = machine(() => results.shift() ?? success, { destination });
    const dead = open();
    const requestId = dead.accept("bill", "{}", "invoke");
    await clock.moveTo("2026-05-01T10:00:30Z");
    dead.stop();
    open().resume();
    expect(told.at(-1)).toMatchObject({ kind: "again", requestId, why: "runner ended" });
    await clock.moveTo("2026-05-01T11:00:00Z");
    // The timeout is 100 s: deadline 10:01:40, and 6 s more.
    expect(invoked.map((line) => line.slice(0, 8))).toEqual(["10:00:00", "10:01:46", "10:02:46", "10:04:46"]);
    expect(letters()[0]?.requestContext.approximateInvokeCount).toBe(4);
  });

  test("one whose function has gone stays in the queue, and that is said", async () => {
    const { clock, open, files, told } = machine(() => success);
    const dead = open();
    dead.accept("renamed", "{}", "invoke");
    dead.stop();
    open().resume();
    await clock.moveTo("2026-05-01T10:00:00Z");
    expect(files().length).toBe(1);
    expect(told.at(-1)).toMatchObject({
      kind: "warning",
      message: expect.stringContaining("there is no such function"),
    });
  });

  test.each([
    ["is cut off", '{"requestId":'],
    ["holds another kind of value", "null"],
    ["names no function", JSON.stringify({ ...whole, functionName: undefined })],
    ["holds a payload that is no JSON", JSON.stringify({ ...whole, payload: "{" })],
    ["counts in words", JSON.stringify({ ...whole, failures: "one" })],
    ["is under way until some day", JSON.stringify({ ...whole, underWayUntilMs: "some day" })],
    ["was renamed", JSON.stringify({ ...whole, requestId: "other" })],
  ])("a file that %s is put aside and named once, and the others run", async (_what, text) => {
    const { clock, open, stateDir, files, invoked, told } = machine(() => success);
    const dead = open();
    dead.accept("bill", "{}", "invoke");
    dead.stop();
    writeFileSync(join(stateDir, "queue", "bad.json"), text);
    for (const queue of [open(), open()]) queue.resume();
    await clock.moveTo("2026-05-01T20:00:00Z");
    expect(new Set(invoked).size).toBe(1);
    expect(files()).toEqual(["bad.json.unreadable"]);
    expect(readFileSync(join(stateDir, "queue", "bad.json.unreadable"), "utf8")).toBe(text);
    expect(told.filter((event) => event.kind === "warning")).toEqual([
      {
        kind: "warning",
        message: expect.stringMatching(/bad\.json cannot be read \(.+\)\. It is kept as .* and not run\.$/),
      },
    ]);
  });
});

describe("a queue that drains", () => {
  test("waits for what is under way and begins nothing more", async () => {
    let finish: (result: InvocationResult) => void = () => {};
    const slow = new Promise<InvocationResult>((resolve) => {
      finish = resolve;
    });
    const { clock, open, files, invoked } = machine(() => slow);
    const queue = open();
    queue.accept("bill", "{}", "invoke");
    await clock.moveTo("2026-05-01T10:00:00Z");
    const drained = queue.drain();
    const waiting = queue.accept("bill", "{}", "invoke");
    await clock.moveTo("2026-05-01T10:00:10Z");
    finish(success);
    await drained;
    expect(invoked.length).toBe(1);
    expect(files()).toEqual([`${waiting}.json`]);
  });
});

/** A folder on which a queue can be opened again and again. `run` gives the result of one invocation after the other. */
function machine(run: () => InvocationResult | Promise<InvocationResult>, policy: Partial<AsyncPolicy> = {}) {
  const clock = new ManualClock("2026-05-01T10:00:00Z");
  const stateDir = tempFolder();
  const invoked: string[] = [];
  const told: RunnerEvent[] = [];
  const asyncPolicy = { maxRetries: 2, maxAgeMs: 21_600_000, ...policy };
  const code = { assetDir: "", handler: "index.handler", memoryMb: 128, environment: {}, jobs: [] };
  const bill = { name: "bill", ...code, timeoutMs: 100_000, asyncPolicy };
  const functions = new Map<string, FunctionDefinition>([["bill", bill]]);
  const open = () => {
    const queue = new AsyncQueue({
      stateDir,
      clock,
      functions,
      deliveries: 1,
      tell: (event) => told.push(event),
      run: async (_fn, begin) => {
        const { requestId } = begin();
        invoked.push(`${new Date(clock.nowMs()).toISOString().slice(11, 19)} ${requestId}`);
        return run();
      },
    });
    onTestFinished(() => queue.stop());
    return queue;
  };
  const files = () => readdirSync(join(stateDir, "queue"));
  const letters = () => listDeadLetters(stateDir).flatMap((file) => (file.from === "function" ? file.letter : []));
  // What is not a folder takes no files, whoever asks.
  const refusing = ["queue", "dead-letters"].map((name) => join(stateDir, name));
  const away = () => {
    for (const dir of refusing) {
      if (existsSync(dir)) renameSync(dir, `${dir}.away`);
      writeFileSync(dir, "");
    }
  };
  const back = () => {
    for (const dir of refusing) {
      rmSync(dir);
      if (existsSync(`${dir}.away`)) renameSync(`${dir}.away`, dir);
    }
  };
  return { clock, stateDir, functions, bill, open, files, away, back, invoked, told, letters };
}
