import { describe, expect, test } from "vitest";
import { applyRun } from "../../../lib/dashboard/page/timeline/apply-event.ts";
import { axisTicks, daysOf } from "../../../lib/dashboard/page/timeline/axis.ts";
import { layoutJob } from "../../../lib/dashboard/page/timeline/layout.ts";
import { stretchesOf } from "../../../lib/dashboard/page/timeline/stretches.ts";
import { ofLength, pan, rangeToAsk, steadyMs, zoom } from "../../../lib/dashboard/page/timeline/viewport.ts";
import { instant, NOW, runOf } from "../browser/fake/jobs.ts";

const HOUR_MS = 3_600_000;
const SPRING = [{ at: "2026-03-29T01:00:00Z", before: "+01:00", after: "+02:00" }];
const AUTUMN = [{ at: "2026-10-25T01:00:00Z", before: "+02:00", after: "+01:00" }];

function berlin(from: string, to: string, changes: typeof SPRING) {
  return stretchesOf({ fromMs: Date.parse(from), toMs: Date.parse(to) }, "Europe/Berlin", changes);
}

describe("the axis of a night that the clock is put forward", () => {
  const night = berlin("2026-03-28T23:00:00Z", "2026-03-29T03:00:00Z", SPRING);

  test("goes from 01:00 to 03:00, an hour apart", () => {
    const ticks = axisTicks(night, 5).map(({ atMs, label }) => [new Date(atMs).toISOString().slice(11, 16), label]);
    expect(ticks).toEqual([
      ["23:00", "Sun 29 Mar"],
      ["00:00", "01:00"],
      ["01:00", "03:00"],
      ["02:00", "04:00"],
    ]);
  });

  test("belongs to a day of 23 hours", () => {
    const days = daysOf(berlin("2026-03-28T12:00:00Z", "2026-03-30T12:00:00Z", SPRING));
    expect(days.map(({ label, hours }) => [label, hours])).toEqual([
      ["Sat 28 Mar", undefined],
      ["Sun 29 Mar", 23],
      ["Mon 30 Mar", undefined],
    ]);
  });
});

describe("the axis of a night that the clock is put back", () => {
  test("shows 02:00 twice, an hour apart", () => {
    const night = berlin("2026-10-24T23:00:00Z", "2026-10-25T03:00:00Z", AUTUMN);
    expect(axisTicks(night, 5).map(({ label }) => label)).toEqual(["01:00", "02:00", "02:00", "03:00"]);
  });

  test("belongs to a day of 25 hours", () => {
    const [, sunday] = daysOf(berlin("2026-10-24T12:00:00Z", "2026-10-26T12:00:00Z", AUTUMN));
    expect(sunday).toMatchObject({ label: "Sun 25 Oct", hours: 25 });
  });
});

test("where no clock changes the axis has the zone's own round times", () => {
  const stretches = stretchesOf({ fromMs: Date.UTC(2026, 0, 1), toMs: Date.UTC(2026, 0, 1, 3) }, "Asia/Kolkata", []);
  // 00:00 UTC is 05:30 there.
  expect(axisTicks(stretches, 3).map(({ label }) => label)).toEqual(["06:00", "07:00", "08:00"]);
});

describe("what is in sight", () => {
  const viewport = { fromMs: 0, toMs: 24 * HOUR_MS };

  test("keeps the instant under the pointer where it is when it is zoomed", () => {
    expect(zoom(viewport, 0.5, 6 * HOUR_MS)).toEqual({ fromMs: 3 * HOUR_MS, toMs: 15 * HOUR_MS });
  });

  test("keeps now where it is when a length is chosen, while now is in sight", () => {
    const nowMs = 8 * HOUR_MS;
    expect(ofLength(viewport, HOUR_MS, steadyMs(viewport, nowMs))).toEqual({
      // A third of it lies before now, as it did.
      fromMs: nowMs - HOUR_MS / 3,
      toMs: nowMs + (2 * HOUR_MS) / 3,
    });
  });

  test("keeps its middle where it is when a length is chosen, and now is out of sight", () => {
    expect(ofLength(viewport, 2 * HOUR_MS, steadyMs(viewport, 25 * HOUR_MS))).toEqual({
      fromMs: 11 * HOUR_MS,
      toMs: 13 * HOUR_MS,
    });
  });

  test("is 5 minutes at least, and 15 days at most", () => {
    const { fromMs, toMs } = zoom(viewport, 0.000_001, 0);
    expect(toMs - fromMs).toBe(300_000);
    const wide = zoom(viewport, 1_000, 0);
    expect(wide.toMs - wide.fromMs).toBe(15 * 24 * HOUR_MS);
  });

  test("moves by a share of itself", () => {
    expect(pan(viewport, 0.5)).toEqual({ fromMs: 12 * HOUR_MS, toMs: 36 * HOUR_MS });
  });

  test("is asked for with some more around it, and the same again after a small move", () => {
    const asked = rangeToAsk(viewport);
    expect(asked.fromMs).toBeLessThanOrEqual(-6 * HOUR_MS);
    expect(asked.toMs).toBeGreaterThanOrEqual(30 * HOUR_MS);
    expect(rangeToAsk(pan({ fromMs: HOUR_MS, toMs: 25 * HOUR_MS }, 0.01))).toEqual(
      rangeToAsk({ fromMs: HOUR_MS, toMs: 25 * HOUR_MS }),
    );
  });

  test("is never more than the server's 31 days", () => {
    const asked = rangeToAsk({ fromMs: 1, toMs: 15 * 24 * HOUR_MS + 1 });
    expect(asked.toMs - asked.fromMs).toBeLessThanOrEqual(31 * 24 * HOUR_MS);
  });
});

describe("the layout of a job", () => {
  // A pixel is a minute; the picture begins 10 hours before now.
  const nowMs = Date.parse(NOW);
  const viewport = { fromMs: nowMs - 10 * HOUR_MS, toMs: nowMs + 10 * HOUR_MS };
  const place = (atMs: number) => (atMs - viewport.fromMs) / 60_000;
  const job = {
    job: "a",
    timeZone: "UTC",
    occurrences: [],
    runs: [],
    clockChanges: [],
    truncated: false,
    moreToCome: false,
  };
  const layout = (change: object) => layoutJob({ ...job, ...change }, viewport, place, nowMs);

  test("draws a run as long as it took", () => {
    const { bars } = layout({ runs: [runOf("a", 60, { durationMs: 30 * 60_000 })] });
    expect(bars).toMatchObject([{ width: 30, lane: 0, status: "SUCCEEDED", count: 1 }]);
    expect(bars[0]?.x).toBeCloseTo(540, 0);
  });

  test("draws a run at work until now", () => {
    const { bars } = layout({ runs: [runOf("a", 60, { status: "RUNNING" })] });
    expect(bars[0]?.width).toBeCloseTo(60, 0);
  });

  test("draws runs that were at work at the same time above each other", () => {
    const runs = [runOf("a", 60, { durationMs: 3_000_000 }), runOf("a", 50, { durationMs: 3_000_000 })];
    expect(layout({ runs })).toMatchObject({ bars: [{ lane: 0 }, { lane: 1 }], lanes: 2 });
  });

  test("draws short runs that lie on each other as one that counts them, unless they ended otherwise", () => {
    const runs = [runOf("a", 12), runOf("a", 11), runOf("a", 10, { status: "FAILED" }), runOf("a", 9)];
    const { bars } = layout({ runs });
    // From the beginning of the first to the end of the second, in one piece.
    expect(bars[0]).toMatchObject({ width: 6, pieces: [] });
    expect(bars.map(({ status, count }) => [status, count])).toEqual([
      ["SUCCEEDED", 2],
      ["FAILED", 1],
      ["SUCCEEDED", 1],
    ]);
  });

  test("draws a run of several attempts in a piece for each, and what lay between them is none", () => {
    const attempt = (number: number, status: "FAILED" | "LOST" | "RUNNING", fromMinutesAgo: number, to?: number) => ({
      attempt: number,
      status,
      startedAt: instant(-fromMinutesAgo),
      endedAt: to === undefined ? undefined : instant(-to),
      requestId: "r",
    });
    const attempts = [attempt(1, "FAILED", 60, 50), attempt(2, "LOST", 40, 35), attempt(3, "RUNNING", 20)];
    const run = runOf("a", 60, { status: "RUNNING", attempts, startedAt: instant(-20) });
    const [bar] = layout({ runs: [run] }).bars;
    expect(bar).toMatchObject({ x: 540, width: 60, status: "RUNNING" });
    expect(bar?.pieces).toEqual([
      { x: 540, width: 10, status: "FAILED" },
      { x: 560, width: 5, status: "LOST" },
      { x: 580, width: 20, status: "RUNNING" },
    ]);
  });

  test("draws a run of one attempt, and one as narrow as can be, in one piece", () => {
    expect(layout({ runs: [runOf("a", 60, { durationMs: 30 * 60_000 })] }).bars[0]?.pieces).toEqual([]);
    const [first] = runOf("a", 60, { status: "FAILED" }).attempts;
    if (!first) throw new Error("a run that failed has an attempt");
    const again = { ...first, attempt: 2, status: "SUCCEEDED" as const };
    const short = runOf("a", 60, { attempts: [first, again] });
    expect(layout({ runs: [short] }).bars[0]).toMatchObject({ width: 5, pieces: [] });
  });

  test("draws a short run beside one of several attempts, and not as a part of it", () => {
    const [first] = runOf("a", 60).attempts;
    if (!first) throw new Error("a run that succeeded has an attempt");
    const again = { ...first, attempt: 2, startedAt: instant(-52), endedAt: instant(-48) };
    const tried = runOf("a", 60, { attempts: [first, again], endedAt: instant(-48) });
    expect(layout({ runs: [tried, runOf("a", 55)] }).bars.map(({ count, lane }) => [count, lane])).toEqual([
      [1, 0],
      [1, 1],
    ]);
  });

  test("draws the part of a run's attempts that is in sight", () => {
    const [first] = runOf("a", 700).attempts;
    if (!first) throw new Error("a run that succeeded has an attempt");
    const attempts = [
      { ...first, startedAt: instant(-700), endedAt: instant(-650), status: "FAILED" as const },
      { ...first, startedAt: instant(-620), endedAt: instant(-590), attempt: 2 },
    ];
    const run = runOf("a", 700, { attempts, endedAt: instant(-590) });
    expect(layout({ runs: [run] }).bars[0]?.pieces).toEqual([{ x: 0, width: 10, status: "SUCCEEDED" }]);
  });

  test("draws what was skipped in a pause as what fell due in one and has no record", () => {
    const occurrence = (minutesAgo: number, state: string) => {
      const { runId, scheduledTime } = runOf("a", minutesAgo);
      return { schedule: "default", scheduledTime, local: scheduledTime, runId, state };
    };
    const occurrences = [occurrence(60, "paused"), occurrence(40, "recorded"), occurrence(20, "recorded")];
    const runs = [
      runOf("a", 40, { status: "SKIPPED", reason: "paused" }),
      runOf("a", 20, { status: "SKIPPED", reason: "overlap" }),
    ];
    expect(layout({ occurrences, runs }).teeth.map(({ state }) => state)).toEqual(["paused", "paused", "recorded"]);
  });

  test("draws a missed occurrence by itself, also among others", () => {
    const occurrence = (minutesAgo: number, state: string) => {
      const scheduledTime = instant(-minutesAgo);
      return { schedule: "default", scheduledTime, local: scheduledTime, runId: `${scheduledTime}#default`, state };
    };
    const occurrences = [
      occurrence(6, "recorded"),
      occurrence(5, "recorded"),
      occurrence(4, "missed"),
      occurrence(3, "recorded"),
    ];
    expect(layout({ occurrences }).teeth.map(({ state, count }) => [state, count])).toEqual([
      ["recorded", 2],
      ["missed", 1],
      ["recorded", 1],
    ]);
  });

  test("leaves out what is not in sight", () => {
    expect(layout({ runs: [runOf("a", 700)] }).bars).toEqual([]);
  });
});

test("a run that an event tells takes the place of what was known of it, and its occurrence is recorded", () => {
  const run = runOf("a", 5, { status: "RUNNING" });
  const due = {
    schedule: "default",
    scheduledTime: instant(-5),
    local: instant(-5),
    runId: run.runId,
    state: "due" as const,
  };
  const job = {
    job: "a",
    timeZone: "UTC",
    occurrences: [due],
    runs: [run],
    clockChanges: [],
    truncated: false,
    moreToCome: false,
  };
  const timeline = { from: instant(-60), to: instant(60), now: NOW, jobs: [job] };
  const ended = runOf("a", 5);
  const [after] = applyRun(timeline, ended).jobs;
  expect(after?.runs).toEqual([ended]);
  expect(after?.occurrences[0]?.state).toBe("recorded");
  expect(applyRun(timeline, runOf("another", 5))).toBe(timeline);
});
