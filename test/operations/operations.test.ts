import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Backend } from "../../lib/operations/backend.ts";
import { createOperations } from "../../lib/operations/operations.ts";
import type { ListedJob } from "../../lib/store/index.ts";
import { FLEET, minute, nightly, openFleet } from "./fleet.ts";

const firstSeenMs = Date.UTC(2026, 4, 1);
/** 02:30 in Berlin on 2 May 2026. */
const dueMs = Date.UTC(2026, 4, 2, 0, 30);
const scheduled = {
  runId: "2026-05-02T00:30:00.000Z#default",
  schedule: "default",
  scheduledTimeMs: dueMs,
};

let fleet: Awaited<ReturnType<typeof openFleet>>;
let backend: Backend;
const invocations: { functionName: string; payload: unknown }[] = [];

beforeAll(async () => {
  fleet = await openFleet();
  await fleet.register.putFleetJob(nightly, firstSeenMs);
  await fleet.register.putFleetJob(
    {
      ...nightly,
      job: "hourly",
      functionName: "shop-dev-hourly",
      enabled: false,
      schedules: {
        workdays: { expression: "cron(0 * ? * MON-FRI *)", timeZone: "UTC" },
        weekend: { expression: "rate(6 hours)", timeZone: "UTC" },
      },
    },
    firstSeenMs,
  );
  await fleet.run(
    dueMs + 1_000,
    { ...scheduled, logStream: "2026/05/02/abc" },
    { status: "FAILED", error: { name: "TypeError", message: "no orders" } },
  );
  await fleet.run(dueMs + minute, scheduled, { status: "SUCCEEDED", result: { bytes: 2, hash: "44136f" } });

  backend = {
    target: { kind: "local", fleet: FLEET, stateDir: "state", running: true, url: "http://127.0.0.1:9" },
    fleet: fleet.register,
    records: fleet.records,
    store: fleet.store,
    deadLetters: { async *read() {}, remove: async () => {} },
    logs: { read: async () => [] },
    checks: async () => [],
    whoAmI: async () => "ada",
    invoke: async (functionName, payload) => {
      invocations.push({ functionName, payload });
    },
    logOf: ({ functionName, stream }) => `${functionName}/${stream}.log`,
    nowMs: () => Date.UTC(2026, 4, 2, 12),
    sleep: async () => {},
    close: async () => {},
  };
});
afterAll(() => fleet.close());

describe("list", () => {
  test("shows each job's schedule in words, its next occurrence in both zones, its state and last run", async () => {
    const jobs = await createOperations(backend).list();

    expect(jobs.map(({ job }) => job)).toEqual(["hourly", "nightly"]);
    expect(jobs[1]).toMatchObject({
      state: "idle",
      firstSeen: "2026-05-01T00:00:00Z",
      lastSuccess: "2026-05-02T00:30:00Z",
      consecutiveFailures: 0,
      lastRun: { runId: scheduled.runId, status: "SUCCEEDED" },
      schedules: [
        {
          name: "default",
          expression: "cron(30 2 * * ? *)",
          timeZone: "Europe/Berlin",
          description: "At 02:30, Europe/Berlin",
          next: { at: "2026-05-03T00:30:00Z", local: "2026-05-03T02:30:00+02:00" },
        },
      ],
    });
  });

  test("warns of what is valid and hardly meant", async () => {
    const [, job] = await createOperations(backend).list();

    expect(job?.schedules[0]?.warnings.map(({ code }) => code)).toContain("DST_SKIPPED");
  });

  test("shows no next occurrence of a job that is disabled", async () => {
    const [job] = await createOperations(backend).list();

    expect(job?.state).toBe("disabled");
    expect(job?.schedules.map(({ next }) => next)).toEqual([undefined, undefined]);
  });

  test("asks once for the fleet and once for each job", async () => {
    let requests = 0;
    const count = <T>(answer: Promise<T>) => {
      requests++;
      return answer;
    };
    await createOperations({
      ...backend,
      fleet: { readFleet: () => count(fleet.register.readFleet()) },
      records: { ...fleet.records, readJob: (job, options) => count(fleet.records.readJob(job, options)) },
    }).list();

    expect(requests).toBe(1 + 2);
  });
});

test("describe adds the options and the newest runs", async () => {
  expect(await createOperations(backend).describe("nightly")).toMatchObject({
    functionName: "shop-dev-nightly",
    timeoutMs: 60_000,
    overlap: "skip",
    retries: 2,
    maxLatenessMs: { default: 3_600_000 },
    runs: [{ runId: scheduled.runId }],
  });
});

describe("run", () => {
  test("shows every attempt with its error and its log (OP-12)", async () => {
    const run = await createOperations(backend).run("nightly", scheduled.runId);

    expect(run).toMatchObject({
      status: "SUCCEEDED",
      scheduledTime: "2026-05-02T00:30:00Z",
      timeZone: "Europe/Berlin",
      trigger: { kind: "schedule" },
      startedAt: "2026-05-02T00:31:00Z",
      endedAt: "2026-05-02T00:31:02Z",
      durationMs: 2_000,
      attempts: [
        {
          attempt: 1,
          status: "FAILED",
          error: { name: "TypeError", message: "no orders" },
          requestId: "request-1",
          log: "shop-dev-nightly/2026/05/02/abc.log",
        },
        { attempt: 2, status: "SUCCEEDED", requestId: "request-2" },
      ],
    });
  });

  test("refuses a run id that is longer than any can be, and does not repeat it", async () => {
    await expect(createOperations(backend).run("nightly", `manual#${"x".repeat(3_000)}`)).rejects.toMatchObject({
      code: "INVALID_INPUT",
      message: expect.stringMatching(/^"manual#x{190,200}…"? is no run id/),
    });
  });

  test("refuses what is no run id, and says when there is no such run", async () => {
    const operations = createOperations(backend);

    await expect(operations.run("nightly", "yesterday")).rejects.toMatchObject({
      code: "INVALID_INPUT",
      message: expect.stringContaining("2026-03-28T01:30:00.000Z#default"),
    });
    await expect(operations.run("nightly", "2026-05-01T00:30:00.000Z#default")).rejects.toMatchObject({
      code: "UNKNOWN_RUN",
    });
  });
});

describe("runs", () => {
  test("are those of a status and from an instant on", async () => {
    const operations = createOperations(backend);

    expect(await operations.runs("nightly", { status: "succeeded" })).toHaveLength(1);
    expect(await operations.runs("nightly", { status: "FAILED" })).toEqual([]);
    expect(await operations.runs("nightly", { since: "2026-05-02T00:30:00Z" })).toHaveLength(1);
    expect(await operations.runs("nightly", { since: "2026-05-02T00:30:01Z" })).toEqual([]);
  });

  test.each([
    [{ status: "SUCCEDED" }, "did you mean SUCCEEDED"],
    [{ since: "2026-05-02" }, "Z or an offset"],
    [{ limit: 0 }, "1 to 1000"],
    [{ limit: 2.5 }, "1 to 1000"],
  ])("%j is refused", async (query, reason) => {
    await expect(createOperations(backend).runs("nightly", query)).rejects.toMatchObject({
      code: "INVALID_INPUT",
      message: expect.stringContaining(reason),
    });
  });

  test("of an unknown job: the nearest name is told", async () => {
    await expect(createOperations(backend).runs("nigthly")).rejects.toMatchObject({
      code: "UNKNOWN_JOB",
      message: expect.stringContaining('did you mean "nightly"'),
    });
  });

  test("of an unknown job with a name without end: it is cut", async () => {
    const name = "x".repeat(100_000);

    await expect(createOperations(backend).runs(name)).rejects.toMatchObject({
      code: "UNKNOWN_JOB",
      message: expect.stringMatching(/^fleet shop-dev has no job "x{190,200}…; there are: /),
    });
  });

  test("of a job that resembles none: what there is", async () => {
    await expect(createOperations(backend).runs("monthly-invoice")).rejects.toMatchObject({
      code: "UNKNOWN_JOB",
      message: 'fleet shop-dev has no job "monthly-invoice"; there are: hourly, nightly',
    });
  });
});

test("next puts the occurrences of several schedules in the order of time", async () => {
  const found = await createOperations(backend).next("hourly", { from: "2026-05-01T22:30:00Z", count: 3 });

  expect(found.occurrences.map(({ at, schedule }) => [at, schedule])).toEqual([
    ["2026-05-01T23:00:00Z", "workdays"],
    ["2026-05-02T00:00:00Z", "weekend"], // every 6 hours since the job was first seen, on 1 May at 00:00
    ["2026-05-02T06:00:00Z", "weekend"],
  ]);
  expect(found.description).toMatch(/^workdays: .*; weekend: /);
});

test("next says of which of several schedules a warning is", async () => {
  const schedules = {
    inBerlin: { expression: "cron(30 2 * * ? *)", timeZone: "Europe/Berlin" },
    daily: { expression: "rate(1 day)", timeZone: "UTC" },
  };
  const readFleet = async () => ({ jobs: [{ ...nightly, schedules, firstSeenMs }], unreadable: [] });
  const found = await createOperations({ ...backend, fleet: { readFleet } }).next("nightly");

  expect(found.warnings).toContainEqual({
    code: "DST_SKIPPED",
    message: expect.stringMatching(/^inBerlin: /),
  });
});

describe("trigger", () => {
  const loop: Record<string, unknown> = {};
  loop["again"] = loop;

  test.each([
    [{ orders: [{ id: 1n }] }, "input.orders[0].id is a bigint"],
    [{ total: Number.NaN }, "input.total is NaN"],
    [Number.POSITIVE_INFINITY, "input is Infinity"],
    [[new Date(0)], "input[0] is a Date"],
    [{ byId: new Map() }, "input.byId is a Map"],
    [[undefined], "input[0] is undefined"],
    [{ done() {} }, "input.done is a function"],
    [loop, "input.again is an object that holds itself"],
  ])("refuses an input that JSON cannot hold, with its place: %o", async (input, words) => {
    invocations.length = 0;
    const message = `${words}, which JSON cannot hold; it holds null, true, false, finite numbers, texts, arrays and plain objects. Give it as one of these, such as a text.`;
    await expect(createOperations(backend).trigger("nightly", { by: "ada", input })).rejects.toMatchObject({
      code: "INVALID_INPUT",
      message,
    });
    expect(invocations).toEqual([]);
  });

  const nested = (levels: number): unknown => JSON.parse("[".repeat(levels) + "]".repeat(levels));

  test("takes an input of 100 levels, and refuses one of more with where that is", async () => {
    const operations = createOperations(backend);
    await expect(operations.trigger("nightly", { by: "ada", input: nested(100) })).resolves.toMatchObject({});
    for (const levels of [101, 100_000]) {
      await expect(operations.trigger("nightly", { by: "ada", input: nested(levels) })).rejects.toMatchObject({
        code: "INVALID_INPUT",
        message:
          "input[0][0][0][0][0][0][0][0][0][0][0][0]… is deeper than 100 levels of arrays and objects inside each other, which are allowed. Make it flatter, or give a part of it as a text.",
      });
    }
  });

  test("invokes the job's function with a request of its own, and knows the run id at once (OP-09)", async () => {
    invocations.length = 0;
    const triggered = await createOperations(backend).trigger("nightly", {
      input: { month: 4 },
      by: "ada",
      reason: "month end",
    });

    expect(triggered.runId).toMatch(/^2026-05-02T12:00:00\.000Z#manual#[0-9a-f]{8}$/);
    const id = triggered.runId.split("#")[2];
    expect(invocations).toEqual([
      {
        functionName: "shop-dev-nightly",
        payload: {
          escapement: {
            job: "nightly",
            request: { id, at: "2026-05-02T12:00:00.000Z", by: "ada", reason: "month end" },
          },
          input: { month: 4 },
        },
      },
    ]);
  });

  test("is refused where nothing runs, with what to do", async () => {
    const reading = createOperations({ ...backend, invoke: undefined });

    await expect(reading.trigger("nightly", { by: "ada" })).rejects.toMatchObject({
      code: "NOT_RUNNING",
      message: expect.stringContaining("npm start"),
    });
  });
});

test("follow tells each change of a manual run and ends when no attempt is left", async () => {
  const manual = { runId: "2026-05-02T11:00:00.000Z#manual#17", maxAttempts: 3 };
  const startedMs = Date.UTC(2026, 4, 2, 11);
  let attempt = 0;
  const failOnce = async () => {
    attempt++;
    await fleet.run(startedMs + attempt * minute, manual, {
      status: "FAILED",
      error: { name: "Error", message: "no" },
    });
  };
  const seen: string[] = [];
  const run = await createOperations({ ...backend, sleep: failOnce }).follow("nightly", manual.runId, (change) => {
    seen.push(`${change.status} ${change.attempts.length}`);
  });

  expect(seen).toEqual(["FAILED 1", "FAILED 2", "FAILED 3"]);
  expect(run).toMatchObject({ status: "FAILED", requestedAt: "2026-05-02T11:00:00Z" });
});

test("follow gives up when all attempts should have ended long ago", async () => {
  let nowMs = Date.UTC(2026, 4, 2, 12);
  const sleep = async (ms: number) => {
    nowMs += ms * 60; // a minute of fake time for each second
  };
  const operations = createOperations({ ...backend, nowMs: () => nowMs, sleep });

  await expect(operations.follow("nightly", "2026-05-02T12:00:00.000Z#manual#18")).rejects.toMatchObject({
    code: "WAIT_TIMED_OUT",
  });
});

describe("while a run holds the lock", () => {
  const held = {
    runId: "2026-05-03T00:30:00.000Z#default",
    schedule: "default",
    scheduledTimeMs: Date.UTC(2026, 4, 3, 0, 30),
  };
  const whileRunning = () => ({ ...backend, nowMs: () => held.scheduledTimeMs + 1_000 });

  beforeAll(async () => {
    await fleet.start(held.scheduledTimeMs, held);
  });

  test("the job is running, and its lock names the run", async () => {
    expect(await createOperations(whileRunning()).describe("nightly")).toMatchObject({
      state: "running",
      lock: { runId: held.runId, attempt: 1, expiresAt: "2026-05-03T00:31:00Z", dead: false },
    });
  });

  test("a trigger says who holds the lock (OP-09)", async () => {
    const triggered = await createOperations(whileRunning()).trigger("nightly", { by: "ada" });

    expect(triggered).toMatchObject({ heldBy: held.runId, overlap: "skip" });
  });

  test.each([
    [2, 1],
    [1, 1],
    [undefined, 1],
  ])("a trigger says how many wait, of a queue of %s", async (queueLength, waiting) => {
    const { queueLength: _, ...job } = nightly;
    const waits = { runId: "2026-05-03T00:30:05.000Z#manual#18", overlap: "queue" } as const;
    await fleet.start(held.scheduledTimeMs + 5_000, waits);
    const queueing = { ...job, overlap: "queue" as const, ...(queueLength !== undefined && { queueLength }) };
    const listed = { jobs: [{ ...queueing, firstSeenMs: 0 }], unreadable: [] };
    const place = { ...whileRunning(), fleet: { readFleet: async () => listed } };

    const { queue } = await createOperations(place).trigger("nightly", { by: "ada" });
    expect(queue).toEqual({ waiting, length: queueLength });
  });

  test("a run that is skipped for it says why and names it (OP-14)", async () => {
    const manual = { runId: "2026-05-03T00:30:10.000Z#manual#19" };
    await fleet.start(held.scheduledTimeMs + 10_000, manual);

    expect(await createOperations(whileRunning()).run("nightly", manual.runId)).toMatchObject({
      status: "SKIPPED",
      reason: "overlap",
      heldBy: held.runId,
      attempts: [],
    });
  });

  test("with no runner running, the job and the run are interrupted, and the lock is nobody's", async () => {
    const target = { kind: "local" as const, fleet: FLEET, stateDir: "state", running: false };
    const operations = createOperations({ ...whileRunning(), target });

    expect(await operations.describe("nightly")).toMatchObject({
      state: "interrupted",
      lock: { runId: held.runId, dead: true },
    });
    expect(await operations.run("nightly", held.runId)).toMatchObject({
      interrupted: true,
      attempts: [{ status: "RUNNING", interrupted: true }],
    });
  });

  test("once its lease has run out, doctor says that its holder died and what follows", async () => {
    const later = { ...backend, nowMs: () => held.scheduledTimeMs + 10 * minute };
    const findings = await createOperations(later).doctor();

    expect(findings).toContainEqual({
      check: "job nightly",
      level: "warning",
      message: expect.stringContaining(held.runId),
      advice: expect.stringContaining("LOST"),
    });
  });
});

describe("of a job that never ran though it was due", () => {
  const findingsOf = async (backend: Backend) => {
    const findings = await createOperations(backend).doctor();
    return findings.filter(({ check }) => check === "job hourly");
  };

  /** Every job is enabled, and as it is since this moment. */
  const enabledSince = (sinceMs: number): Backend["fleet"] => ({
    async readFleet() {
      const { jobs, unreadable } = await fleet.register.readFleet();
      const since = ({ schedules }: ListedJob) =>
        Object.fromEntries(Object.keys(schedules).map((name) => [name, sinceMs]));
      return { jobs: jobs.map((job) => ({ ...job, enabled: true, schedulesSinceMs: since(job) })), unreadable };
    },
  });

  test("doctor warns", async () => {
    expect(await findingsOf({ ...backend, fleet: enabledSince(firstSeenMs) })).toEqual([
      {
        check: "job hourly",
        level: "warning",
        message: "never ran, though it was due 2026-05-01T01:00:00Z",
        advice: expect.any(String),
      },
    ]);
  });

  test("doctor says nothing of what was due before it was switched on", async () => {
    expect(await findingsOf({ ...backend, fleet: enabledSince(backend.nowMs()) })).toEqual([]);
  });

  test("doctor says nothing of schedules that the template disables", async () => {
    expect(await findingsOf({ ...backend, fleet: enabledSince(firstSeenMs), isDisabled: () => true })).toEqual([]);
  });

  test("doctor says nothing while it is disabled", async () => {
    expect(await findingsOf(backend)).toEqual([]);
  });
});

test("a run that is skipped for a hold after a time-out says so (OP-14)", async () => {
  const timedOut = { runId: "2026-05-04T00:30:00.000Z#manual#20", job: "held" };
  const next = { runId: "2026-05-04T00:36:00.000Z#manual#21", job: "held" };
  const atMs = Date.UTC(2026, 4, 4, 0, 30);
  await fleet.register.putFleetJob({ ...nightly, job: "held", holdAfterTimeoutMs: 10 * minute }, firstSeenMs);
  await fleet.start(atMs, { ...timedOut, holdMs: 10 * minute, leaseExpiresAtMs: atMs + minute });
  await fleet.start(atMs + 6 * minute, next);

  expect(await createOperations({ ...backend, nowMs: () => atMs + 7 * minute }).run("held", next.runId)).toMatchObject({
    status: "SKIPPED",
    reason: "overlap",
    heldBy: timedOut.runId,
    heldOver: true,
  });
});

test("a job whose lock is held after a time-out is idle: nothing of it runs or comes again", async () => {
  const atMs = Date.UTC(2026, 4, 4, 0, 30);
  const timedOut = { runId: "2026-05-04T00:30:00.000Z#manual#22", job: "holding" };
  await fleet.register.putFleetJob({ ...nightly, job: "holding", holdAfterTimeoutMs: 10 * minute }, firstSeenMs);
  await fleet.start(atMs, { ...timedOut, holdMs: 10 * minute, leaseExpiresAtMs: atMs + minute });

  const held = createOperations({ ...backend, nowMs: () => atMs + 6 * minute });
  expect(await held.describe("holding")).toMatchObject({ state: "idle", lock: { heldOver: true, dead: false } });
  const after = createOperations({ ...backend, nowMs: () => atMs + 30 * minute });
  expect(await after.describe("holding")).toMatchObject({ state: "interrupted", lock: { dead: true } });
});

test("OP-16: a run that started more than a minute after its scheduled time, as one that is caught up, is marked late", async () => {
  const dueMs = Date.UTC(2026, 4, 3, 22, 30);
  const runId = "2026-05-03T22:30:00.000Z#default";
  const occurrence = { runId, schedule: "default", scheduledTimeMs: dueMs, job: "caught-up" };
  await fleet.register.putFleetJob({ ...nightly, job: "caught-up" }, firstSeenMs);
  await fleet.run(dueMs + 60 * minute, { ...occurrence, cause: "catch-up" }, { status: "SUCCEEDED" });
  const punctual = { ...occurrence, runId: "2026-05-03T21:30:00.000Z#default", scheduledTimeMs: dueMs - 60 * minute };
  await fleet.run(dueMs - 59.5 * minute, punctual, { status: "SUCCEEDED" });

  const operations = createOperations(backend);
  expect((await operations.run("caught-up", runId)).lateMs).toBe(3_600_000);
  expect((await operations.run("caught-up", punctual.runId)).lateMs).toBeUndefined();
});

test("describe says how the job catches up, waits and renews its lock, as far as the list knows it", async () => {
  const told = { queueLength: 3, catchUp: "all", heartbeatMs: 20_000 } as const;
  await fleet.register.putFleetJob({ ...nightly, job: "beating", ...told }, firstSeenMs);

  const operations = createOperations(backend);
  expect(await operations.describe("beating")).toMatchObject({ overlap: "skip", ...told });
  await fleet.register.putFleetJob({ ...nightly, job: "earlier", catchUp: undefined }, firstSeenMs);
  expect((await operations.describe("earlier")).catchUp).toBeUndefined();
});

test("what the console's test event started is a manual run like others (OP-10)", async () => {
  const runId = "manual#console-request";
  await fleet.run(Date.UTC(2026, 4, 3, 9), { runId, trigger: { kind: "invoke" } }, { status: "SUCCEEDED" });

  const operations = createOperations(backend);
  const shown = await operations.run("nightly", runId);
  expect(shown).toMatchObject({ status: "SUCCEEDED", trigger: { kind: "invoke" }, startedAt: "2026-05-03T09:00:00Z" });
  expect(shown).not.toMatchObject({ schedule: expect.anything() });
  expect((await operations.runs("nightly")).map((run) => run.runId)).toContain(runId);
});
