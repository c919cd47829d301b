import { describe, expect, test } from "vitest";
import { parseSchedule } from "../../../lib/schedule/index.ts";
import { next, refusal } from "../helpers.ts";

const FROM = "2028-01-31T23:00:00Z"; // before a leap February

describe("L", () => {
  test.each([
    ["cron(0 9 L * ? *)", ["2028-02-29", "2028-03-31", "2028-04-30"], "the last day of the month"],
    ["cron(0 9 L 2 ? *)", ["2028-02-29", "2029-02-28", "2030-02-28"], "of February"],
    ["cron(0 9 L-3 * ? *)", ["2028-02-26", "2028-03-28", "2028-04-27"], "policy: days before the last"],
    ["cron(0 9 L-29 * ? *)", ["2028-03-02", "2028-04-01", "2028-05-02"], "policy: a month too short has none"],
    ["cron(0 9 ? * L *)", ["2028-02-05", "2028-02-12", "2028-02-19"], "as a weekday: Saturday"],
    ["cron(0 9 ? * 6L *)", ["2028-02-25", "2028-03-31", "2028-04-28"], "the last Friday"],
    ["cron(0 9 ? * FRIL *)", ["2028-02-25", "2028-03-31", "2028-04-28"], "by name"],
    ["cron(0 9 ? 2 3L *)", ["2028-02-29", "2029-02-27"], "Tuesday 29 February"],
  ])("%s: %s (%s)", (expression, days) => {
    expect(next({ expression }, FROM, days.length)).toEqual(days.map((day) => `${day}T09:00:00Z`));
  });

  test("a name before L is emitted as its number, the only way that AWS documents", () => {
    expect(parseSchedule({ expression: "cron(0 9 ? * FriL *)" }).expression).toBe("cron(0 9 ? * 6L *)");
  });

  test.each(["L,15", "1-L", "L/2", "15L", "L-0", "L-31", "L-3W"])("day-of-month %s is refused", (day) => {
    expect(refusal({ expression: `cron(0 9 ${day} * ? *)` }).field).toBe("day-of-month");
  });

  test.each(["2L,6L", "L,2", "MON-L", "8L", "6L-2"])("day-of-week %s is refused", (weekDay) => {
    expect(refusal({ expression: `cron(0 9 ? * ${weekDay} *)` }).field).toBe("day-of-week");
  });
});
