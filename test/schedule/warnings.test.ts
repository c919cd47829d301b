import { describe, expect, test } from "vitest";
import { occurrenceNote, parseSchedule, type ScheduleInput, scheduleWarnings } from "../../lib/schedule/index.ts";

const NOW = Date.UTC(2026, 0, 1);

function warnings(input: ScheduleInput, nowMs = NOW): string[] {
  return scheduleWarnings(parseSchedule(input), nowMs).map(({ code, message }) => `${code}: ${message}`);
}

describe("uneven steps", () => {
  test.each([
    [
      "cron(0/45 * * * ? *)",
      "minute 0/45 is no interval of 45 minutes: it begins anew at 0 with every hour; use rate(45 minutes) for one",
    ],
    [
      "cron(0-59/45 * * * ? *)",
      "minute 0-59/45 is no interval of 45 minutes: it begins anew at 0 with every hour; use rate(45 minutes) for one",
    ],
    [
      "cron(0 0/5 * * ? *)",
      "hour 0/5 is no interval of 5 hours: it begins anew at 0 with every day; use rate(5 hours) for one",
    ],
    [
      "cron(50/15 * * * ? *)",
      "minute 50/15 is no interval of 15 minutes: it begins anew at 50 with every hour; use rate(15 minutes) for one",
    ],
    [
      "cron(0 6 */2 * ? *)",
      "day-of-month */2 is no interval of 2 days: it begins anew at 1 with every month; use rate(2 days) for one",
    ],
    [
      "cron(0 6 1 1/5 ? *)",
      "month 1/5 is no interval of 5 months: it begins anew at 1 with every year; list the months you mean",
    ],
  ])("CG-13: %s", (expression, message) => {
    expect(warnings({ expression })).toEqual([`UNEVEN_STEP: ${message}`]);
  });

  test.each([
    ["cron(0/45 9 * * ? *)", "minute 0/45", "list the minutes you mean"], // 09:00 and 09:45 only
    ["cron(0/45 * ? * MON-FRI *)", "minute 0/45", "list the minutes you mean"],
    ["cron(0/7,50 * * * ? *)", "minute 0/7", "list the minutes you mean"],
    ["cron(0 0/7 1 1 ? *)", "hour 0/7", "list the hours you mean"], // one day a year
    ["cron(0,30 0/5 * * ? *)", "hour 0/5", "list the hours you mean"],
    ["cron(0 6,18 */2 * ? *)", "day-of-month */2", "list the days you mean"],
    ["cron(0 6 */2 2 ? *)", "day-of-month */2", "list the days you mean"],
  ])("%s: no rate would be the same, so that %s is told: %s", (expression, step, advice) => {
    const [found, ...more] = warnings({ expression });
    expect(found).toContain(`UNEVEN_STEP: ${step} is no interval of`);
    expect(found?.endsWith(`; ${advice}`)).toBe(true);
    expect(more).toEqual([]);
  });

  test.each([
    "cron(0/15 * * * ? *)",
    "cron(1/10 * * * ? *)",
    "cron(0-20/7 * * * ? *)",
    "cron(0 8-23/3 * * ? *)",
    "cron(0/30,5 * * * ? *)",
    "cron(0 1/6 * * ? *)",
    "cron(*/1 * * * ? *)",
  ])("%s is even, or no interval", (expression) => {
    expect(warnings({ expression })).toEqual([]);
  });
});

describe("a minute left open", () => {
  test.each([
    "cron(* 8 * * ? *)",
    "cron(0/1 8-17 ? * MON-FRI *)",
    "cron(* * ? * SAT#3 *)",
    "cron(* * 1 * ? *)",
    "cron(* * * 12 ? *)",
  ])("%s", (expression) => {
    expect(warnings({ expression })).toEqual([
      "MINUTE_OPEN: the minute is open, so that it runs 60 times an hour; write 0 for the full hour",
    ]);
  });

  test.each([
    "cron(* * * * ? *)",
    "cron(* 0-23 * * ? *)",
    "cron(* * ? * 1-7 *)",
    "cron(* * 1-31 1-12 ? *)",
    "cron(* * * * ? 2027)",
  ])("%s is every minute of every day, on purpose", (expression) => {
    expect(warnings({ expression })).toEqual([]);
  });
});

describe("never fires again", () => {
  test.each([
    [{ expression: "cron(0 0 30 2 ? *)" }, "never fires: there is no such time"],
    [
      { expression: "at(2026-03-29T02:30:00)", timeZone: "Europe/Berlin" },
      "never fires: 02:30 is skipped on 29 March 2026 (clock change)",
    ],
    [
      { expression: "cron(0 12 1 1 ? *)", start: "2026-02-01T00:00:00Z", end: "2026-12-01T00:00:00Z" },
      "never fires: there is no such time within its start and end",
    ],
    [{ expression: "rate(1 day)", end: "2020-01-01T00:00:00Z" }, "never fires: its end 2020-01-01T00:00:00Z is past"],
    [{ expression: "cron(0 12 1 1 ? 2020)" }, "never fires again: its last occurrence was 2020-01-01T12:00:00.000Z"],
    [{ expression: "at(2025-12-31T23:59:59)" }, "never fires again: its last occurrence was 2025-12-31T23:59:59.000Z"],
    [
      { expression: "rate(1 day)", start: "2025-01-01T00:00:00Z", end: "2025-12-31T12:00:00Z" },
      "never fires again: its last occurrence was 2025-12-31T00:00:00.000Z",
    ],
  ])("CG-14: $expression %s", (input, why) => {
    expect(warnings(input)).toEqual([`NEVER_FIRES: ${input.expression} ${why}`]);
  });

  test("an occurrence at this very instant is still to come", () => {
    expect(warnings({ expression: "at(2026-01-01T00:00:00)" })).toEqual([]);
  });
});

describe("clock changes within a year", () => {
  const berlin = "Europe/Berlin";

  test("a daily time is skipped once and comes twice once", () => {
    expect(warnings({ expression: "cron(30 2 * * ? *)", timeZone: berlin })).toEqual([
      "DST_SKIPPED: 02:30 is skipped on 29 March 2026 (clock change)",
      "DST_ONCE: 02:30 comes twice on 25 October 2026 (clock change) and runs once, before the shift",
    ]);
  });

  test("an hourly one loses no hour, and its repeated hour is uncertain on AWS", () => {
    expect(warnings({ expression: "cron(0 * * * ? *)", timeZone: berlin })).toEqual([
      "UNCERTAIN_ON_AWS: 02:00 comes twice on 25 October 2026 (clock change) and runs once, before the shift; uncertain on AWS, which may run it again",
    ]);
  });

  test.each([
    ["cron(0 * * * ? *)", "02:00"],
    ["cron(15 * * * ? *)", "02:15"],
    ["cron(0,15,30 * * * ? *)", "02:15"], // 02:30 runs where 02:00 would
  ])("%s loses its run of %s where 02:00 becomes 02:30", (expression, time) => {
    expect(warnings({ expression, timeZone: "Australia/Lord_Howe" })).toContain(
      `DST_SKIPPED: ${time} is skipped on 4 October 2026 (clock change)`,
    );
  });

  test("the same half hour takes nothing from a schedule of every half hour", () => {
    const codes = warnings({ expression: "cron(0/30 * * * ? *)", timeZone: "Australia/Lord_Howe" });
    expect(codes.filter((warning) => warning.startsWith("DST_SKIPPED"))).toEqual([]);
  });

  test("an at in a repeated hour runs in its first half", () => {
    expect(warnings({ expression: "at(2026-10-25T02:30:00)", timeZone: berlin })).toEqual([
      "DST_ONCE: 02:30 comes twice on 25 October 2026 (clock change) and runs once, before the shift",
    ]);
    expect(warnings({ expression: "at(2026-10-25T03:00:00)", timeZone: berlin })).toEqual([]);
  });

  test.each([
    ["cron(30 4 * * ? *)", berlin],
    ["cron(30 2 * * ? *)", "UTC"],
    ["cron(30 2 * * ? *)", "Asia/Tokyo"],
    ["cron(30 2 ? * MON *)", berlin],
  ])("%s in %s is not touched", (expression, timeZone) => {
    expect(warnings({ expression, timeZone })).toEqual([]);
  });

  test("a change after the end does not matter", () => {
    expect(warnings({ expression: "cron(30 2 * * ? *)", timeZone: berlin, end: "2026-03-01T00:00:00Z" })).toEqual([]);
  });

  test("a rate of whole days moves against the clock", () => {
    expect(warnings({ expression: "rate(1 day)", timeZone: berlin })).toEqual([
      "RATE_DRIFTS: rate(1 day) counts days of 24 hours, so that its time of day moves when the clocks of Europe/Berlin change; use cron(...) for a fixed time of day",
    ]);
    expect(warnings({ expression: "rate(48 hours)", timeZone: berlin })).toHaveLength(1);
    expect(warnings({ expression: "rate(1 hour)", timeZone: berlin })).toEqual([]);
    expect(warnings({ expression: "rate(1 day)", timeZone: "Asia/Tokyo" })).toEqual([]);
  });
});

describe("uncertain on AWS", () => {
  test.each([
    ["cron(0 9 LW * ? *)", "day-of-month LW is not in AWS's documentation"],
    ["cron(0 9 L-3 * ? *)", "day-of-month L-3 is not in AWS's documentation"],
    ["cron(0 9 ? * FRI-MON *)", "day-of-week FRI-MON: AWS documents ranges across the end for hours only"],
    ["cron(0 9 1 NOV-FEB ? *)", "month NOV-FEB: AWS documents"],
    ["cron(50-10 9 1 * ? *)", "minute 50-10: AWS documents"],
    ["cron(0 9 28-3 * ? *)", "day-of-month 28-3: AWS documents"],
  ])("%s: %s", (expression, message) => {
    const found = warnings({ expression });
    expect(found).toHaveLength(1);
    expect(found[0]).toContain(`UNCERTAIN_ON_AWS: ${message}`);
  });

  test("an occurrence on the very end", () => {
    const ending = { expression: "cron(0 9 * * ? *)", end: "2026-05-01T09:00:00Z" };
    expect(warnings(ending)[0]).toContain("UNCERTAIN_ON_AWS: an occurrence falls on the very end");
    expect(warnings({ ...ending, end: "2026-05-01T09:01:00Z" })).toEqual([]);
  });

  test("an occurrence of a rate on the very end, where its occurrences are known", () => {
    const hourly = { expression: "rate(1 hour)", start: "2027-06-01T00:00:00Z", end: "2027-06-02T00:00:00Z" };
    expect(warnings(hourly)[0]).toContain("UNCERTAIN_ON_AWS: an occurrence falls on the very end");
    expect(warnings({ ...hourly, end: "2027-06-02T00:00:01Z" })).toEqual([]);
    expect(warnings({ expression: "rate(1 hour)", end: "2027-06-02T00:00:00Z" })).toEqual([]);
  });

  test("hours across midnight are AWS's own example", () => {
    expect(warnings({ expression: "cron(0 20-2 * * ? *)" })).toEqual([]);
  });
});

test("the limits of an at are ignored", () => {
  expect(warnings({ expression: "at(2030-02-01T15:00:00)", start: "2029-01-01T00:00:00Z" })).toEqual([
    "LIMITS_IGNORED: EventBridge ignores the start and end of an at(...)",
  ]);
});

describe("the note on one occurrence", () => {
  const nightly = parseSchedule({ expression: "cron(30 2 * * ? *)", timeZone: "Europe/Berlin" });
  const yearly = parseSchedule({ expression: "cron(30 2 28 3 ? *)", timeZone: "Europe/Berlin" });
  const hourly = parseSchedule({ expression: "cron(0 * * * ? *)", timeZone: "America/New_York" });
  const lordHowe = parseSchedule({ expression: "cron(0 * * * ? *)", timeZone: "Australia/Lord_Howe" });
  const once = parseSchedule({ expression: "at(2026-10-25T02:30:00)", timeZone: "Europe/Berlin" });

  test.each([
    [nightly, "2026-03-28T01:30:00Z", undefined],
    [nightly, "2026-03-30T00:30:00Z", "02:30 is skipped on 29 March 2026 (clock change)"],
    [nightly, "2026-03-31T00:30:00Z", undefined],
    [yearly, "2028-03-28T00:30:00Z", "02:30 is skipped on 28 March 2027 (clock change)"],
    [yearly, "2029-03-28T00:30:00Z", undefined],
    [lordHowe, "2026-10-03T16:00:00Z", "02:00 is skipped on 4 October 2026 (clock change)"], // 03:00
    [
      once,
      "2026-10-25T00:30:00Z",
      "02:30 comes twice on 25 October 2026 (clock change) and runs once, before the shift",
    ],
    [
      nightly,
      "2026-10-25T00:30:00Z",
      "02:30 comes twice on 25 October 2026 (clock change) and runs once, before the shift",
    ],
    [
      hourly,
      "2026-11-01T05:00:00Z",
      "01:00 comes twice on 1 November 2026 (clock change) and runs once, before the shift; uncertain on AWS, which may run it again",
    ],
    [hourly, "2026-11-01T04:00:00Z", undefined],
    [hourly, "2026-11-01T07:00:00Z", undefined],
    [parseSchedule({ expression: "rate(1 hour)" }, { anchorMs: 0 }), "2026-11-01T05:00:00Z", undefined],
  ])("%# at %s: %s", (schedule, occurrence, note) => {
    expect(occurrenceNote(schedule, Date.parse(occurrence))).toBe(note);
  });
});

test.each([Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, undefined])(
  "%s is no instant to look from",
  (nowMs) => {
    const daily = parseSchedule({ expression: "cron(0 2 * * ? *)" });
    expect(() => scheduleWarnings(daily, nowMs as number)).toThrow(
      `expected an instant in epoch milliseconds, got ${nowMs}`,
    );
  },
);
