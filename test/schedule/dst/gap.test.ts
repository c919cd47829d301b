import { describe, expect, test } from "vitest";
import { next, previous } from "../helpers.ts";

describe("TZ-01: a time that the clock skips has no occurrence", () => {
  test.each([
    ["cron(30 2 * * ? *)", "Europe/Berlin", "2026-03-28T00:00:00Z", ["2026-03-28T01:30:00Z", "2026-03-30T00:30:00Z"]],
    [
      "cron(30 2 * * ? *)",
      "America/New_York",
      "2026-03-07T12:00:00Z",
      ["2026-03-09T06:30:00Z", "2026-03-10T06:30:00Z"],
    ],
    ["cron(30 1 * * ? *)", "Europe/London", "2026-03-28T12:00:00Z", ["2026-03-30T00:30:00Z", "2026-03-31T00:30:00Z"]],
    // Half an hour: 02:00 becomes 02:30.
    [
      "cron(15 2 * * ? *)",
      "Australia/Lord_Howe",
      "2026-10-03T00:00:00Z",
      ["2026-10-04T15:15:00Z", "2026-10-05T15:15:00Z"],
    ],
    // Midnight: 00:00 becomes 01:00.
    ["cron(0 0 * * ? *)", "America/Santiago", "2026-09-05T12:00:00Z", ["2026-09-07T03:00:00Z", "2026-09-08T03:00:00Z"]],
    // A whole day: 30 December 2011 never was.
    ["cron(0 9 * * ? *)", "Pacific/Apia", "2011-12-29T00:00:00Z", ["2011-12-29T19:00:00Z", "2011-12-30T19:00:00Z"]],
    ["cron(0 9 30 12 ? *)", "Pacific/Apia", "2011-01-01T00:00:00Z", ["2012-12-29T19:00:00Z", "2013-12-29T19:00:00Z"]],
  ])("%s in %s after %s", (expression, timeZone, from, expected) => {
    expect(next({ expression, timeZone }, from, 2)).toEqual(expected);
  });

  test("the skipped time is skipped backwards too", () => {
    const nightly = { expression: "cron(30 2 * * ? *)", timeZone: "Europe/Berlin" };
    expect(previous(nightly, "2026-03-30T00:30:00Z", 2)).toEqual(["2026-03-28T01:30:00Z", "2026-03-27T01:30:00Z"]);
  });

  test("the times at both edges of the gap are there", () => {
    const edges = { expression: "cron(0,59 1-3 ? * SUN *)", timeZone: "Europe/Berlin" };
    expect(next(edges, "2026-03-29T00:00:00Z", 3)).toEqual([
      "2026-03-29T00:59:00Z", // 01:59
      "2026-03-29T01:00:00Z", // 03:00
      "2026-03-29T01:59:00Z", // 03:59
    ]);
  });
});
