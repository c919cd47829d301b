import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Run, rate } from "../../lib/index.ts";
import type { JobOptions } from "../../lib/lambda/options.ts";
import { scheduledIn } from "../../lib/lambda/scheduled.ts";
import { lambdaContext, occurrence, openTable, type TestTable, testRuntime } from "./harness.ts";

const FIRST = "2026-05-01T00:00:00Z";
const SECOND = "2026-05-01T00:01:00Z";
const FIRST_ID = "2026-05-01T00:00:00.000Z#default";
const SECOND_ID = "2026-05-01T00:01:00.000Z#default";

let table: TestTable;
beforeAll(async () => {
  table = await openTable();
});
afterAll(() => table.close());

/** A run at work, which ends when it is told to. */
interface AtWork {
  readonly run: Run;
  resolve(result: unknown): void;
  reject(error: Error): void;
}

/** A job with overlap `queue`. */
function deployed(options: Partial<JobOptions> = {}) {
  const runtime = testRuntime(table, "2026-05-01T00:01:30Z");
  let begin: (atWork: AtWork) => void = () => {};
  const handler = scheduledIn(
    () => runtime,
    { schedule: rate("1 minute"), overlap: "queue", ...options },
    (run) => new Promise((resolve, reject) => begin({ run, resolve, reject })),
  );
  let requests = 0;
  const deliver = (event: unknown) => handler(event, lambdaContext(runtime.clock, `req-${++requests}`));
  /** Delivers an event and waits until its handler is at work. */
  const start = async (event: unknown) => {
    const atWork = new Promise<AtWork>((resolve) => {
      begin = resolve;
    });
    const answer = deliver(event);
    const early = answer.then((value) => Promise.reject(new Error(`answered ${JSON.stringify(value)}`)));
    early.catch(() => {});
    return { ...(await Promise.race([atWork, early])), answer };
  };
  return { runtime, deliver, start };
}

describe("an occurrence that waits", () => {
  test("is answered normally, and is started by the run before it, with its input", async () => {
    const { runtime, deliver, start } = deployed();
    const first = await start(occurrence(FIRST, "exec-1"));
    expect(await deliver(occurrence(SECOND, "exec-2"))).toEqual({ outcome: "queued", runId: SECOND_ID, position: 1 });
    expect(runtime.counted).toEqual([["queued"]]);
    expect(runtime.sent).toEqual([]);

    first.resolve("done");
    expect(await first.answer).toBe("done");
    expect(runtime.sent).toEqual([
      {
        escapement: {
          job: "nightly-report",
          start: { runId: SECOND_ID, cause: "queued", id: expect.any(String), trigger: { kind: "schedule" } },
        },
        input: { region: "emea" },
      },
    ]);

    const second = await start(runtime.sent[0]);
    expect(second.run).toMatchObject({
      id: SECOND_ID,
      schedule: "default",
      scheduledTime: new Date(SECOND),
      input: { region: "emea" },
      previousSuccess: { runId: FIRST_ID },
    });
    second.resolve(undefined);
    await second.answer;
    expect(runtime.sent).toHaveLength(1);
  });

  test("is started also by a run that failed", async () => {
    const { runtime, deliver, start } = deployed();
    const first = await start(occurrence(FIRST, "exec-1"));
    await deliver(occurrence(SECOND, "exec-2"));
    first.reject(new Error("503"));
    await expect(first.answer).rejects.toThrow("503");
    expect(runtime.sent).toMatchObject([{ escapement: { start: { runId: SECOND_ID } } }]);
  });

  test("is started also by a run that was timed out, once its handler has stopped", async () => {
    const { runtime, deliver, start } = deployed();
    const first = await start(occurrence(FIRST, "exec-1"));
    await deliver(occurrence(SECOND, "exec-2"));
    first.run.signal.addEventListener("abort", () => first.resolve("too late"));
    runtime.clock.advance(59_000);
    await expect(first.answer).rejects.toMatchObject({ code: "RUN_TIMED_OUT" });
    expect(runtime.sent).toMatchObject([{ escapement: { start: { runId: SECOND_ID } } }]);
  });
});

test("a start that fails does no harm to the run before it, and is logged and counted", async () => {
  const { runtime, deliver, start } = deployed();
  runtime.invokeSelf = () => Promise.reject(new Error("AccessDenied"));
  const first = await start(occurrence(FIRST, "exec-1"));
  await deliver(occurrence(SECOND, "exec-2"));
  first.resolve("done");
  expect(await first.answer).toBe("done");
  expect(runtime.counted).toContainEqual(["hand-over failed"]);
  expect(runtime.lines).toContainEqual(
    expect.objectContaining({
      level: "error",
      message: `run ${SECOND_ID} is next, but could not be started; the watchdog will`,
    }),
  );
});

test("one more than may wait is skipped; its record and the log say that the queue is full, also where nobody is at work", async () => {
  const { runtime, deliver, start } = deployed({ queueLength: 1 });
  const first = await start(occurrence(FIRST, "exec-1"));
  await deliver(occurrence(SECOND, "exec-2"));
  first.resolve("done");
  await first.answer;
  // What it has sent, the start of the second, is still under way.
  const third = await deliver(occurrence("2026-05-01T00:01:30Z", "exec-3"));
  expect(third).toEqual({ outcome: "skipped", runId: "2026-05-01T00:01:30.000Z#default", reason: "overlap" });
  expect(runtime.lines.map(({ message }) => message)).toContain("skipped: overlap, as many runs wait as may");
  const recorded = await runtime.queries.readRun(runtime.job, "2026-05-01T00:01:30.000Z#default");
  expect(recorded).toMatchObject({ status: "SKIPPED", reason: "overlap", queueFull: true });
});

test("an input above 4 KB cannot wait: the event has to come again", async () => {
  const { deliver, start } = deployed();
  const first = await start(occurrence(FIRST, "exec-1"));
  const large = { ...occurrence(SECOND, "exec-2"), input: "x".repeat(4_095) };
  await expect(deliver(large)).rejects.toMatchObject({
    code: "COME_AGAIN",
    message: expect.stringContaining("its input has 4097 bytes"),
  });
  first.resolve(undefined);
  await first.answer;
});
