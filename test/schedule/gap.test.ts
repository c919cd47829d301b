import { expect, test } from "vitest";
import { parseSchedule, shortestGapMs } from "../../lib/schedule/index.ts";

const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;
const DAY_MS = 86_400_000;

test.each([
  ["cron(* * * * ? *)", MINUTE_MS, "every minute"],
  ["cron(0/45 * * * ? *)", 15 * MINUTE_MS, "the shorter of two gaps"],
  ["cron(0 * * * ? *)", HOUR_MS, "hourly"],
  ["cron(0 1,20 * * ? *)", 5 * HOUR_MS, "shortest over midnight"],
  ["cron(0 1,20 1 * ? *)", 19 * HOUR_MS, "no two days in a row"],
  ["cron(30 2 * * ? *)", DAY_MS, "daily"],
  ["cron(0 18 ? * MON-FRI *)", DAY_MS, "on neighbouring days"],
  ["cron(0 18 ? * MON *)", 7 * DAY_MS, "weekly"],
  ["cron(0 18 ? * MON,THU *)", 3 * DAY_MS, "twice a week"],
  ["cron(0 0 1 * ? *)", 28 * DAY_MS, "monthly: February is the shortest"],
  ["cron(0 0 31 * ? *)", 31 * DAY_MS, "31 July and 31 August"],
  ["cron(0 0 1 1 ? *)", 365 * DAY_MS, "yearly"],
  ["cron(0 0 29 2 ? *)", 1461 * DAY_MS, "leap days"],
  ["cron(0 0 1 1 ? 2028)", Number.POSITIVE_INFINITY, "only once"],
  ["cron(0 0,6 1 1 ? 2028)", 6 * HOUR_MS, "twice on one day"],
  ["cron(0 0,6 30 2 ? *)", Number.POSITIVE_INFINITY, "never"],
  ["rate(5 minutes)", 5 * MINUTE_MS, "a rate's period"],
  ["at(2030-02-01T15:00:00)", Number.POSITIVE_INFINITY, "only once"],
])("the shortest gap of %s is %i ms (%s)", (expression, gapMs) => {
  expect(shortestGapMs(parseSchedule({ expression, timeZone: "Europe/Berlin" }))).toBe(gapMs);
});
