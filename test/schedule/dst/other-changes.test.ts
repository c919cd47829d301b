import { describe, expect, test } from "vitest";
import { next, previous } from "../helpers.ts";

describe("clock changes that are not summer time", () => {
  test("Casablanca stops its summer time for Ramadan", () => {
    const daily = { expression: "cron(0 9 15 * ? *)", timeZone: "Africa/Casablanca" };
    expect(next(daily, "2026-02-01T00:00:00Z", 3)).toEqual([
      "2026-02-15T09:00:00Z", // the second day of the pause
      "2026-03-15T09:00:00Z", // its last days
      "2026-04-15T08:00:00Z",
    ]);
  });

  test("Almaty moved for good on 1 March 2024", () => {
    const daily = { expression: "cron(30 23 * * ? *)", timeZone: "Asia/Almaty" };
    // 00:00 on 1 March became 23:00 on 29 February.
    expect(next(daily, "2024-02-28T18:00:00Z", 2)).toEqual(["2024-02-29T17:30:00Z", "2024-03-01T18:30:00Z"]);
    expect(previous(daily, "2024-03-01T18:30:00Z", 1)).toEqual(["2024-02-29T17:30:00Z"]);
  });

  test("Monrovia was 44 minutes and 30 seconds behind until 1972", () => {
    const daily = { expression: "cron(0 12 * * ? *)", timeZone: "Africa/Monrovia" };
    expect(next(daily, "1972-01-06T00:00:00Z", 2)).toEqual(["1972-01-06T12:44:30Z", "1972-01-07T12:00:00Z"]);
    expect(previous(daily, "1972-01-07T12:00:00Z", 1)).toEqual(["1972-01-06T12:44:30Z"]);
  });

  test("rules go on for as long as the calendar: Berlin in 2150", () => {
    const nightly = { expression: "cron(30 2 ? 3 1L *)", timeZone: "Europe/Berlin" };
    expect(next(nightly, "2150-01-01T00:00:00Z", 1)).toEqual([]);
  });
});

describe("no clock changes", () => {
  test.each([
    ["Asia/Tokyo", "2026-03-06T00:00:00Z"],
    ["Asia/Kolkata", "2026-03-06T03:30:00Z"],
    ["Asia/Kathmandu", "2026-03-06T03:15:00Z"],
    ["Pacific/Kiritimati", "2026-03-05T19:00:00Z"],
    ["Etc/GMT+12", "2026-03-06T21:00:00Z"],
  ])("09:00 on Friday 6 March 2026 in %s is %s", (timeZone, expected) => {
    expect(next({ expression: "cron(0 9 6 3 ? 2026)", timeZone }, "2026-01-01T00:00:00Z", 2)).toEqual([expected]);
  });
});

describe("the local calendar", () => {
  test("the last day of the month is the zone's", () => {
    const monthEnd = { expression: "cron(0 23 L * ? *)", timeZone: "Asia/Shanghai" };
    expect(next(monthEnd, "2026-02-01T00:00:00Z", 2)).toEqual(["2026-02-28T15:00:00Z", "2026-03-31T15:00:00Z"]);
  });

  test("TZ-14: a step over the night keeps its hours in Melbourne", () => {
    const steps = { expression: "cron(0/30 3-4 * * ? *)", timeZone: "Australia/Melbourne" };
    expect(next(steps, "2026-10-03T18:00:00Z", 3)).toEqual([
      "2026-10-04T16:00:00Z", // 03:00 on 5 October; 4 October began an hour sooner
      "2026-10-04T16:30:00Z",
      "2026-10-04T17:00:00Z",
    ]);
  });
});
