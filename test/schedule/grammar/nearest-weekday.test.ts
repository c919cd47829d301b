import { describe, expect, test } from "vitest";
import { next, refusal } from "../helpers.ts";

describe("W: the Monday to Friday nearest to a day", () => {
  test.each([
    ["cron(0 9 15W * ? *)", "2026-02-01T00:00:00Z", "2026-02-16", "a Sunday moves to Monday"],
    ["cron(0 9 15W * ? *)", "2026-08-01T00:00:00Z", "2026-08-14", "a Saturday moves to Friday"],
    ["cron(0 9 15W * ? *)", "2026-04-01T00:00:00Z", "2026-04-15", "a Wednesday stays"],
    ["cron(0 9 1W * ? *)", "2026-08-01T00:00:00Z", "2026-08-03", "Saturday the 1st does not leave the month"],
    ["cron(0 9 1W * ? *)", "2026-03-01T00:00:00Z", "2026-03-02", "Sunday the 1st moves to Monday"],
    ["cron(0 9 31W 5 ? *)", "2026-05-01T00:00:00Z", "2026-05-29", "Sunday the 31st does not leave the month"],
    ["cron(0 9 31W 10 ? *)", "2026-10-01T00:00:00Z", "2026-10-30", "Saturday the 31st moves to Friday"],
    ["cron(0 9 31W * ? *)", "2026-04-01T00:00:00Z", "2026-05-29", "a month without the day has none"],
    ["cron(0 9 LW * ? *)", "2026-05-01T00:00:00Z", "2026-05-29", "policy: LW is the last weekday"],
    ["cron(0 9 LW * ? *)", "2026-06-01T00:00:00Z", "2026-06-30", "policy: LW on a Tuesday stays"],
  ])("%s after %s is %s (%s)", (expression, from, day) => {
    expect(next({ expression }, from, 1)).toEqual([`${day}T09:00:00Z`]);
  });

  test.each(["15W,20", "1-15W", "W", "W15", "32W", "0W", "15W/2", "WL"])("day-of-month %s is refused", (day) => {
    expect(refusal({ expression: `cron(0 9 ${day} * ? *)` }).field).toBe("day-of-month");
  });

  test("W means nothing among weekdays", () => {
    expect(refusal({ expression: "cron(0 9 ? * 3W *)" }).field).toBe("day-of-week");
  });
});
