import { describe, expect, test } from "vitest";
import type { Pause } from "../../../lib/run/state.ts";
import {
  confirm,
  type DeployedSchedule,
  expectationOf,
  judge,
  judgeIdle,
  leaveUndecided,
  outside,
  type WatchedSchedule,
} from "../../../lib/run/watch/judge.ts";
import type { ScheduleSpec } from "../../../lib/schedule/index.ts";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

interface Row {
  readonly spec: ScheduleSpec;
  /** @default one hour */
  readonly maxLatenessMs?: number;
  /** Up to when it has been judged; absent: it has never been seen. */
  readonly judgedUntil?: string;
  /** The rate's newest known run. @default judgedUntil */
  readonly anchor?: string;
  /** How it was when it was last looked at. @default as it is */
  readonly specBefore?: ScheduleSpec;
  readonly runs?: readonly string[];
  readonly pausedSince?: string;
  readonly pausedUntil?: string;
  readonly enabled?: boolean;
  /** How EventBridge has it. @default as the stack has it, unchanged for years */
  readonly deployed?: Partial<DeployedSchedule> | "deleted";
  readonly now: string;
  readonly missing: readonly string[];
}

const daily: ScheduleSpec = { expression: "cron(0 2 * * ? *)", timeZone: "UTC" };
const berlin: ScheduleSpec = { expression: "cron(30 2 * * ? *)", timeZone: "Europe/Berlin" };
const every15: ScheduleSpec = { expression: "cron(0/15 * * * ? *)", timeZone: "UTC" };
const every30InBerlin: ScheduleSpec = { expression: "cron(0/30 * * * ? *)", timeZone: "Europe/Berlin" };
const rate10: ScheduleSpec = { expression: "rate(10 minutes)", timeZone: "UTC" };
const once: ScheduleSpec = { expression: "at(2026-05-02T02:00:00)", timeZone: "UTC" };

// A look is at a time when the hour of lateness, and a minute of EventBridge's own, are over: at 03:01 for 02:00.
const rows: Record<string, Row> = {
  "cron: an occurrence with a run": {
    spec: daily,
    judgedUntil: "2026-05-02T01:55:00Z",
    runs: ["2026-05-02T02:00:00Z"],
    now: "2026-05-02T03:05:00Z",
    missing: [],
  },
  "cron: an occurrence without a run": {
    spec: daily,
    judgedUntil: "2026-05-02T01:55:00Z",
    now: "2026-05-02T03:01:00Z",
    missing: ["2026-05-02T02:00:00Z"],
  },
  "cron: not as long as it may still be delivered": {
    spec: daily,
    judgedUntil: "2026-05-02T01:55:00Z",
    now: "2026-05-02T03:00:59Z",
    missing: [],
  },
  "cron: not a second time": {
    spec: daily,
    judgedUntil: "2026-05-02T02:00:00Z",
    now: "2026-05-02T03:06:00Z",
    missing: [],
  },
  "cron: a run is for one occurrence, not for its neighbour": {
    spec: every15,
    maxLatenessMs: 5 * MINUTE,
    judgedUntil: "2026-05-02T01:59:00Z",
    runs: ["2026-05-02T02:15:00Z"],
    now: "2026-05-02T02:25:00Z",
    missing: ["2026-05-02T02:00:00Z"],
  },
  "cron: a run of no occurrence stands for none": {
    spec: every15,
    maxLatenessMs: 5 * MINUTE,
    judgedUntil: "2026-05-02T01:59:00Z",
    // The second one is a whole minute past the quarter, and EventBridge names the minute.
    runs: ["2026-05-02T01:59:30Z", "2026-05-02T02:16:00Z"],
    now: "2026-05-02T02:25:00Z",
    missing: ["2026-05-02T02:00:00Z", "2026-05-02T02:15:00Z"],
  },
  "two misses in one interval": {
    spec: every15,
    maxLatenessMs: 5 * MINUTE,
    judgedUntil: "2026-05-02T01:59:00Z",
    runs: ["2026-05-02T02:30:00Z"],
    now: "2026-05-02T02:40:00Z",
    missing: ["2026-05-02T02:00:00Z", "2026-05-02T02:15:00Z"],
  },
  "flexible window: as long as the window and the lateness last": {
    spec: { ...daily, flexibleWindowMinutes: 30 },
    judgedUntil: "2026-05-02T01:55:00Z",
    now: "2026-05-02T03:30:59Z",
    missing: [],
  },
  "flexible window: after both": {
    spec: { ...daily, flexibleWindowMinutes: 30 },
    judgedUntil: "2026-05-02T01:55:00Z",
    now: "2026-05-02T03:31:00Z",
    missing: ["2026-05-02T02:00:00Z"],
  },
  "flexible window: a run under the time at which it was delivered": {
    spec: { ...daily, flexibleWindowMinutes: 30 },
    judgedUntil: "2026-05-02T01:55:00Z",
    runs: ["2026-05-02T02:17:00Z"],
    now: "2026-05-02T03:31:00Z",
    missing: [],
  },
  "flexible window longer than the interval: a run stands for one occurrence": {
    spec: { ...every15, flexibleWindowMinutes: 30 },
    maxLatenessMs: 5 * MINUTE,
    judgedUntil: "2026-05-02T01:59:00Z",
    runs: ["2026-05-02T02:16:00Z"],
    now: "2026-05-02T02:55:00Z",
    missing: ["2026-05-02T02:15:00Z"],
  },
  "lateness of more than a day: EventBridge gives up after a day": {
    spec: daily,
    maxLatenessMs: 72 * HOUR,
    judgedUntil: "2026-05-02T01:55:00Z",
    now: "2026-05-03T02:01:00Z",
    missing: ["2026-05-02T02:00:00Z"],
  },
  "at: its one occurrence without a run": {
    spec: once,
    judgedUntil: "2026-05-02T01:55:00Z",
    now: "2026-05-02T03:01:00Z",
    missing: ["2026-05-02T02:00:00Z"],
  },
  "at: nothing after it": {
    spec: once,
    judgedUntil: "2026-05-02T02:00:00Z",
    now: "2026-05-09T03:01:00Z",
    missing: [],
  },
  "rate: the next run is due a period after the last, and has one more": {
    spec: rate10,
    maxLatenessMs: 5 * MINUTE,
    judgedUntil: "2026-05-02T02:03:27Z",
    // 02:13:27 and 10 minutes of tolerance and 6 minutes of delivery: 02:29:27.
    now: "2026-05-02T02:29:26Z",
    missing: [],
  },
  "rate: missing after that": {
    spec: rate10,
    maxLatenessMs: 5 * MINUTE,
    judgedUntil: "2026-05-02T02:03:27Z",
    now: "2026-05-02T02:29:27Z",
    missing: ["2026-05-02T02:13:27Z"],
  },
  "rate: counts on from each run, wherever it stands": {
    spec: rate10,
    maxLatenessMs: 5 * MINUTE,
    judgedUntil: "2026-05-02T02:03:27Z",
    runs: ["2026-05-02T02:14:00Z", "2026-05-02T02:24:00Z", "2026-05-02T02:34:00Z"],
    now: "2026-05-02T02:45:00Z",
    missing: [],
  },
  "rate: two missing between two runs": {
    spec: rate10,
    maxLatenessMs: 5 * MINUTE,
    judgedUntil: "2026-05-02T02:03:00Z",
    runs: ["2026-05-02T02:33:00Z"],
    now: "2026-05-02T02:50:00Z",
    missing: ["2026-05-02T02:13:00Z", "2026-05-02T02:23:00Z"],
  },
  "rate: a run that came up to half a period late is the run that was due": {
    spec: rate10,
    maxLatenessMs: 5 * MINUTE,
    judgedUntil: "2026-05-02T02:03:00Z",
    runs: ["2026-05-02T02:18:00Z"],
    now: "2026-05-02T02:35:00Z",
    missing: [],
  },
  "rate: counts from its newest run, not from those before": {
    spec: rate10,
    maxLatenessMs: 5 * MINUTE,
    judgedUntil: "2026-05-02T02:03:00Z",
    runs: ["2026-05-02T01:50:00Z"],
    now: "2026-05-02T02:30:00Z",
    missing: ["2026-05-02T02:13:00Z"],
  },
  "rate with an end: its last occurrence is the one at the end": {
    spec: { ...rate10, end: "2026-05-02T02:20:00Z" },
    maxLatenessMs: 5 * MINUTE,
    judgedUntil: "2026-05-02T02:00:00Z",
    now: "2026-05-02T03:30:00Z",
    missing: ["2026-05-02T02:10:00Z", "2026-05-02T02:20:00Z"],
  },
  "rate with a start: nothing before it": {
    spec: { ...rate10, start: "2026-05-03T00:00:00Z" },
    maxLatenessMs: 5 * MINUTE,
    judgedUntil: "2026-05-02T12:00:00Z",
    anchor: "2026-05-02T12:00:00Z",
    now: "2026-05-03T00:14:00Z",
    missing: [],
  },
  "rate with a start: its first occurrence": {
    spec: { ...rate10, start: "2026-05-03T00:00:00Z" },
    maxLatenessMs: 5 * MINUTE,
    judgedUntil: "2026-05-02T12:00:00Z",
    now: "2026-05-03T00:16:00Z",
    missing: ["2026-05-03T00:00:00Z"],
  },
  "start: nothing before it": {
    spec: { ...every15, start: "2026-05-02T02:10:00Z" },
    maxLatenessMs: 5 * MINUTE,
    judgedUntil: "2026-05-02T01:59:00Z",
    now: "2026-05-02T02:21:00Z",
    missing: ["2026-05-02T02:15:00Z"],
  },
  "ended: nothing after its end": {
    spec: { ...every15, end: "2026-05-02T02:10:00Z" },
    maxLatenessMs: 5 * MINUTE,
    judgedUntil: "2026-05-02T01:59:00Z",
    now: "2026-05-02T03:00:00Z",
    missing: ["2026-05-02T02:00:00Z"],
  },
  "DST gap: 02:30 does not exist in Berlin on 29 March": {
    spec: berlin,
    judgedUntil: "2026-03-29T00:00:00Z",
    now: "2026-03-29T12:00:00Z",
    missing: [],
  },
  "DST overlap: 02:30 comes twice on 25 October, and runs before the shift": {
    spec: berlin,
    judgedUntil: "2026-10-25T00:00:00Z",
    runs: ["2026-10-25T00:30:00Z"],
    now: "2026-10-25T12:00:00Z",
    missing: [],
  },
  "DST overlap: the repeated hour is not expected, and does no harm if it runs": {
    spec: every30InBerlin,
    maxLatenessMs: 5 * MINUTE,
    judgedUntil: "2026-10-24T23:59:00Z",
    // 02:00 and 02:30 summer time, then both once more, then 03:00 winter time.
    runs: ["00:00", "00:30", "01:00", "01:30", "02:00"].map((time) => `2026-10-25T${time}:00Z`),
    now: "2026-10-25T02:10:00Z",
    missing: [],
  },
  "paused: what fell due in it is not missing": {
    spec: daily,
    judgedUntil: "2026-05-02T01:55:00Z",
    pausedSince: "2026-05-02T01:58:00Z",
    now: "2026-05-02T03:01:00Z",
    missing: [],
  },
  "paused: what fell due before it is missing": {
    spec: daily,
    judgedUntil: "2026-05-02T01:55:00Z",
    pausedSince: "2026-05-02T02:30:00Z",
    now: "2026-05-02T03:01:00Z",
    missing: ["2026-05-02T02:00:00Z"],
  },
  "a pause that has run out: what fell due in it is not missing": {
    spec: every15,
    maxLatenessMs: 5 * MINUTE,
    judgedUntil: "2026-05-02T01:59:00Z",
    pausedSince: "2026-05-02T02:10:00Z",
    pausedUntil: "2026-05-02T02:20:00Z",
    now: "2026-05-02T02:40:00Z",
    missing: ["2026-05-02T02:00:00Z", "2026-05-02T02:30:00Z"],
  },
  "a pause: its first instant is in it, its last is not": {
    spec: every15,
    maxLatenessMs: 5 * MINUTE,
    judgedUntil: "2026-05-02T01:59:00Z",
    pausedSince: "2026-05-02T02:00:00Z",
    pausedUntil: "2026-05-02T02:30:00Z",
    now: "2026-05-02T02:40:00Z",
    missing: ["2026-05-02T02:30:00Z"],
  },
  "disabled in code: nothing is missing": {
    spec: daily,
    enabled: false,
    judgedUntil: "2026-05-02T01:55:00Z",
    now: "2026-05-02T03:01:00Z",
    missing: [],
  },
  "disabled in the console: nothing is missing": {
    spec: daily,
    judgedUntil: "2026-05-02T01:55:00Z",
    deployed: { enabled: false },
    now: "2026-05-02T03:01:00Z",
    missing: [],
  },
  "enabled again in the console after its time: nothing is missing": {
    spec: daily,
    judgedUntil: "2026-05-02T01:55:00Z",
    deployed: { modifiedMs: Date.parse("2026-05-02T02:20:00Z") },
    now: "2026-05-02T03:01:00Z",
    missing: [],
  },
  "changed in the console at the very time: nobody knows which was first": {
    spec: daily,
    judgedUntil: "2026-05-02T01:55:00Z",
    deployed: { modifiedMs: Date.parse("2026-05-02T02:00:00Z") },
    now: "2026-05-02T03:01:00Z",
    missing: [],
  },
  "changed in the console: nobody knows what it has missed": {
    spec: daily,
    judgedUntil: "2026-05-02T01:55:00Z",
    deployed: { spec: { expression: "cron(0 4 * * ? *)", timeZone: "UTC" } },
    now: "2026-05-02T03:01:00Z",
    missing: [],
  },
  "deleted in the console: nothing is missing": {
    spec: daily,
    judgedUntil: "2026-05-02T01:55:00Z",
    deployed: "deleted",
    now: "2026-05-02T03:01:00Z",
    missing: [],
  },
  "first deploy: nothing before it was first seen": { spec: daily, now: "2026-05-02T03:01:00Z", missing: [] },
  "changed by a deployment: nothing of the new schedule before it was first seen": {
    spec: daily,
    specBefore: { expression: "cron(0 4 * * ? *)", timeZone: "UTC" },
    judgedUntil: "2026-05-02T01:55:00Z",
    now: "2026-05-02T03:01:00Z",
    missing: [],
  },
  "the watchdog itself is late: what fell due since its last look": {
    spec: every15,
    maxLatenessMs: 5 * MINUTE,
    judgedUntil: "2026-05-02T01:59:00Z",
    runs: ["2026-05-02T02:00:00Z", "2026-05-02T02:30:00Z", "2026-05-02T02:45:00Z"],
    now: "2026-05-02T02:55:00Z",
    missing: ["2026-05-02T02:15:00Z"],
  },
  "the watchdog was down for three days: the last day is judged": {
    spec: daily,
    judgedUntil: "2026-05-02T01:55:00Z",
    now: "2026-05-05T03:01:00Z",
    missing: ["2026-05-05T02:00:00Z"],
  },
};

function missingOf({ spec, maxLatenessMs = HOUR, judgedUntil, anchor = judgedUntil, specBefore = spec, ...row }: Row) {
  const nowMs = Date.parse(row.now);
  const remembered: WatchedSchedule | undefined =
    judgedUntil === undefined || anchor === undefined
      ? undefined
      : { spec: specBefore, untilMs: Date.parse(judgedUntil), anchorMs: Date.parse(anchor) };
  const expectation = expectationOf("default", spec, maxLatenessMs, remembered, { nowMs, awayUntilMs: 0 });
  const pause = pauseOf(row);
  const isIdle = row.enabled === false;
  const recorded = (row.runs ?? []).map(Date.parse);
  const judgement = isIdle ? judgeIdle(expectation, nowMs) : judge(expectation, recorded, pause);
  const asTheStackHasIt: DeployedSchedule = { spec, enabled: true, modifiedMs: Date.parse("2020-01-01T00:00:00Z") };
  const deployed = row.deployed === "deleted" ? undefined : { ...asTheStackHasIt, ...row.deployed };
  return confirm(expectation, judgement, deployed, nowMs);
}

function pauseOf({ pausedSince, pausedUntil }: Pick<Row, "pausedSince" | "pausedUntil">): Pause | undefined {
  if (pausedSince === undefined) return undefined;
  const untilMs = pausedUntil === undefined ? undefined : Date.parse(pausedUntil);
  return { by: "alice", reason: "maintenance", atMs: Date.parse(pausedSince), untilMs };
}

describe("which occurrences are missing", () => {
  test.each(Object.entries(rows))("%s", (_, row) => {
    const { missing } = missingOf(row);
    expect(missing.map((timeMs) => new Date(timeMs).toISOString().replace(".000Z", "Z"))).toEqual(row.missing);
  });
});

describe("EventBridge's schedule", () => {
  const NOW = Date.parse("2026-05-02T03:01:00Z");
  const stack: ScheduleSpec = {
    expression: "rate(10 minutes)",
    timeZone: "UTC",
    start: "2026-05-01T00:00:00Z",
    end: "2026-06-01T00:00:00Z",
    flexibleWindowMinutes: 5,
  };
  const remembered = { spec: stack, untilMs: NOW - HOUR, anchorMs: NOW - HOUR };
  const expectation = expectationOf("default", stack, HOUR, remembered, { nowMs: NOW, awayUntilMs: 0 });
  const driftTo = (spec: ScheduleSpec) =>
    confirm(expectation, judge(expectation, [], undefined), { spec, enabled: true, modifiedMs: 0 }, NOW).drift;

  test.each<[string, Partial<ScheduleSpec>]>([
    ["expression", { expression: "rate(11 minutes)" }],
    ["time zone", { timeZone: "Europe/Berlin" }],
    ["start", { start: "2026-05-01T00:01:00Z" }],
    ["end", { end: "2026-06-01T00:01:00Z" }],
    ["flexible window", { flexibleWindowMinutes: 10 }],
  ])("is another one by its %s", (_what, change) => {
    expect(driftTo({ ...stack, ...change })).toBe("changed");
  });

  test.each(["start", "end", "flexibleWindowMinutes"] as const)("is another one without its %s", (field) => {
    const { [field]: _, ...without } = stack;
    expect(driftTo(without)).toBe("changed");
  });

  test("is the same where only the text of an instant differs", () => {
    expect(driftTo({ ...stack, start: "2026-05-01T02:00:00.000+02:00" })).toBeUndefined();
  });

  test("that is not the stack's begins anew once it is again", () => {
    const judgement = judge(expectation, [], undefined);
    // The rate counts from its start, at midnight: its newest step is at three o'clock.
    const watched = { spec: stack, untilMs: NOW, anchorMs: Date.parse("2026-05-02T03:00:00Z") };
    expect(confirm(expectation, judgement, undefined, NOW)).toEqual({
      missing: [],
      undecided: [],
      watched,
      drift: "deleted",
    });
  });
});

describe("what is newer than what is judged", () => {
  const flexible: ScheduleSpec = { ...every15, flexibleWindowMinutes: 10 };
  const judgedAt = (now: string, spec = every15, runs: readonly string[] = []) => {
    const at = (time: string) => Date.parse(`2026-05-02T${time}:00Z`);
    const remembered = { spec, untilMs: at("01:59"), anchorMs: at("01:59") };
    const expectation = expectationOf("default", spec, 20 * MINUTE, remembered, { nowMs: at(now), awayUntilMs: 0 });
    const judgement = judge(expectation, runs.map(at), undefined);
    const times = (timesMs: readonly number[]) => timesMs.map((ms) => new Date(ms).toISOString().slice(11, 16));
    return { judgement, missing: times(judgement.missing), undecided: times(judgement.undecided) };
  };

  test("and has no run is undecided, two minutes after it fell due", () => {
    // Judged up to 02:26.
    expect(judgedAt("02:47")).toMatchObject({ missing: ["02:00", "02:15"], undecided: ["02:30", "02:45"] });
    expect(judgedAt("02:46")).toMatchObject({ missing: ["02:00", "02:15"], undecided: ["02:30"] });
    expect(judgedAt("02:47", every15, ["02:30"])).toMatchObject({ undecided: ["02:45"] });
  });

  test("is left its flexible window, too", () => {
    // Judged up to 02:16; punctual up to 02:35.
    expect(judgedAt("02:47", flexible)).toMatchObject({ missing: ["02:00", "02:15"], undecided: ["02:30"] });
  });

  test("is nothing where nothing is judged", () => {
    expect(judgedAt("02:20").judgement).toMatchObject({ missing: [], undecided: [] });
  });

  test("and what is missing are nothing in a pause that has ended", () => {
    const { judgement } = judgedAt("02:47");
    const at = (time: string) => Date.parse(`2026-05-02T${time}:00Z`);
    const pauses = [{ fromMs: at("02:10"), toMs: at("02:40") }];
    expect(outside(pauses, judgement)).toEqual({
      missing: [at("02:00")],
      undecided: [at("02:45")],
      watched: judgement.watched,
    });
  });

  test("is all of it where it is left to a later look", () => {
    const remembered = { spec: daily, untilMs: 0, anchorMs: 0 };
    const expectation = expectationOf("default", daily, HOUR, remembered, { nowMs: HOUR, awayUntilMs: 0 });
    expect(leaveUndecided(expectation)).toEqual({ missing: [], undecided: [], watched: remembered });
  });
});

test("what fell due while it is known that nobody delivered is judged at once", () => {
  const at = (time: string) => Date.parse(`2026-05-02T${time}:00Z`);
  const remembered = { spec: daily, untilMs: at("01:00"), anchorMs: at("01:00") };
  const look = (awayUntilMs: number) =>
    judge(expectationOf("default", daily, HOUR, remembered, { nowMs: at("02:10"), awayUntilMs }), [], undefined);
  expect(look(0).missing).toEqual([]);
  expect(look(at("02:05"))).toMatchObject({ missing: [at("02:00")], watched: { untilMs: at("02:05") } });
  // A clock that was ahead is no reason to judge what comes.
  expect(look(at("05:00")).watched.untilMs).toBe(at("02:10"));
});

describe("from one look to the next", () => {
  const look = (remembered: WatchedSchedule | undefined, now: string, spec = daily) =>
    expectationOf("default", spec, HOUR, remembered, { nowMs: Date.parse(now), awayUntilMs: 0 });

  test("nothing is remembered anew while nothing falls due", () => {
    const first = look(undefined, "2026-05-02T03:00:00Z").watched;
    const later = look(first, "2026-05-03T02:59:00Z");
    expect(judge(later, [], undefined).watched).toBe(first);
    expect(judgeIdle(look(first, "2026-05-03T01:59:00Z"), Date.parse("2026-05-03T01:59:00Z")).watched).toBe(first);
  });

  test("what fell due while the job was disabled is not missing afterwards", () => {
    const first = look(undefined, "2026-05-02T03:00:00Z").watched;
    const { watched } = judgeIdle(look(first, "2026-05-03T02:05:00Z"), Date.parse("2026-05-03T02:05:00Z"));
    expect(look(watched, "2026-05-03T03:05:00Z").expected).toEqual([]);
    expect(look(watched, "2026-05-04T03:05:00Z").expected).toEqual([Date.parse("2026-05-04T02:00:00Z")]);
  });

  test("a schedule that is disabled misses nothing", () => {
    const now = "2026-05-03T02:05:00Z";
    const first = look(undefined, "2026-05-02T03:00:00Z").watched;
    const watched = { spec: daily, untilMs: Date.parse(now), anchorMs: Date.parse(now) };
    expect(judgeIdle(look(first, now), Date.parse(now))).toEqual({ missing: [], undecided: [], watched });
  });

  test.each([
    ["its newest run that was due", ["02:13", "02:23", "02:33"], "02:23"],
    ["one at the very instant up to which it was judged", ["02:13", "02:29"], "02:29"],
    ["where it stood, when it has not run", [], "02:03"],
    ["where it stood, when only older runs are known", ["01:53"], "02:03"],
  ])("a rate counts on from %s", (_what, runs, anchor) => {
    const at = (time: string) => Date.parse(`2026-05-02T${time}:00Z`);
    const remembered = { spec: rate10, untilMs: at("02:03"), anchorMs: at("02:03") };
    // Sixteen minutes of tolerance and delivery: it is judged up to 02:29.
    const expectation = expectationOf("default", rate10, 5 * MINUTE, remembered, {
      nowMs: at("02:45"),
      awayUntilMs: 0,
    });
    const { watched } = judge(expectation, runs.map(at), undefined);
    expect(watched).toEqual({ spec: rate10, untilMs: at("02:29"), anchorMs: at(anchor) });
  });

  test("a rate is missing once for each period without a run", () => {
    const first = look(undefined, "2026-05-02T00:00:00Z", rate10).watched;
    const missing: string[] = [];
    let watched = first;
    for (const now of ["01:15", "01:20", "01:25", "01:30", "01:35"]) {
      const judgement = judge(look(watched, `2026-05-02T${now}:00Z`, rate10), [], undefined);
      missing.push(...judgement.missing.map((timeMs) => new Date(timeMs).toISOString().slice(11, 16)));
      watched = judgement.watched;
    }
    // An hour of lateness, a minute of EventBridge's own and ten minutes of tolerance.
    expect(missing).toEqual(["00:10", "00:20"]);
  });
});
