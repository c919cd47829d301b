import { describe, expect, test } from "vitest";
import { parseSchedule } from "../../../lib/schedule/index.ts";
import { next, refusal } from "../helpers.ts";

const FROM = "2026-01-01T00:00:00Z";

describe("CG-08: weekday 1 is Sunday", () => {
  test.each([
    ["cron(0 12 ? * 2 *)", "2026-01-05T12:00:00Z", "Monday"],
    ["cron(45 5 ? * 7 *)", "2026-01-03T05:45:00Z", "Saturday"],
    ["cron(0 8 ? * 1 *)", "2026-01-04T08:00:00Z", "Sunday"],
    ["cron(0 8 ? * SUN *)", "2026-01-04T08:00:00Z", "by name"],
    ["cron(0 8 ? * L *)", "2026-01-03T08:00:00Z", "L is Saturday, the last day of the week"],
  ])("%s comes next on %s (%s)", (expression, expected) => {
    expect(next({ expression }, FROM, 1)).toEqual([expected]);
  });
});

describe("names", () => {
  test.each([
    ["cron(0 8 ? jan-mar mon-fri *)", "cron(0 8 ? JAN-MAR MON-FRI *)"],
    ["cron(0 8 ? * Sat#3 *)", "cron(0 8 ? * SAT#3 *)"],
    ["cron(0 8 lw * ? *)", "cron(0 8 LW * ? *)"],
    ["cron(00 08 01 01 ? 2026)", "cron(0 8 1 1 ? 2026)"],
  ])("%s has the strict form %s", (expression, strict) => {
    expect(parseSchedule({ expression }).expression).toBe(strict);
  });

  test.each([
    ["cron(0 12 ? * MONDAY *)", "did you mean MON?"],
    ["cron(0 12 1 JANUARY ? *)", "did you mean JAN?"],
    ["cron(0 12 ? * TEU *)", "did you mean TUE?"],
    ["cron(0 dummy ? * MON-FRI *)", "hour DUMMY cannot be read; allowed: 0-23"],
    ["cron(MON 12 * * ? *)", "minute MON cannot be read"],
  ])("%s: %s", (expression, hint) => {
    expect(refusal({ expression }).message).toContain(hint);
  });
});
