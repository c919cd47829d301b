import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { describeSchedule, parseSchedule } from "../../lib/schedule/index.ts";
import { cronExpression } from "./arbitraries.ts";

describe("a schedule in words", () => {
  test.each([
    ["cron(15 10 ? * 6L 2026-2027)", "At 10:15 on the last Friday of the month, 2026 to 2027"],
    ["cron(30 2 * * ? *)", "At 02:30"],
    ["cron(0 6,12,18 * * ? *)", "At 06:00, 12:00 and 18:00"],
    ["cron(0 8 ? * 1 *)", "At 08:00 on Sunday"],
    ["cron(0 8 ? * 2 *)", "At 08:00 on Monday"],
    ["cron(0 18 ? * MON-FRI *)", "At 18:00 on Monday to Friday"],
    ["cron(0 18 ? * FRI-MON *)", "At 18:00 on Monday and Friday to Sunday"],
    ["cron(0 18 ? 6-8 MON,WED *)", "At 18:00 on Monday and Wednesday in June to August"],
    ["cron(0 2 ? * SAT#3 *)", "At 02:00 on the third Saturday of the month"],
    ["cron(0 2 ? 3 SAT#5 *)", "At 02:00 on the fifth Saturday of March"],
    ["cron(0 2 ? * L *)", "At 02:00 on Saturday"],
    ["cron(0 0 1 JAN,APR,JUL,OCT ? *)", "At 00:00 on day 1 of January, April, July and October"],
    ["cron(0 0 1-5,15 * ? *)", "At 00:00 on days 1 to 5 and 15 of the month"],
    ["cron(0 0 L * ? *)", "At 00:00 on the last day of the month"],
    ["cron(0 0 L-1 2 ? *)", "At 00:00, 1 day before the last day of February"],
    ["cron(0 0 LW * ? *)", "At 00:00 on the last weekday (Monday to Friday) of the month"],
    ["cron(0 0 15W * ? *)", "At 00:00 on the weekday (Monday to Friday) nearest to day 15 of the month"],
    ["cron(0 0 * 12 ? 2028)", "At 00:00 in December, 2028"],
    ["cron(0 0 1 1 ? 2026/2)", "At 00:00 on day 1 of January, every 2 years from 2026 to 2198"],
    ["cron(* * * * ? *)", "Every minute"],
    ["cron(0/15 * * * ? *)", "Every 15 minutes"],
    ["cron(5/15 * * * ? *)", "Every 15 minutes from minute 5 of the hour"],
    ["cron(0/15 8-17 ? * MON-FRI *)", "Every 15 minutes from 08:00 to 17:45 on Monday to Friday"],
    ["cron(0/30 20-2 * * ? *)", "Every 30 minutes from 00:00 to 02:30 and from 20:00 to 23:30"],
    ["cron(0/45 * * * ? *)", "At minutes 0 and 45 of every hour"],
    ["cron(0 * * * ? *)", "At minute 0 of every hour"],
    ["cron(30 */2 * * ? *)", "Every 2 hours from 00:30 to 22:30"],
    ["cron(0 8-17 * * ? *)", "Every hour from 08:00 to 17:00"],
    ["cron(0,20 1-3,7 * * ? *)", "At minutes 0 and 20 of hours 1 to 3 and 7"],
    ["at(2030-02-01T15:00:00)", "Once, on Friday 1 February 2030 at 15:00"],
    ["at(2030-02-01T15:00:30)", "Once, on Friday 1 February 2030 at 15:00:30"],
  ])("%s: %s", (expression, words) => {
    expect(describeSchedule(parseSchedule({ expression, timeZone: "Europe/Berlin" }))).toBe(`${words}, Europe/Berlin`);
  });

  test.each([
    ["rate(1 minute)", "Every minute"],
    ["rate(5 minutes)", "Every 5 minutes"],
    ["rate(1 day)", "Every day"],
  ])("%s: %s, in any zone", (expression, words) => {
    expect(describeSchedule(parseSchedule({ expression, timeZone: "Europe/Berlin" }))).toBe(words);
  });

  test("start, end and window are said too", () => {
    const limits = { start: "2026-05-01T00:00:00Z", end: "2026-06-01T00:00:00Z", flexibleWindowMinutes: 15 };
    expect(describeSchedule(parseSchedule({ expression: "cron(0 2 * * ? *)", ...limits }))).toBe(
      "At 02:00, UTC, from 2026-05-01T00:00:00Z, until 2026-06-01T00:00:00Z, within 15 minutes after the scheduled time",
    );
  });

  test("different schedules have different words", () => {
    const values = new Map<string, string>();
    fc.assert(
      fc.property(cronExpression(), (expression) => {
        const schedule = parseSchedule({ expression });
        if (schedule.kind !== "cron") throw new Error(`${expression} is no cron schedule`);
        const { texts: _, ...matching } = schedule.cron;
        const words = describeSchedule(schedule);
        // "MON" and "2", or "*" and "0-59", match the same and are described the same.
        expect(JSON.stringify(matching), words).toBe(values.get(words) ?? JSON.stringify(matching));
        values.set(words, JSON.stringify(matching));
      }),
      { numRuns: 3000 },
    );
  });
});
