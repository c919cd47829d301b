import { describe, expect, test } from "vitest";
import { parseSchedule } from "../../../lib/schedule/index.ts";
import { refusal } from "../helpers.ts";

/** What the real service was recorded to do: rules on 2024-05-14 and 2025-01-22, Scheduler on 2025-01-26 and 2026-01-17. */
describe("accepted by AWS", () => {
  test.each([
    "cron(0 2 ? * SAT *)",
    "cron(0 12 * * ? *)",
    "cron(5,35 14 * * ? *)",
    "cron(15 10 ? * 6L 2002-2005)",
    "cron(0 2 ? * SAT#3 *)",
    "cron(* * ? * SAT#3 *)",
    "cron(0/5 5 ? JAN 1-5 2022)",
    "cron(0 10 * * ? *)",
    "cron(15 12 * * ? *)",
    "cron(0 18 ? * MON-FRI *)",
    "cron(0 8 1 * ? *)",
    "cron(0/15 * * * ? *)",
    "cron(0/10 * ? * MON-FRI *)",
    "cron(0/5 8-17 ? * MON-FRI *)",
    "cron(0/30 20-23 ? * MON-FRI *)",
    "cron(0/30 0-2 ? * MON-FRI *)",
    "cron(0-15/1 8-8 ? * 2,3,4,5,6,7 *)",
    "cron(30-30 13-13 ? * 2,4,6 *)",
    "cron(1-31/30 1-1 ? * 1,7 *)",
    "cron(*/15 * * * ? *)",
    "cron(0-59/10 0-23/2 ? * * *)",
    "rate(1 minute)",
    "at(2022-12-31T23:59:59)",
  ])("%s, and emitted unchanged", (expression) => {
    expect(parseSchedule({ expression }).expression).toBe(expression);
  });
});

describe("rejected by Scheduler", () => {
  test.each([
    "cron(0 1 * * * *)",
    "cron(7 20 * * NOT *)",
    "cron(INVALID)",
    "cron(0 dummy ? * MON-FRI *)",
    "cron(71 8 1 * ? *)",
    "cron()",
    "rate(10 seconds)",
    "rate(10 years)",
    "rate()",
    "rate(10)",
    "rate(10 minutess)",
    "rate(foo minutes)",
    "rate(-10 minutes)",
    "rate( 10 minutes )",
    " rate(10 minutes)",
    "at(2021-12-31T23:59:59Z)",
    "at(2021-12-31)",
  ])("%j", (expression) => {
    refusal({ expression });
  });
});

describe("rejected by rules only: never emitted", () => {
  test.each([
    ["rate(1 minutes)", "rate(1 minute)"],
    ["rate(1 hours)", "rate(1 hour)"],
    ["rate(1 days)", "rate(1 day)"],
    ["rate(10 minute)", "rate(10 minutes)"],
    ["rate(10 hour)", "rate(10 hours)"],
    ["rate(10 day)", "rate(10 days)"],
    ["rate(10 MINUTES)", "rate(10 minutes)"],
  ])("%s becomes %s", (expression, strict) => {
    expect(parseSchedule({ expression }).expression).toBe(strict);
  });
});
