import { availableParallelism } from "node:os";
import { setImmediate as nextTurn } from "node:timers/promises";
import { expect, test, vi } from "vitest";
import type { RunnerEvent } from "../../lib/local/index.ts";
import { ManualClock } from "./manual-clock.ts";
import { running } from "./running.ts";

const NOON = "2026-05-01T12:00:00Z";
const NOON_MS = Date.UTC(2026, 4, 1, 12);
/** Says as a job does which run it is on, and ends when a second line may have been seen. */
const saying = {
  jobs: ["nightly"],
  source: `
    export const handler = async (event) => {
      console.log(JSON.stringify({ message: "run begins", job: "nightly", runId: "2026-05-01T12:00:00.000Z#default" }));
      await new Promise((resolve) => setTimeout(resolve, event?.ms ?? 400));
    };`,
};

test("a worker is busy with its request and run, and idle afterwards", async () => {
  const clock = new ManualClock(NOON);
  const { runner, invoke, heard } = await running({ fn: saying }, { clock });
  expect(runner.workers()).toEqual([]);
  expect([runner.clock.now(), runner.clock.speed]).toEqual([NOON_MS, 1]);

  const requestId = await invoke("fn", { ms: 400 });
  await clock.moveTo(NOON);
  await heard("log");
  const seen = { id: expect.stringMatching(/^[-0-9a-f]{36}$/), functionName: "fn", sinceMs: NOON_MS, heardMs: NOON_MS };
  const run = { job: "nightly", runId: "2026-05-01T12:00:00.000Z#default" };
  expect(runner.workers()).toEqual([expect.objectContaining({ ...seen, state: "busy", requestId, ...run })]);
  if (process.platform === "linux") expect(runner.workers()[0]?.memoryBytes).toBeGreaterThan(10_000_000);

  await heard("finished");
  await vi.waitFor(() => expect(runner.workers()).toMatchObject([{ ...seen, state: "idle" }]));
  expect(runner.workers()[0]).not.toHaveProperty("requestId");
});

test.each([
  [
    "an occurrence's",
    { job: "nightly", schedule: "default", scheduledTime: "2026-05-01T12:00:00Z", executionId: "e-1" },
    "2026-05-01T12:00:00.000Z#default",
  ],
  [
    "a start's",
    { job: "nightly", start: { runId: "2026-05-01T11:00:00.000Z#default", cause: "catch-up", id: "s-1" } },
    "2026-05-01T11:00:00.000Z#default",
  ],
  [
    "an operator's request's",
    { job: "nightly", request: { id: "r-1", at: "2026-05-01T11:59:58.123Z", by: "me" } },
    "2026-05-01T11:59:58.123Z#manual#r-1",
  ],
])("a worker whose handler prints nothing is on its event's run: %s", async (_whose, escapement, runId) => {
  const source = "export const handler = () => new Promise(() => {});";
  const clock = new ManualClock(NOON);
  const { runner, invoke, heard } = await running({ fn: { source, jobs: ["nightly"] } }, { clock });
  await invoke("fn", { escapement, input: {} });
  await clock.moveTo(NOON);
  await heard("started");
  await vi.waitFor(() => expect(runner.workers()).toMatchObject([{ state: "busy", job: "nightly", runId }]));
});

test.each([
  ["an event that names no run", { hello: 1 }],
  ["one with a time that is none", { escapement: { job: "nightly", schedule: "default", scheduledTime: "soon" } }],
  ["one with a job that is no text", { escapement: { job: 5, start: { runId: "manual#1" } } }],
  ["one that is no object", null],
])("a worker with %s is on none, also when it prints of runs of other functions' jobs", async (_what, event) => {
  const clock = new ManualClock(NOON);
  const { runner, invoke, heard } = await running({ fn: { ...saying, jobs: [] } }, { clock });
  await invoke("fn", event);
  await clock.moveTo(NOON);
  await heard("log", ({ line }) => line.includes("run begins"));
  expect(runner.workers()[0]).not.toHaveProperty("runId");
});

test("several listeners hear what happens, each until it has enough; a line of log has its time and its run", async () => {
  const clock = new ManualClock(NOON);
  const { runner, invoke, heard } = await running({ fn: saying }, { clock });
  const finish = async () => {
    const requestId = await invoke("fn", { ms: 1 });
    await clock.moveTo(NOON);
    await heard("finished", (event) => event.requestId === requestId);
    return requestId;
  };
  const [one, other]: [RunnerEvent[], RunnerEvent[]] = [[], []];
  const leave = runner.subscribe((event) => one.push(event));
  runner.subscribe((event) => other.push(event));
  const requestId = await finish();
  leave();
  expect(one.map(({ kind }) => kind)).toEqual(["delivered", "started", "log", "finished"]);
  const run = { job: "nightly", runId: "2026-05-01T12:00:00.000Z#default" };
  expect(one[2]).toMatchObject({ kind: "log", functionName: "fn", requestId, atMs: NOON_MS, ...run });
  await finish();
  expect([one.length, other.length]).toEqual([4, 8]);
});

test("a worker that was idle for a minute ends, and the next invocation has a new one", async () => {
  const clock = new ManualClock(NOON);
  const { runner, invoke, heard } = await running({ fn: saying }, { clock });
  await invoke("fn", { ms: 1 });
  await clock.moveTo(NOON);
  await heard("finished");
  await vi.waitFor(() => expect(runner.workers()).toMatchObject([{ state: "idle" }]));
  const [first] = runner.workers();
  await clock.moveTo("2026-05-01T12:00:59Z");
  expect(runner.workers()).toMatchObject([{ id: first?.id }]);
  await clock.moveTo("2026-05-01T12:01:00Z");
  await vi.waitFor(() => expect(runner.workers()).toEqual([]));
  const requestId = await invoke("fn", { ms: 1 });
  await clock.moveTo("2026-05-01T12:01:00Z");
  expect((await heard("finished", (event) => event.requestId === requestId)).error).toBeUndefined();
});

test("there are never more workers than twice the cores, also while one ends to make room for another function's", async () => {
  const limit = 2 * availableParallelism();
  const names = Array.from({ length: 4 * limit }, (_, index) => `fn${index}`);
  const { runner, finish } = await running(Object.fromEntries(names.map((name) => [name, saying])));
  const seen: number[] = [];
  let done = false;
  const watching = (async () => {
    for (; !done; await nextTurn()) seen.push(runner.workers().length);
  })();
  const ends = await Promise.all(names.map((name) => finish(name, { ms: 1 })));
  expect(ends.flatMap(({ error }) => error ?? [])).toEqual([]);
  done = true;
  await watching;
  expect(Math.max(...seen)).toBe(limit);
});

test.runIf(process.platform === "linux")(
  "a worker that takes more memory than its function has is killed, in Lambda's words",
  async () => {
    const source = `
    const kept = [];
    export const handler = async () => {
      // Outside of the heap, whose own limit would end it otherwise.
      for (;;) {
        kept.push(Buffer.alloc(10_000_000, 1));
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
    };`;
    const { finish } = await running({ fn: { source } });
    const { error, requestId } = await finish("fn");
    expect(error).toEqual({
      errorType: "Runtime.ExitError",
      errorMessage: `RequestId: ${requestId} Error: Runtime exited with error: signal: killed`,
    });
  },
);
