import { describe, expect, test } from "vitest";
import { next, refusal } from "../helpers.ts";

const FROM = "2026-01-01T00:00:00Z"; // a Thursday

describe("ranges and lists", () => {
  test.each([
    ["cron(5,35 14 * * ? *)", ["2026-01-01T14:05:00Z", "2026-01-01T14:35:00Z", "2026-01-02T14:05:00Z"]],
    ["cron(30-30 13-13 ? * 2,4,6 *)", ["2026-01-02T13:30:00Z", "2026-01-05T13:30:00Z", "2026-01-07T13:30:00Z"]],
    ["cron(0 12 30-31 * ? *)", ["2026-01-30T12:00:00Z", "2026-01-31T12:00:00Z", "2026-03-30T12:00:00Z"]],
    ["cron(0 0 1 JAN,JUL-AUG ? *)", ["2026-07-01T00:00:00Z", "2026-08-01T00:00:00Z", "2027-01-01T00:00:00Z"]],
    ["cron(0 0 1 1 ? 2027,2030-2031)", ["2027-01-01T00:00:00Z", "2030-01-01T00:00:00Z", "2031-01-01T00:00:00Z"]],
    ["cron(0 12 ? * 2-MON,6 *)", ["2026-01-02T12:00:00Z", "2026-01-05T12:00:00Z", "2026-01-09T12:00:00Z"]],
  ])("%s", (expression, expected) => {
    expect(next({ expression }, FROM, 3)).toEqual(expected);
  });
});

describe("ranges across the end of a field", () => {
  test.each([
    [
      "cron(0 20-2 * * ? *)",
      ["2026-01-01T01:00:00Z", "2026-01-01T02:00:00Z", "2026-01-01T20:00:00Z"],
      "AWS's own example",
    ],
    ["cron(0 9 ? * FRI-MON *)", ["2026-01-02T09:00:00Z", "2026-01-03T09:00:00Z", "2026-01-04T09:00:00Z"], "policy"],
    ["cron(58-1 0 * * ? *)", ["2026-01-01T00:01:00Z", "2026-01-01T00:58:00Z", "2026-01-01T00:59:00Z"], "policy"],
    ["cron(0 0 1 NOV-FEB ? *)", ["2026-02-01T00:00:00Z", "2026-11-01T00:00:00Z", "2026-12-01T00:00:00Z"], "policy"],
    ["cron(0 20-2/2 * * ? *)", ["2026-01-01T02:00:00Z", "2026-01-01T20:00:00Z", "2026-01-01T22:00:00Z"], "with a step"],
  ])("%s goes on at the start (%s, %s)", (expression, expected) => {
    expect(next({ expression }, FROM, 3)).toEqual(expected);
  });

  test("years do not wrap", () => {
    expect(refusal({ expression: "cron(0 0 1 1 ? 2030-2028)" }).message).toContain("year 2030-2028 runs backwards");
  });
});

describe("what cannot be read", () => {
  test.each(["1-2-3", "*-5", "*,5", "5,", ",5", "-5", "5-", "1.5", "1 5"])("minute %s is refused", (minute) => {
    refusal({ expression: `cron(${minute} 0 * * ? *)` });
  });

  test.each(["-5", "5-", "5,", ",5", "*-5"])("minute %s is named as it was written", (minute) => {
    const error = refusal({ expression: `cron(${minute} 0 * * ? *)` });
    expect(error).toMatchObject({ field: "minute", value: minute });
    expect(error.message).toContain(`minute ${minute} `);
  });
});
