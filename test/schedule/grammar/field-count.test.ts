import { describe, expect, test } from "vitest";
import { parseSchedule } from "../../../lib/schedule/index.ts";
import { refusal } from "../helpers.ts";

describe("CG-01: a cron expression has six fields", () => {
  test.each([
    ["cron(0 12 * * ?)", 5, "cron(0 12 * * ? *)", "EventBridge's own without the year"],
    ["cron(*/5 * * * *)", 5, "cron(*/5 * * * ? *)", "a crontab line"],
    ["cron(0 12 * * 1)", 5, "cron(0 12 ? * MON *)", "a crontab's 1 is Monday"],
    ["cron(0 12 1 * *)", 5, "cron(0 12 1 * ? *)", "a crontab's day of the month"],
    ["cron(@daily)", 1, "cron(0 0 * * ? *)", "a crontab's nickname"],
    ["cron(0 0 12 * * ? *)", 7, "cron(0 12 * * ? *)", "Quartz with seconds"],
  ])("%s has %i; offers %s (%s)", (expression, count, corrected) => {
    const { message, field } = refusal({ expression });
    expect(field).toBe("expression");
    expect(message).toContain(`${count} field${count === 1 ? "" : "s"} found, six are needed`);
    expect(message).toContain("minute hour day-of-month month day-of-week year");
    expect(message).toContain(corrected);
  });

  test.each([
    ["cron()", "0 fields"],
    ["cron(INVALID)", "1 field "],
    ["cron(99 12 * * ?)", "5 fields"],
  ])("%s has no line to offer", (expression, count) => {
    const { message } = refusal({ expression });
    expect(message).toContain(count);
    expect(message).not.toMatch(/\): .*cron\(/);
  });

  test("any white space separates fields, and the strict form has single spaces", () => {
    expect(parseSchedule({ expression: "cron( 0  12 *\t* ? * )" }).expression).toBe("cron(0 12 * * ? *)");
  });
});
