import { describe, expect, test } from "vitest";
import { next, previous, refusal } from "../helpers.ts";

describe("at(yyyy-mm-ddThh:mm:ss)", () => {
  test.each([
    ["UTC", "2030-02-01T15:00:00Z"],
    ["Europe/Berlin", "2030-02-01T14:00:00Z"],
    ["Asia/Kolkata", "2030-02-01T09:30:00Z"],
  ])("is wall-clock time in %s: %s", (timeZone, expected) => {
    const schedule = { expression: "at(2030-02-01T15:00:00)", timeZone };
    expect(next(schedule, "2026-01-01T00:00:00Z", 2)).toEqual([expected]);
    expect(previous(schedule, "2040-01-01T00:00:00Z", 2)).toEqual([expected]);
    expect(next(schedule, expected, 1)).toEqual([]);
    expect(previous(schedule, expected, 1)).toEqual([]);
  });

  test("keeps its seconds", () => {
    expect(next({ expression: "at(2022-12-31T23:59:59)" }, "2022-01-01T00:00:00Z", 1)).toEqual([
      "2022-12-31T23:59:59Z",
    ]);
  });

  test("a time that the clock skips has no occurrence; one shown twice has the first (policy)", () => {
    const timeZone = "Europe/Berlin";
    expect(next({ expression: "at(2026-03-29T02:30:00)", timeZone }, "2026-01-01T00:00:00Z", 1)).toEqual([]);
    expect(next({ expression: "at(2026-10-25T02:30:00)", timeZone }, "2026-01-01T00:00:00Z", 1)).toEqual([
      "2026-10-25T00:30:00Z",
    ]);
  });

  test("AWS ignores its start and end", () => {
    const schedule = {
      expression: "at(2030-02-01T15:00:00)",
      start: "2031-01-01T00:00:00Z",
      end: "2032-01-01T00:00:00Z",
    };
    expect(next(schedule, "2026-01-01T00:00:00Z", 1)).toEqual(["2030-02-01T15:00:00Z"]);
  });

  test.each([
    ["at(2021-12-31T23:59:59Z)", 'timeZone: "UTC"'],
    ["at(2021-12-31T23:59:59+02:00)", "leave out the offset"],
    ["at(2021-12-31)", "at(2021-12-31T00:00:00)"],
    ["at(2021-12-31T23:59)", "at(2021-12-31T23:59:00)"],
    ["at(2026-02-29T00:00:00)", "there is no day 29 in 2026-02"],
    ["at(2026-13-01T00:00:00)", "month 13 is outside 1-12"],
    ["at(2026-01-01T24:00:00)", "24:00:00 is outside"],
    ["at(2200-01-01T00:00:00)", "year 2200 is outside 1970-2199"],
    ["at(2021-12-31 23:59)", "at(2021-12-31T23:59:00)"],
    ["at(tomorrow)", "write yyyy-mm-ddThh:mm:ss"],
    ["at()", "write yyyy-mm-ddThh:mm:ss"],
  ])("%s is refused: %s", (expression, why) => {
    expect(refusal({ expression }).message).toContain(why);
  });

  test.each(["at(2021-13-45)", "at(2021-12-31T25:00)"])(
    "%s: what would be refused as well is not offered",
    (expression) => {
      expect(refusal({ expression }).message).not.toContain("did you mean");
    },
  );
});
