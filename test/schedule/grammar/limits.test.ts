import { describe, expect, test } from "vitest";
import { parseSchedule } from "../../../lib/schedule/index.ts";
import { refusal } from "../helpers.ts";

describe("the limits of each field", () => {
  test.each([
    ["minute", "cron(0 0 * * ? *)", "cron(59 0 * * ? *)", "cron(60 0 * * ? *)", "0-59"],
    ["hour", "cron(0 0 * * ? *)", "cron(0 23 * * ? *)", "cron(0 24 * * ? *)", "0-23"],
    ["day-of-month", "cron(0 0 1 * ? *)", "cron(0 0 31 * ? *)", "cron(0 0 32 * ? *)", "1-31"],
    ["month", "cron(0 0 1 1 ? *)", "cron(0 0 1 12 ? *)", "cron(0 0 1 13 ? *)", "1-12"],
    ["day-of-week", "cron(0 0 ? * 1 *)", "cron(0 0 ? * 7 *)", "cron(0 0 ? * 8 *)", "1-7, 1 = Sunday"],
    ["year", "cron(0 0 1 1 ? 1970)", "cron(0 0 1 1 ? 2199)", "cron(0 0 1 1 ? 2200)", "1970-2199"],
  ])("%s: %s and %s are accepted, %s is refused with %s", (field, lowest, highest, beyond, allowed) => {
    expect(parseSchedule({ expression: lowest }).expression).toBe(lowest);
    expect(parseSchedule({ expression: highest }).expression).toBe(highest);
    const error = refusal({ expression: beyond });
    expect(error.field).toBe(field);
    expect(error.message).toContain(`is outside ${allowed}`);
  });

  test.each([
    ["cron(0 0 0 * ? *)", "day-of-month"],
    ["cron(0 0 1 0 ? *)", "month"],
    ["cron(0 0 ? * 0 *)", "day-of-week"],
    ["cron(0 0 1 1 ? 1969)", "year"],
  ])("%s lies below its %s", (expression, field) => {
    expect(refusal({ expression }).field).toBe(field);
  });

  test("CG-08: weekday 0 is told that Sunday is 1", () => {
    expect(refusal({ expression: "cron(0 8 ? * 0 *)" }).message).toContain(
      "1-7, 1 = Sunday, or SUN-SAT; Sunday is 1 or SUN",
    );
  });

  test("CG-05: an hour that can only be a minute asks about a seconds field", () => {
    const { message } = refusal({ expression: "cron(0 50 0,6,12,18 * ? *)" });
    expect(message).toContain("hour 50 is outside 0-23; did you write a seconds field?");
  });

  test("hour 24 is told that midnight is 0", () => {
    expect(refusal({ expression: "cron(0 24 * * ? *)" }).message).toContain("midnight is hour 0");
  });

  test("an expression of more than 256 characters is refused", () => {
    const minutes = Array.from({ length: 100 }, () => "10").join(",");
    expect(refusal({ expression: `cron(${minutes} * * * ? *)` }).message).toContain("AWS allows 256");
  });
});
