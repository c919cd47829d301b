import { describe, expect, test } from "vitest";
import { next, previous } from "../helpers.ts";

const FROM = "2026-01-01T00:00:00Z";

describe("CG-14: impossible dates answer never", () => {
  test.each([
    "cron(0 0 30 2 ? *)",
    "cron(0 0 31 4,6,9,11 ? *)",
    "cron(0 0 31W 2 ? *)",
    "cron(0 0 29 2 ? 2100)",
    "cron(0 0 ? 2 1#5 2027)",
    "cron(0 0 1 1 ? 2025)",
  ])("%s has no next occurrence", (expression) => {
    expect(next({ expression }, FROM, 1)).toEqual([]);
  });

  test("a date that never was has no previous occurrence either", () => {
    expect(previous({ expression: "cron(0 0 30 2 ? *)" }, FROM, 1)).toEqual([]);
  });

  test("29 February comes in leap years, and not in 2100", () => {
    const leapDay = { expression: "cron(0 0 29 2 ? *)" };
    expect(next(leapDay, FROM, 1)).toEqual(["2028-02-29T00:00:00Z"]);
    expect(next(leapDay, "2096-02-29T00:00:00Z", 1)).toEqual(["2104-02-29T00:00:00Z"]);
  });

  test("the calendar begins with 1970 and ends with 2199", () => {
    const yearly = { expression: "cron(59 23 31 12 ? *)" };
    expect(next(yearly, "2198-12-31T23:59:00Z", 2)).toEqual(["2199-12-31T23:59:00Z"]);
    expect(previous(yearly, "1971-12-31T23:59:00Z", 2)).toEqual(["1970-12-31T23:59:00Z"]);
  });
});
