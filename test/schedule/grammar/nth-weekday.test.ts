import { describe, expect, test } from "vitest";
import { next, refusal } from "../helpers.ts";

describe("#: the nth weekday of the month", () => {
  test.each([
    ["cron(0 2 ? * 3#2 *)", ["2026-01-13", "2026-02-10", "2026-03-10"], "the second Tuesday"],
    ["cron(0 2 ? * SAT#3 *)", ["2026-01-17", "2026-02-21", "2026-03-21"], "by name"],
    ["cron(0 2 ? * 5#1 *)", ["2026-01-01", "2026-02-05", "2026-03-05"], "Thursday the 1st"],
    ["cron(0 2 ? * 2#5 *)", ["2026-03-30", "2026-06-29", "2026-08-31"], "a month without a fifth Monday has none"],
    ["cron(0 2 ? 2 1#5 *)", ["2032-02-29", "2060-02-29", "2088-02-29"], "five Sundays in February"],
  ])("%s: %s (%s)", (expression, days) => {
    expect(next({ expression }, "2025-12-31T12:00:00Z", 3)).toEqual(days.map((day) => `${day}T02:00:00Z`));
  });

  test.each([
    ["3#1,6#3", "must stand alone"],
    ["3#1#2", "must stand alone"],
    ["3#6", "comes 1 to 5"],
    ["3#0", "comes 1 to 5"],
    ["8#1", "is outside 1-7"],
    ["#2", "before `#` comes the weekday"],
    ["3#", "comes 1 to 5"],
    ["MON-FRI#2", "cannot be read"],
  ])("day-of-week %s is refused: %s", (weekDay, why) => {
    expect(refusal({ expression: `cron(0 2 ? * ${weekDay} *)` }).message).toContain(why);
  });
});
