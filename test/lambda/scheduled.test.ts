import { ScanCommand } from "@aws-sdk/client-dynamodb";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { jobOf } from "../../lib/lambda/job.ts";
import type { JobOptions } from "../../lib/lambda/options.ts";
import type { Run } from "../../lib/lambda/run.ts";
import { scheduled, scheduledIn } from "../../lib/lambda/scheduled.ts";
import { startEvent } from "../../lib/run/index.ts";
import { cron } from "../../lib/schedule/index.ts";
import { lambdaContext, occurrence, openTable, type TestRuntime, type TestTable, testRuntime } from "./harness.ts";

const T0 = "2026-05-01T00:00:00Z";
const RUN_ID = "2026-05-01T00:00:00.000Z#default";
const options: JobOptions = { schedule: cron("0 0 * * ? *"), maxLateness: "1 hour" };

let table: TestTable;
beforeAll(async () => {
  table = await openTable();
});
afterAll(() => table.close());

/** A function of its own fleet. `deliver` invokes it as Lambda would, 30 seconds after the scheduled time. */
function deployed(handler: (run: Run) => Promise<unknown>, given: JobOptions = options) {
  const runtime = testRuntime(table, "2026-05-01T00:00:30Z");
  const lambda = scheduledIn(() => runtime, given, handler);
  const deliver = (event: unknown, requestId: string) => lambda(event, lambdaContext(runtime.clock, requestId));
  return { runtime, deliver };
}

function recordOf(runtime: TestRuntime, runId = RUN_ID) {
  return runtime.queries.readRun(runtime.job, runId);
}

function stateOf(runtime: TestRuntime) {
  return runtime.queries.readJob(runtime.job, { limit: 1 }).then(({ state }) => state);
}

test("what the stack says of a job takes the place of its file's options", async () => {
  const runtime = { ...testRuntime(table, "2026-05-01T00:00:30Z"), overrides: { retries: 0 } };
  const lambda = scheduledIn(
    () => runtime,
    { ...options, retries: 2 },
    async () => {
      throw new Error("no luck");
    },
  );
  const deliver = (requestId: string) => lambda(occurrence(T0, "exec-1"), lambdaContext(runtime.clock, requestId));
  await expect(deliver("req-1")).rejects.toThrow("no luck");
  await expect(deliver("req-2")).rejects.toMatchObject({ code: "RUN_EXHAUSTED" });
});

describe("a clean run", () => {
  test("gives the handler its run, answers its result and records the success", async () => {
    const seen: Run[] = [];
    const { runtime, deliver } = deployed(async (run) => {
      seen.push(run);
      runtime.clock.advance(5_000);
      return { rows: 42 };
    });

    expect(await deliver(occurrence(T0, "exec-1"), "req-1")).toEqual({ rows: 42 });

    expect(seen).toEqual([
      {
        id: RUN_ID,
        job: "nightly-report",
        schedule: "default",
        scheduledTime: new Date(T0),
        attempt: 1,
        trigger: { kind: "schedule" },
        input: { region: "emea" },
        fencingToken: expect.any(Number),
        signal: expect.any(AbortSignal),
        log: expect.anything(),
        progress: expect.any(Function),
        guard: expect.any(Function),
        step: expect.any(Function),
        transact: expect.any(Function),
        commit: expect.any(Function),
      },
    ]);
    expect(await recordOf(runtime)).toMatchObject({
      status: "SUCCEEDED",
      attempt: 1,
      deliveredMs: Date.parse("2026-05-01T00:00:30Z"),
      startedMs: Date.parse("2026-05-01T00:00:30Z"),
      endedMs: Date.parse("2026-05-01T00:00:35Z"),
      requestId: "req-1",
      logGroup: "Shop-nightly-report-Logs",
      logStream: "2026/05/01/[$LATEST]abc",
      // {"region":"emea"} and {"rows":42}
      input: { bytes: 17 },
      result: { bytes: 11 },
    });
    expect((await stateOf(runtime))?.lease).toBeUndefined();
    expect(runtime.counted).toEqual([["ended", { status: "SUCCEEDED", durationMs: 5_000, latenessMs: 30_000 }]]);
  });

  test("OP-12: logs job, run, attempt and request id on every line, the handler's own too", async () => {
    const { runtime, deliver } = deployed(async (run) => {
      run.log.info("working");
      run.progress(0.5, "half");
    });
    await deliver(occurrence(T0, "exec-1"), "req-1");
    expect(runtime.lines.map(({ message }) => message)).toEqual(["working", "progress", "run succeeded"]);
    for (const { keys } of runtime.lines) {
      expect(keys).toEqual({ job: "nightly-report", runId: RUN_ID, requestId: "req-1", attempt: 1 });
    }
  });

  test("OP-12: a duplicate's line and a failure's have these keys, too", async () => {
    const { runtime, deliver } = deployed(async () => {
      await deliver(occurrence(T0, "exec-2"), "req-2");
      throw new Error("no luck");
    });
    await expect(deliver(occurrence(T0, "exec-1"), "req-1")).rejects.toThrow("no luck");
    expect(runtime.lines.map(({ message, keys }) => [message, keys])).toEqual([
      [`duplicate of run ${RUN_ID}, which is RUNNING`, { job: "nightly-report", runId: RUN_ID, requestId: "req-2" }],
      ["run failed", { job: "nightly-report", runId: RUN_ID, requestId: "req-1", attempt: 1 }],
    ]);
  });

  test("OP-09: right after an occurrence that succeeded a manual run does run, and takes the next one's place nowhere", async () => {
    const ran: string[] = [];
    const { runtime, deliver } = deployed(async (run) => ran.push(run.id));
    await deliver(occurrence(T0, "exec-1"), "req-1");
    const request = { id: "7f3a9c52", at: "2026-05-01T00:00:31.000Z", by: "ada" };
    await deliver({ escapement: { job: "nightly-report", request } }, "req-2");
    runtime.clock.advance(86_400_000);
    await deliver(occurrence("2026-05-02T00:00:00Z", "exec-3"), "req-3");
    expect(ran).toEqual([RUN_ID, "2026-05-01T00:00:31.000Z#manual#7f3a9c52", "2026-05-02T00:00:00.000Z#default"]);
  });

  test("TZ-16: works for its scheduled time, however late it starts", async () => {
    const runtime = testRuntime(table, "2026-06-01T00:00:30Z");
    const lambda = scheduledIn(
      () => runtime,
      options,
      async (run) => run.scheduledTime.toISOString().slice(0, 7),
    );
    expect(await lambda(occurrence("2026-05-31T23:59:00Z", "exec-1"), lambdaContext(runtime.clock, "req-1"))).toBe(
      "2026-05",
    );
  });

  test("the next one knows the success before it", async () => {
    const seen: unknown[] = [];
    const { runtime, deliver } = deployed(async (run) => seen.push(run.previousSuccess));
    await deliver(occurrence(T0, "exec-1"), "req-1");
    runtime.clock.advance(86_400_000);
    await deliver(occurrence("2026-05-02T00:00:00Z", "exec-2"), "req-2");
    expect(seen).toEqual([
      undefined,
      { runId: RUN_ID, scheduledTime: new Date(T0), endedAt: new Date("2026-05-01T00:00:30Z") },
    ]);
  });

  test("half of a surrogate pair in a progress note becomes U+FFFD", async () => {
    const { runtime, deliver } = deployed(async (run) => run.progress(0.5, "row \ud800"));
    await deliver(occurrence(T0, "exec-1"), "req-1");
    expect(runtime.lines[0]).toMatchObject({ extra: { progress: 0.5, note: "row \ufffd" } });
  });

  test("is recorded whatever the handler writes into what it was given", async () => {
    const { runtime, deliver } = deployed(async (run) => {
      const parts = [run.trigger, run.previousError, run.previousSuccess, run.input, run.scheduledTime];
      for (const part of parts)
        Object.assign(part ?? {}, { kind: { a: 1 }, by: { a: 1 }, message: { a: 1 }, runId: 7 });
      run.scheduledTime.setTime(0);
      if (run.attempt === 1) throw new Error("once more");
    });
    await deliver(occurrence("2026-04-30T23:59:30Z", "exec-0"), "req-0").catch(() => {});
    await deliver(occurrence("2026-04-30T23:59:30Z", "exec-0"), "req-1");
    await expect(deliver(occurrence(T0, "exec-1"), "req-2")).rejects.toThrow("once more");
    await deliver(occurrence(T0, "exec-1"), "req-3");
    expect(await recordOf(runtime)).toMatchObject({
      status: "SUCCEEDED",
      attempt: 2,
      trigger: { kind: "schedule" },
      scheduledTimeMs: Date.parse(T0),
      attempts: [{ error: { message: "once more" } }, {}],
    });
    expect((await stateOf(runtime))?.lease).toBeUndefined();
  });

  test.each([
    [[Number.NaN], "progress(NaN): allowed are fractions from 0 to 1"],
    [["0.5"], 'progress("0.5"): allowed are fractions from 0 to 1'],
    [[1n], "progress(1): allowed are fractions from 0 to 1"],
    [[null], "progress(null): allowed are fractions from 0 to 1"],
    [[true], "progress(true): allowed are fractions from 0 to 1"],
    [[[]], "progress([]): allowed are fractions from 0 to 1"],
    [[0.5, 7], "progress(0.5, 7): the note is no text"],
    [[0.5, null], "progress(0.5, null): the note is no text"],
  ])(
    "a progress that is no fraction, or whose note is no text, is logged and does no harm: %o",
    async (given, message) => {
      const { runtime, deliver } = deployed(async (run) => run.progress(...(given as [number, string])));
      await deliver(occurrence(T0, "exec-1"), "req-1");
      expect(runtime.lines).toMatchObject([{ level: "warn", message }, { message: "run succeeded" }]);
      expect((await recordOf(runtime))?.status).toBe("SUCCEEDED");
    },
  );
});

describe("duplicates and overlaps", () => {
  test("DU-01, RT-03: a second delivery during the run is answered normally, naming the run", async () => {
    const answers: unknown[] = [];
    const { runtime, deliver } = deployed(async () => {
      answers.push(await deliver(occurrence(T0, "exec-2"), "req-2"));
      return "done";
    });
    answers.push(await deliver(occurrence(T0, "exec-1"), "req-1"));
    expect(answers).toEqual([{ outcome: "duplicate", runId: RUN_ID, status: "RUNNING" }, "done"]);
    expect(runtime.counted.map((entry) => (entry as unknown[])[0])).toEqual(["duplicate", "ended"]);
    expect(runtime.lines.filter(({ level }) => level !== "info")).toEqual([]);
  });

  test("DU-02: a duplicate ten minutes after a short run is answered, too", async () => {
    let started = 0;
    const { runtime, deliver } = deployed(async () => {
      started += 1;
    });
    await deliver(occurrence(T0, "exec-1"), "req-1");
    runtime.clock.advance(600_000);
    expect(await deliver(occurrence(T0, "exec-2"), "req-2")).toEqual({
      outcome: "duplicate",
      runId: RUN_ID,
      status: "SUCCEEDED",
    });
    expect(started).toBe(1);
  });
  test.each([[undefined], [null], [""]])("DU-07: a run that returned %j has succeeded", async (result) => {
    const { runtime, deliver } = deployed(async () => result);
    expect(await deliver(occurrence(T0, "exec-1"), "req-1")).toBe(result);
    expect((await recordOf(runtime))?.status).toBe("SUCCEEDED");
    expect(await deliver(occurrence(T0, "exec-2"), "req-2")).toMatchObject({ outcome: "duplicate" });
    expect(runtime.lines.filter(({ level }) => level !== "info")).toEqual([]);
  });

  test("DU-15, RT-03: an overlapping occurrence is skipped at once, naming the run that holds the lock", async () => {
    const answers: unknown[] = [];
    const { runtime, deliver } = deployed(async () => {
      if (answers.length > 0) return;
      answers.push("first started");
      runtime.clock.advance(1_000);
      answers.push(await deliver(occurrence("2026-05-01T00:00:31Z", "exec-2"), "req-2"));
    });
    await deliver(occurrence(T0, "exec-1"), "req-1");
    const second = "2026-05-01T00:00:31.000Z#default";
    expect(answers[1]).toEqual({ outcome: "skipped", runId: second, reason: "overlap", heldBy: RUN_ID });
    expect(await recordOf(runtime, second)).toMatchObject({ status: "SKIPPED", reason: "overlap", heldBy: RUN_ID });
    expect(runtime.counted[0]).toEqual(["skipped", "overlap"]);
    const said = runtime.lines.filter(({ keys }) => keys.runId === second);
    expect(said).toEqual([expect.objectContaining({ level: "info" })]);
    expect(runtime.lines.filter(({ level }) => level !== "info")).toEqual([]);
  });

  test("an occurrence that arrives too late is skipped", async () => {
    const { runtime, deliver } = deployed(async () => "never");
    runtime.clock.advance(3_600_000);
    expect(await deliver(occurrence(T0, "exec-1"), "req-1")).toEqual({
      outcome: "skipped",
      runId: RUN_ID,
      reason: "late",
    });
  });

  test.each(["constructor", "toString"])("so is one of a schedule made in the console, named %s", async (name) => {
    const { runtime, deliver } = deployed(async () => "never");
    runtime.clock.advance(3_600_000);
    const event = occurrence(T0, "exec-1");
    Object.assign(event.escapement, { schedule: name });
    expect(await deliver(event, "req-1")).toMatchObject({ outcome: "skipped", reason: "late" });
  });

  test("lateness counts from the end of the flexible window", async () => {
    const schedule = cron("0 0 * * ? *", { flexibleWindowMinutes: 30 });
    const { runtime, deliver } = deployed(async () => "in time", { schedule, maxLateness: "1 hour" });
    runtime.clock.advance(5_000_000);
    expect(await deliver(occurrence(T0, "exec-1"), "req-1")).toBe("in time");
  });
});

describe("failures", () => {
  test("DU-04, DU-12, RT-05: the handler's own error fails the invocation; the next delivery is attempt 2 and knows the error", async () => {
    const seen: unknown[] = [];
    const boom = new Error("the source is down");
    const { runtime, deliver } = deployed(async (run) => {
      seen.push([run.id, run.attempt, run.previousError]);
      if (run.attempt === 1) throw boom;
      return "second time lucky";
    });
    await expect(deliver(occurrence(T0, "exec-1"), "req-1")).rejects.toBe(boom);
    expect(await recordOf(runtime)).toMatchObject({
      status: "FAILED",
      error: { name: "Error", message: "the source is down" },
    });
    expect((await stateOf(runtime))?.lease).toBeUndefined();

    runtime.clock.advance(60_000);
    expect(await deliver(occurrence(T0, "exec-1"), "req-1")).toBe("second time lucky");
    expect(seen).toEqual([
      [RUN_ID, 1, undefined],
      [RUN_ID, 2, { name: "Error", message: "the source is down" }],
    ]);
    expect(await recordOf(runtime)).toMatchObject({
      status: "SUCCEEDED",
      attempt: 2,
      attempts: [{ status: "FAILED" }, { status: "SUCCEEDED" }],
    });
  });

  test("RT-07: three deliveries that fail leave one record with three attempts, and the last one is Lambda's to bury", async () => {
    const { runtime, deliver } = deployed(async (run) => {
      throw new Error(`attempt ${run.attempt}`);
    });
    for (const attempt of [1, 2, 3]) {
      await expect(deliver(occurrence(T0, "exec-1"), "req-1")).rejects.toThrow(`attempt ${attempt}`);
    }
    expect((await runtime.queries.readJob(runtime.job, { limit: 5 })).runs).toMatchObject([
      { runId: RUN_ID, status: "FAILED", attempt: 3, attempts: [{ attempt: 1 }, { attempt: 2 }, { attempt: 3 }] },
    ]);
  });

  test("RT-07: after retries + 1 attempts the recorded error is thrown, and the handler is left alone", async () => {
    let started = 0;
    const { deliver } = deployed(
      async () => {
        started += 1;
        throw new Error("always");
      },
      { ...options, retries: 1 },
    );
    await expect(deliver(occurrence(T0, "exec-1"), "req-1")).rejects.toThrow("always");
    await expect(deliver(occurrence(T0, "exec-1"), "req-1")).rejects.toThrow("always");
    await expect(deliver(occurrence(T0, "exec-1"), "req-1")).rejects.toMatchObject({
      code: "RUN_EXHAUSTED",
      message: `Run ${RUN_ID} has no attempts left. Its last error: Error: always`,
    });
    expect(started).toBe(2);
  });

  test("the same delivery again while its run goes on has to come again", async () => {
    let again: unknown;
    const { deliver } = deployed(async () => {
      again = await deliver(occurrence(T0, "exec-1"), "req-1").catch((error: unknown) => error);
    });
    await deliver(occurrence(T0, "exec-1"), "req-1");
    expect(again).toMatchObject({ code: "COME_AGAIN" });
  });

  test("an event that names another job fails before anything is written", async () => {
    const { runtime, deliver } = deployed(async () => "never");
    await expect(deliver(occurrence(T0, "exec-1", "other"), "req-1")).rejects.toMatchObject({ code: "INVALID_EVENT" });
    expect(await stateOf(runtime)).toBeUndefined();
  });

  test.each([
    ["text", "no good", "Thrown string", "no good"],
    ["undefined", undefined, "Thrown undefined", "undefined"],
    ["null", null, "Thrown object", "null"],
    ["a BigInt", 7n, "Thrown bigint", "7"],
    ["an object without a prototype", Object.create(null), "Thrown object", "{}"],
  ])("whatever is thrown is recorded and thrown on: %s", async (_what, thrown, name, message) => {
    const { runtime, deliver } = deployed(async () => {
      throw thrown;
    });
    const caught = await deliver(occurrence(T0, "exec-1"), "req-1").then(
      () => "no error",
      (error: unknown) => error,
    );
    expect(caught).toBe(thrown);
    expect(await recordOf(runtime)).toMatchObject({ status: "FAILED", error: { name, message } });
  });

  test("MW-09: an error with a message of 2 MB is recorded by its beginning", async () => {
    const { runtime, deliver } = deployed(async () => {
      throw new Error("ü".repeat(1_000_000));
    });
    await expect(deliver(occurrence(T0, "exec-1"), "req-1")).rejects.toThrow("ü");
    const message = (await recordOf(runtime))?.error?.message ?? "";
    expect(Buffer.byteLength(message)).toBeLessThanOrEqual(2_003);
    expect(message.endsWith("…")).toBe(true);
  });
});

describe("what is stored", () => {
  test("SE-05: by default no content, only sizes and hashes", async () => {
    const { runtime, deliver } = deployed(async () => ({ token: "s3cret" }));
    await deliver({ ...occurrence(T0, "exec-1"), input: { mail: "kim@example.com", token: "s3cret" } }, "req-1");
    const record = await recordOf(runtime);
    const { Items } = await table.client.send(new ScanCommand({ TableName: table.tableName }));
    expect(Items?.length).toBeGreaterThan(1);
    expect(JSON.stringify([Items, runtime.lines])).not.toMatch(/s3cret|kim@example.com/);
    expect(record?.result).toEqual({
      bytes: 18,
      // printf '{"token":"s3cret"}' | sha256sum
      hash: "8f4ba5ca5adddcd3895385fa1947b3dd91e3649116dddb2ad75be6afd1f08a65",
    });
  });

  test("with `store` the content, through `redact`", async () => {
    const redact = (value: unknown) => JSON.parse(JSON.stringify(value).replace("s3cret", "***"));
    const { runtime, deliver } = deployed(async () => ({ token: "s3cret" }), {
      ...options,
      store: { input: true, result: true },
      redact,
    });
    await deliver(occurrence(T0, "exec-1"), "req-1");
    expect(await recordOf(runtime)).toMatchObject({
      input: { json: '{"region":"emea"}' },
      result: { json: '{"token":"***"}' },
    });
  });

  test("an error's message goes through `redact`, in the record and in our log", async () => {
    const { runtime, deliver } = deployed(
      async () => {
        throw new Error("no user kim@example.com");
      },
      { ...options, redact: (value) => String(value).replace("kim@example.com", "***") },
    );
    await deliver(occurrence(T0, "exec-1"), "req-1").catch(() => {});
    expect((await recordOf(runtime))?.error?.message).toBe("no user ***");
    expect(JSON.stringify(runtime.lines)).not.toContain("kim@example.com");
  });

  test("a `redact` that throws keeps the content out and does no harm", async () => {
    const { runtime, deliver } = deployed(async () => "secret", {
      ...options,
      store: { result: true },
      redact: () => {
        throw new Error("redact is broken");
      },
    });
    expect(await deliver(occurrence(T0, "exec-1"), "req-1")).toBe("secret");
    expect(await recordOf(runtime)).toMatchObject({ status: "SUCCEEDED", result: { bytes: 8 } });
    expect((await recordOf(runtime))?.result?.json).toBeUndefined();
  });

  test("MW-09, SE-07: 2 MB are hashed and not stored", async () => {
    const { runtime, deliver } = deployed(async () => "x".repeat(2_000_000), { ...options, store: { result: true } });
    await deliver(occurrence(T0, "exec-1"), "req-1");
    expect(await recordOf(runtime)).toMatchObject({ status: "SUCCEEDED", result: { bytes: 2_000_002 } });
    expect((await recordOf(runtime))?.result?.json).toBeUndefined();
  });

  test.each([
    ["a circle", circle],
    ["a BigInt", () => 7n],
  ])("a result that is no JSON is a success, and the invocation answers null: %s", async (_what, make) => {
    const { runtime, deliver } = deployed(async () => make());
    expect(await deliver(occurrence(T0, "exec-1"), "req-1")).toBeNull();
    expect((await recordOf(runtime))?.status).toBe("SUCCEEDED");
  });
});

describe("manual runs", () => {
  test("one that names a time works from the newest success before it, and its record has the time", async () => {
    const seen: unknown[] = [];
    const { runtime, deliver } = deployed(async (run) =>
      seen.push([run.scheduledTime.toISOString(), run.previousSuccess?.runId]),
    );
    await deliver(occurrence(T0, "exec-1"), "req-1");
    runtime.clock.advance(60_000);
    await deliver(occurrence("2026-05-01T00:01:00Z", "exec-2"), "req-2");
    runtime.clock.advance(60_000);
    const requestFor = (id: string, scheduledTime: string) => ({
      id,
      time: "2026-05-01T00:02:00Z",
      source: "escapement",
      "detail-type": "Run Requested",
      detail: { stack: runtime.fleet, job: "nightly-report", scheduledTime },
    });
    await deliver(requestFor("c3d4e5f6", "2026-05-01T00:01:00Z"), "req-3");
    await deliver(requestFor("d4e5f6a7", "2026-04-28T00:00:00Z"), "req-4");
    expect(seen.slice(2)).toEqual([
      ["2026-05-01T00:01:00.000Z", RUN_ID],
      ["2026-04-28T00:00:00.000Z", undefined],
    ]);
    expect(await recordOf(runtime, "2026-05-01T00:02:00.000Z#manual#c3d4e5f6")).toMatchObject({
      workTimeMs: Date.parse("2026-05-01T00:01:00Z"),
    });
  });

  test("one that does an occurrence's work is told its schedule, and its record says it", async () => {
    const seen: unknown[] = [];
    const { runtime, deliver } = deployed(async (run) => seen.push([run.schedule, run.scheduledTime.toISOString()]));
    const runId = "2026-05-01T00:00:10.000Z#manual#backfill.hourly.1777593600000.3";
    const start = { runId, cause: "backfill", id: "sending-1", trigger: { kind: "operator", by: "ada" } } as const;
    const work = { workTimeMs: Date.parse("2026-05-01T00:00:00Z"), workSchedule: "hourly" };
    await deliver(startEvent("nightly-report", { ...start, ...work }), "req-1");

    expect(seen).toEqual([["hourly", "2026-05-01T00:00:00.000Z"]]);
    const record = await recordOf(runtime, runId);
    expect(record).toMatchObject(work);
    // It stays a manual run: the occurrence has a record of its own.
    expect(record?.schedule).toBeUndefined();
  });

  test("OP-10: the console's test event runs with its payload as the input, for the time it started", async () => {
    const seen: unknown[] = [];
    const { deliver } = deployed(async (run) =>
      seen.push([run.id, run.schedule, run.scheduledTime, run.trigger, run.input]),
    );
    await deliver({ key1: "value1" }, "req-9");
    expect(seen).toEqual([
      ["manual#req-9", undefined, new Date("2026-05-01T00:00:30Z"), { kind: "invoke" }, { key1: "value1" }],
    ]);
  });
});

test("an event that the handler changes changes nothing for the run", async () => {
  const runtime = testRuntime(table, "2026-05-01T00:00:30Z");
  const event = occurrence(T0, "exec-1");
  const lambda = scheduledIn(
    () => runtime,
    { ...options, store: { input: true } },
    async (run) => {
      event.escapement.scheduledTime = "2020-01-01T00:00:00Z";
      event.escapement.executionId = "another";
      event.escapement.job = "another";
      Object.assign(run.input as object, { region: "changed" });
      if (run.attempt === 1) throw new Error("503");
    },
  );
  await expect(lambda(event, lambdaContext(runtime.clock, "req-1"))).rejects.toThrow("503");
  expect((await runtime.queries.readJob(runtime.job, { limit: 5 })).runs).toMatchObject([
    {
      runId: RUN_ID,
      scheduledTimeMs: Date.parse(T0),
      status: "FAILED",
      // printf '{"region":"emea"}' | sha256sum
      input: {
        bytes: 17,
        json: '{"region":"emea"}',
        hash: "00145a1d9cb48579f5cd8656869579f7d2bcd11795144de3df3a7a8e35364ffd",
      },
    },
  ]);
  // It is the same delivery as before.
  expect(await lambda(occurrence(T0, "exec-1"), lambdaContext(runtime.clock, "req-1"))).toBeUndefined();
});

test("MW-15: with null for a context a run works as without one", async () => {
  const runtime = testRuntime(table, "2026-05-01T00:00:30Z");
  const lambda = scheduledIn(
    () => runtime,
    options,
    async (run) => run.id,
  );
  expect(await lambda(occurrence(T0, "exec-1"), null as never)).toBe(RUN_ID);
  expect(await recordOf(runtime)).toMatchObject({ status: "SUCCEEDED" });
});

test("SE-07: an input of 900 KB is hashed and not stored", async () => {
  const { runtime, deliver } = deployed(async () => {}, { ...options, store: { input: true } });
  await deliver({ ...occurrence(T0, "exec-1"), input: "x".repeat(900_000) }, "req-1");
  const record = await recordOf(runtime);
  expect(record).toMatchObject({ status: "SUCCEEDED", input: { bytes: 900_002 } });
  expect(record?.input).not.toHaveProperty("json");
});

describe("scheduled()", () => {
  test("needs no environment until it is invoked, and then says what is missing", async () => {
    const handler = scheduled(options, async () => "never");
    expect(jobOf(handler)).toEqual(options);
    await expect(handler({}, {} as never)).rejects.toMatchObject({
      code: "INVALID_ENVIRONMENT",
      message:
        "The environment variable ESCAPEMENT_JOB is not set. The stack sets it; outside of a stack set it by hand.",
    });
  });

  test("refuses a callback handler, and shows the async form", () => {
    const callbackHandler = (_event: unknown, _context: unknown, callback: () => void) => callback();
    expect(() => scheduled(options, callbackHandler as never)).toThrow(
      "the handler takes a callback, which Node.js 24 on Lambda no longer calls. Write: scheduled({ … }, async (run) => { … return result; }).",
    );
    expect(() => scheduled(options, undefined as never)).toThrow("the handler is no function.");
  });
});

function circle(): unknown {
  const self: Record<string, unknown> = {};
  self["self"] = self;
  return self;
}

test("with overlap `allow` two occurrences are at work at once, and a duplicate of either is not", async () => {
  const runtime = testRuntime(table, T0);
  let open = () => {};
  const gate = new Promise<void>((resolve) => {
    open = resolve;
  });
  const started: string[] = [];
  const lambda = scheduledIn(
    () => runtime,
    { ...options, overlap: "allow" },
    async (run) => {
      started.push(run.id);
      await gate;
      return run.fencingToken;
    },
  );
  const context = () => lambdaContext(runtime.clock, `req-${started.length}`);
  const first = lambda(occurrence(T0, "exec-1"), context());
  await expect.poll(() => started).toHaveLength(1);
  runtime.clock.advance(1_000);
  const second = lambda(occurrence("2026-05-01T00:00:01Z", "exec-2"), context());
  await expect.poll(() => started).toHaveLength(2);
  expect(await lambda(occurrence(T0, "exec-3"), context())).toMatchObject({ outcome: "duplicate", status: "RUNNING" });
  open();
  expect(Number(await second)).toBeGreaterThan(Number(await first));
  expect(started).toEqual([RUN_ID, "2026-05-01T00:00:01.000Z#default"]);
});
