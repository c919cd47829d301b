import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { Backend } from "../../lib/operations/backend.ts";
import { createOperations } from "../../lib/operations/operations.ts";
import { parseRunId } from "../../lib/run/index.ts";
import { backendOn, minute, nightly, openFleet } from "./fleet.ts";

const day = 24 * 60 * minute;
const noon = Date.UTC(2026, 4, 6, 12);
const atTwo = (dayOfMonth: number) => Date.UTC(2026, 4, dayOfMonth, 2);
const idOf = (dayOfMonth: number) => `2026-05-0${dayOfMonth}T02:00:00.000Z#default`;
const occurrence = (dayOfMonth: number) => ({
  runId: idOf(dayOfMonth),
  schedule: "default",
  scheduledTimeMs: atTwo(dayOfMonth),
});
const daily = { ...nightly, schedules: { default: { expression: "cron(0 2 * * ? *)", timeZone: "UTC" } } };
const range = { from: "2026-05-01T02:00:00Z", to: "2026-05-04T02:00:00Z" };

let fleet: Awaited<ReturnType<typeof openFleet>>;
let nowMs: number;
let fails: (runId: string) => boolean;
const started: string[] = [];

interface Sent {
  runId: string;
  workTime?: string;
  workSchedule?: string;
}

/** The job's function stands for: done at once, failing for good where the test says so. */
const invoke: Backend["invoke"] = async (_functionName, payload) => {
  const { start } = (payload as { escapement: { start: Sent } }).escapement;
  started.push(start.runId);
  const identity = parseRunId(start.runId);
  const own =
    identity?.kind === "scheduled" ? { schedule: identity.schedule, scheduledTimeMs: identity.scheduledTimeMs } : {};
  const work =
    start.workTime === undefined ? {} : { workTimeMs: Date.parse(start.workTime), workSchedule: start.workSchedule };
  const delivery = {
    runId: start.runId,
    cause: "backfill" as const,
    trigger: { kind: "operator" as const },
    ...own,
    ...work,
  };
  const known = await fleet.records.readRun("nightly", start.runId);
  nowMs += minute;
  if (!fails(start.runId)) return fleet.run(nowMs, delivery, { status: "SUCCEEDED" });
  for (let attempt = known?.attempt ?? 0; attempt < 3; attempt++) {
    nowMs += minute;
    await fleet.run(nowMs, delivery, { status: "FAILED", error: { name: "Error", message: "no" } });
  }
};

const sleep = async (ms: number) => {
  nowMs += ms;
};
const operations = (overrides: Partial<Backend> = {}) =>
  createOperations(backendOn(fleet, () => nowMs, { invoke, sleep, ...overrides }));
const planned = async (query: object = {}) => {
  const { runs } = await operations().planBackfill("nightly", { ...range, ...query });
  return runs.map(({ runId, was }) => `${was} ${runId}`);
};

beforeEach(async () => {
  fleet = await openFleet();
  nowMs = noon;
  fails = () => false;
  started.length = 0;
  await fleet.register.putFleetJob(daily, Date.UTC(2026, 3, 1));
});
afterEach(() => fleet.close());

describe("the range of a backfill (OP-06)", () => {
  test("includes its beginning and excludes its end", async () => {
    const plan = await operations().planBackfill("nightly", range);

    expect(plan.runs.map(({ scheduledTime }) => scheduledTime)).toEqual([
      "2026-05-01T02:00:00Z",
      "2026-05-02T02:00:00Z",
      "2026-05-03T02:00:00Z",
    ]);
    expect(plan.occurrences).toBe(3);
  });

  test("that was planned is what runs, the oldest first, each under its own identity", async () => {
    const done = await operations().backfill("nightly", { ...range, by: "ada", reason: "outage" });

    expect(started).toEqual([idOf(1), idOf(2), idOf(3)]);
    expect(done).toMatchObject({ outcome: "done", succeeded: [idOf(1), idOf(2), idOf(3)], failed: [] });
    expect(await operations().audit("nightly")).toMatchObject([
      {
        action: "backfill",
        by: "ada",
        reason: "outage",
        detail: expect.stringContaining("3 runs from 2026-05-01T02:00:00Z"),
      },
    ]);
  });

  test("without an occurrence in it is nothing to run", async () => {
    expect(await planned({ from: "2026-05-01T03:00:00Z", to: "2026-05-01T04:00:00Z" })).toEqual([]);
  });

  test.each([
    [{ from: "2026-05-04T02:00:00Z", to: "2026-05-01T02:00:00Z" }, "INVALID_INPUT", "is not before to"],
    [{ from: "2026-03-31T00:00:00Z" }, "UNKNOWN_PAST", "known since 2026-04-01T00:00:00Z"],
    [{ only: "skiped" }, "INVALID_INPUT", "did you mean skipped"],
    [{ maxParallel: 2 }, "INVALID_INPUT", "one at a time"],
  ])("asked for as %j is refused", async (query, code, reason) => {
    await expect(planned(query)).rejects.toMatchObject({ code, message: expect.stringContaining(reason) });
  });

  test("that begins before what records are kept of is refused: absence proves nothing there", async () => {
    await fleet.register.putFleetJob({ ...daily, retentionMs: 4 * day }, noon);

    await expect(planned()).rejects.toMatchObject({
      code: "UNKNOWN_PAST",
      message: expect.stringContaining("records are kept since 2026-05-02T12:00:00Z"),
    });
  });
});

describe("which occurrences run", () => {
  beforeEach(async () => {
    await fleet.run(atTwo(1), occurrence(1), { status: "SUCCEEDED" });
    await fleet.run(atTwo(2), occurrence(2), { status: "FAILED", error: { name: "Error", message: "no" } });
    await fleet.start(atTwo(3), { ...occurrence(3), lateAfterMs: atTwo(3) - 1 });
  });
  const all = { ...range, to: "2026-05-05T02:00:00Z" };

  test.each([
    [undefined, [`FAILED ${idOf(2)}`, `missing ${idOf(4)}`]],
    ["missing", [`missing ${idOf(4)}`]],
    ["failed", [`FAILED ${idOf(2)}`]],
  ])("with --only %s", async (only, expected) => {
    expect(await planned({ ...all, only })).toEqual(expected);
  });

  test("what succeeded or was skipped runs again as a manual run for its time, linked both ways", async () => {
    const plan = await operations().planBackfill("nightly", { ...all, only: "skipped" });
    expect(plan.runs).toMatchObject([{ was: "SKIPPED", manual: true, scheduledTime: "2026-05-03T02:00:00Z" }]);

    const { succeeded } = await operations().backfill("nightly", { ...all, only: "skipped", by: "ada" });
    const [rerun = ""] = succeeded;
    // From what was seen alone: when it was skipped, as what, and the token of before.
    expect(rerun).toMatch(/^2026-05-03T02:00:00\.000Z#manual#backfill\.default\.1777773600000\.\d+$/);
    expect(await operations().run("nightly", rerun)).toMatchObject({
      workTime: "2026-05-03T02:00:00Z",
      workSchedule: "default",
      // Nobody asked for it at the time that its identity has.
      requestedAt: undefined,
    });
    expect(await operations().run("nightly", idOf(3))).toMatchObject({ status: "SKIPPED", rerunBy: [rerun] });
    // Asked again, it is done.
    expect(await planned({ ...all, only: "skipped" })).toEqual([]);
  });

  test("all of them run again but once in one backfill", async () => {
    const first = await operations().backfill("nightly", { ...all, only: "all", by: "ada" });
    expect(first.succeeded).toHaveLength(4);
    expect(await planned({ ...all, only: "all", id: first.plan.id })).toEqual([]);
    expect(await planned({ ...all, only: "all" })).toHaveLength(4);
  });
});

describe("what was planned and said yes to (OP-06)", () => {
  const upToNoon7 = { ...range, to: "2026-05-07T12:00:00Z" };
  const confirmed = async (only: string) => {
    const { id, runs } = await operations().planBackfill("nightly", { ...upToNoon7, only });
    return { ...upToNoon7, only, id, runs: runs.map(({ runId }) => runId), by: "ada" };
  };
  const fail = { status: "FAILED", error: { name: "Error", message: "no" } } as const;

  test("is all that runs, though more has fallen due since", async () => {
    const request = await confirmed("missing");
    nowMs = Date.UTC(2026, 4, 7, 11);
    await operations().backfill("nightly", request);
    expect(started).toEqual([1, 2, 3, 4, 5, 6].map(idOf));
  });

  test("is all that runs, though one that was at work has ended since", async () => {
    const begun = await fleet.start(noon - 1_000, { ...occurrence(6), leaseExpiresAtMs: noon + minute });
    const request = await confirmed("failed");
    expect(request.runs).toEqual([]);
    if (begun.kind === "held") await fleet.end(begun.hold, { ...fail, endedMs: noon });
    expect(await planned({ ...upToNoon7, only: "failed" })).toEqual([`FAILED ${idOf(6)}`]);
    await operations().backfill("nightly", request);
    expect(started).toEqual([]);
  });

  test("is left out where it has succeeded since", async () => {
    const request = await confirmed("all");
    await fleet.run(noon, occurrence(2), { status: "SUCCEEDED" });
    const { plan } = await operations().backfill("nightly", request);
    expect(started).toEqual([1, 3, 4, 5, 6].map(idOf));
    expect(plan.runs).toHaveLength(5);
  });
});

describe("a range that lies before a change of the schedule", () => {
  const may3 = Date.UTC(2026, 4, 3);
  const all = { ...range, to: "2026-05-05T02:00:00Z" };
  const changedTo = (job: object) => fleet.register.putFleetJob({ ...daily, ...job }, may3);
  const hourly = { schedules: { default: { expression: "cron(0 0/12 * * ? *)", timeZone: "UTC" } } };

  beforeEach(async () => {
    await fleet.run(atTwo(1), occurrence(1), { status: "FAILED", error: { name: "Error", message: "no" } });
  });

  test("is planned by what is recorded before it, and by the schedule after it; and that is said", async () => {
    await changedTo(hourly);
    const { runs, occurrences, changed } = await operations().planBackfill("nightly", all);
    expect(runs.map(({ was, scheduledTime }) => `${was} ${scheduledTime}`)).toEqual([
      "FAILED 2026-05-01T02:00:00Z",
      "missing 2026-05-03T00:00:00Z",
      "missing 2026-05-03T12:00:00Z",
      "missing 2026-05-04T00:00:00Z",
      "missing 2026-05-04T12:00:00Z",
      "missing 2026-05-05T00:00:00Z",
    ]);
    expect(occurrences).toBe(6);
    expect(changed).toEqual([{ schedule: "default", since: "2026-05-03T00:00:00Z" }]);
  });

  test("that has left the code still has what is recorded of it", async () => {
    await changedTo({ schedules: { other: daily.schedules.default } });
    expect(await planned({ ...all, to: "2026-05-03T00:00:00Z" })).toEqual([`FAILED ${idOf(1)}`]);
  });

  test("of a job that its code disables has nothing that was missed", async () => {
    await changedTo({ enabled: false });
    expect(await planned(all)).toEqual([`FAILED ${idOf(1)}`]);
  });

  test("is not said of a range after it", async () => {
    await changedTo(hourly);
    const { changed } = await operations().planBackfill("nightly", { ...all, from: "2026-05-03T00:00:00Z" });
    expect(changed).toEqual([]);
  });

  test("of which the template disables one is planned without it", async () => {
    await changedTo({ schedules: { ...hourly.schedules, off: daily.schedules.default } });
    const isDisabled: Backend["isDisabled"] = (_job, schedule) => schedule === "off";
    const { runs } = await operations({ isDisabled }).planBackfill("nightly", { ...all, from: "2026-05-03T00:00:00Z" });
    expect(runs.map(({ schedule }) => schedule)).toEqual(Array(5).fill("default"));
  });
});

describe("two backfills of one range at the same time", () => {
  const skipped = { ...range, only: "skipped", by: "ada" };
  const all = { ...skipped, only: "all" };
  /** Both have planned before either starts anything; a delivery that must not start ends at that. */
  const bothOf = (request: typeof skipped) => {
    const haveGone: (() => void)[] = [];
    const together = () =>
      new Promise<void>((go) => {
        haveGone.push(go);
        if (haveGone.length === 2) for (const goOn of haveGone) goOn();
      });
    const one = () => {
      let planned: Promise<void> | undefined;
      return operations({
        invoke: async (name, payload) => {
          planned ??= together();
          await planned;
          await invoke(name, payload).catch(({ message }) =>
            expect(message).toMatch(/was: (duplicate|come-again|skipped)/),
          );
        },
      }).backfill("nightly", request);
    };
    return Promise.all([one(), one()]);
  };
  const attemptsOf = async (workTime: string) =>
    (await operations().runs("nightly", { limit: 100 }))
      .filter((run) => run.workTime === workTime)
      .flatMap(({ attempts }) => attempts);

  beforeEach(async () => {
    for (const day of [1, 2, 3]) {
      await fleet.start(atTwo(day), { ...occurrence(day), lateAfterMs: atTwo(day) - 1 });
    }
  });

  test.each([
    ["skipped", skipped],
    ["all", all],
  ])("run each occurrence once: %s", async (_, request) => {
    const [one, other] = await bothOf(request);
    expect(one.succeeded).toHaveLength(3);
    expect(other.succeeded).toEqual(one.succeeded);
    for (const day of [1, 2, 3]) expect(await attemptsOf(`2026-05-0${day}T02:00:00Z`)).toHaveLength(1);
  });

  test("leave alone what one of them is at", async () => {
    const [rerun] = (await operations().planBackfill("nightly", skipped)).runs;
    const workTimeMs = atTwo(1);
    await fleet.start(nowMs, { runId: rerun?.runId ?? "", workTimeMs, cause: "backfill" });
    for (const only of ["skipped", "all"]) expect(await planned({ only })).toHaveLength(2);
  });
});

describe("a run again that failed", () => {
  beforeEach(async () => {
    await fleet.start(atTwo(1), { ...occurrence(1), lateAfterMs: atTwo(1) - 1 });
  });
  const first = { ...range, to: "2026-05-02T02:00:00Z", only: "skipped" };
  const failing = async (runId: string, attempts: number) => {
    for (let attempt = 1; attempt <= attempts; attempt++) {
      nowMs += minute;
      const delivery = { runId, workTimeMs: atTwo(1), cause: "backfill" as const };
      await fleet.run(nowMs, delivery, { status: "FAILED", error: { name: "Error", message: "no" } });
    }
  };

  test("goes on as long as it has attempts left, and is followed by another one then", async () => {
    const [before] = (await operations().planBackfill("nightly", first)).runs;
    await failing(before?.runId ?? "", 2);
    expect((await operations().planBackfill("nightly", first)).runs).toMatchObject([
      { runId: before?.runId, manual: true },
    ]);
    await failing(before?.runId ?? "", 1);
    const [after] = (await operations().planBackfill("nightly", first)).runs;
    // It failed at 12:03, and ended two seconds later.
    expect(after?.runId).toMatch(/^2026-05-06T12:03:02\.000Z#manual#backfill\.default\./);
  });
});

test("of two schedules that fall due at one time each has its runs again", async () => {
  const { default: spec } = daily.schedules;
  await fleet.register.putFleetJob({ ...daily, schedules: { default: spec, other: spec } }, Date.UTC(2026, 3, 1));
  for (const schedule of ["default", "other"]) {
    const runId = `2026-05-01T02:00:00.000Z#${schedule}`;
    await fleet.start(atTwo(1), { runId, schedule, scheduledTimeMs: atTwo(1), lateAfterMs: atTwo(1) - 1 });
  }
  const first = { ...range, to: "2026-05-02T02:00:00Z", only: "skipped" };
  const { runs } = await operations().planBackfill("nightly", first);
  expect(runs.map(({ schedule }) => schedule)).toEqual(["default", "other"]);
  const [one, other] = runs;
  expect(one?.runId).not.toBe(other?.runId);
  await fleet.run(nowMs, { runId: one?.runId ?? "", workTimeMs: atTwo(1), cause: "backfill" }, { status: "SUCCEEDED" });
  expect(await planned({ ...first })).toEqual([`SKIPPED ${other?.runId}`]);
});

describe("a backfill that is broken off", () => {
  test("goes on with what is not done", async () => {
    await operations().backfill("nightly", { ...range, to: "2026-05-02T02:00:00Z", by: "ada" });

    expect(await planned()).toEqual([`missing ${idOf(2)}`, `missing ${idOf(3)}`]);
  });

  test("by its signal starts no more, and says that it was cancelled", async () => {
    const signal = new AbortController();
    const stopAtEnd = ({ status }: { status: string }) => status === "SUCCEEDED" && signal.abort();

    const done = await operations().backfill("nightly", { ...range, by: "ada" }, stopAtEnd, signal.signal);

    expect(done).toMatchObject({ outcome: "cancelled", succeeded: [idOf(1)], failed: [] });
    expect(started).toEqual([idOf(1)]);
  });

  test("by too many failures says so, and leaves the rest", async () => {
    fails = () => true;
    const done = await operations().backfill("nightly", { from: range.from, to: "2026-05-06T02:00:00Z", by: "ada" });

    expect(done).toMatchObject({ outcome: "stopped", succeeded: [], failed: [idOf(1), idOf(2), idOf(3)] });
    expect(started).toHaveLength(3);
  });
});

describe("of a paused job (OP-08)", () => {
  beforeEach(async () => {
    await operations().pause("nightly", { by: "ada", reason: "source down" });
  });

  test("it is refused, with who paused it and what to do", async () => {
    await expect(planned()).rejects.toMatchObject({
      code: "PAUSED",
      message: expect.stringMatching(/by ada: source down; resume it first.*--even-if-paused/),
    });
  });

  test("it runs where that is asked for", async () => {
    const done = await operations().backfill("nightly", { ...range, evenIfPaused: true, by: "ada" });

    expect(done.succeeded).toHaveLength(3);
  });
});

describe("beside the live schedule", () => {
  test("a job whose occurrences leave no room is refused, with what to do", async () => {
    const often = { default: { expression: "cron(* * * * ? *)", timeZone: "UTC" } };
    await fleet.register.putFleetJob({ ...daily, schedules: often }, noon - 2 * 60 * minute);

    await expect(planned({ from: "2026-05-06T11:00:00Z", to: "2026-05-06T11:05:00Z" })).rejects.toMatchObject({
      code: "NO_ROOM",
      message: expect.stringContaining("pause it first"),
    });
  });

  test("a run waits until the occurrence that is near, and whoever holds the lock, are over", async () => {
    nowMs = Date.UTC(2026, 4, 7, 1, 59, 30);
    await fleet.start(nowMs - 1_000, { runId: "manual#holder", leaseExpiresAtMs: nowMs + 4_000 });
    let startedMs = 0;
    await operations({
      invoke: async (name, payload) => {
        startedMs = nowMs;
        await invoke?.(name, payload);
      },
    }).backfill("nightly", { from: range.from, to: "2026-05-02T02:00:00Z", by: "ada" });

    expect(startedMs).toBeGreaterThan(atTwo(7));
  });
});

test("the estimate goes by the runs that ended: 2 seconds each", async () => {
  await fleet.run(atTwo(4), occurrence(4), { status: "SUCCEEDED" });

  const plan = await operations().planBackfill("nightly", range);
  expect(plan.estimatedMs).toBe(6_000);
  // 3 × (2 s × 0.25 GB × $0.0000133334 + $0.0000002 + 3 × $0.000000625)
  expect(plan.estimatedDollars).toBeCloseTo(0.0000262, 7);
});
