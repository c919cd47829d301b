import { describe, expect, test } from "vitest";
import { next, previous } from "../helpers.ts";

describe("TZ-02: a time that the clock shows twice has one occurrence, before the shift", () => {
  test.each([
    [
      "cron(30 1 * * ? *)",
      "America/New_York",
      "2026-10-31T12:00:00Z",
      ["2026-11-01T05:30:00Z", "2026-11-02T06:30:00Z"],
    ],
    ["cron(15 2 ? * SUN *)", "Europe/Berlin", "2026-10-18T12:00:00Z", ["2026-10-25T00:15:00Z", "2026-11-01T01:15:00Z"]],
    // Half an hour: 02:00 becomes 01:30.
    [
      "cron(45 1 * * ? *)",
      "Australia/Lord_Howe",
      "2026-04-04T00:00:00Z",
      ["2026-04-04T14:45:00Z", "2026-04-05T15:15:00Z"],
    ],
    // Back over midnight: 24:00 of Saturday becomes 23:00 of the same day.
    [
      "cron(30 23 * * ? *)",
      "America/Santiago",
      "2026-04-04T12:00:00Z",
      ["2026-04-05T02:30:00Z", "2026-04-06T03:30:00Z"],
    ],
    // Two hours.
    [
      "cron(30 1 * * ? *)",
      "Antarctica/Troll",
      "2026-10-24T12:00:00Z",
      ["2026-10-24T23:30:00Z", "2026-10-26T01:30:00Z"],
    ],
  ])("%s in %s after %s", (expression, timeZone, from, expected) => {
    expect(next({ expression, timeZone }, from, 2)).toEqual(expected);
  });

  const halfHourly = { expression: "cron(0/30 0-3 * * ? *)", timeZone: "America/New_York" };

  test("an instant within the repeated hour goes on after it, and back before it", () => {
    // 06:10Z is 01:10 for the second time.
    expect(next(halfHourly, "2026-11-01T06:10:00Z", 2)).toEqual(["2026-11-01T07:00:00Z", "2026-11-01T07:30:00Z"]);
    expect(previous(halfHourly, "2026-11-01T06:10:00Z", 2)).toEqual(["2026-11-01T05:30:00Z", "2026-11-01T05:00:00Z"]);
  });

  test("policy: a frequent schedule does not run in the repeated hour either", () => {
    const hourly = { expression: "cron(0 * * * ? *)", timeZone: "America/New_York" };
    expect(next(hourly, "2026-11-01T04:30:00Z", 3)).toEqual([
      "2026-11-01T05:00:00Z", // 01:00, before the shift
      "2026-11-01T07:00:00Z", // 02:00
      "2026-11-01T08:00:00Z",
    ]);
    expect(previous(hourly, "2026-11-01T07:00:00Z", 1)).toEqual(["2026-11-01T05:00:00Z"]);
  });
});
