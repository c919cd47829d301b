import { describe, expect, test } from "vitest";
import { next, refusal } from "../helpers.ts";

const FROM = "2026-05-01T00:00:00Z";

describe("CG-13: a step runs from its start to the end of the field", () => {
  test.each([
    ["cron(0/45 * * * ? *)", FROM, ["00:45", "01:00", "01:45", "02:00"]],
    ["cron(1/10 * * * ? *)", "2026-05-01T00:30:30Z", ["00:31", "00:41", "00:51", "01:01"]],
    ["cron(*/15 * * * ? *)", FROM, ["00:15", "00:30", "00:45", "01:00"]],
    ["cron(0-20/10 * * * ? *)", FROM, ["00:10", "00:20", "01:00", "01:10"]],
    ["cron(50/3 * * * ? *)", FROM, ["00:50", "00:53", "00:56", "00:59"]],
    ["cron(0/30,5 * * * ? *)", FROM, ["00:05", "00:30", "01:00", "01:05"]],
  ])("%s from %s", (expression, from, times) => {
    expect(next({ expression }, from, 4)).toEqual(times.map((time) => `2026-05-01T${time}:00Z`));
  });

  test("cron(0 0/5 * * ? *) starts again at midnight", () => {
    const around = next({ expression: "cron(0 0/5 * * ? *)" }, "2026-05-01T14:00:00Z", 4);
    expect(around).toEqual([
      "2026-05-01T15:00:00Z",
      "2026-05-01T20:00:00Z",
      "2026-05-02T00:00:00Z",
      "2026-05-02T05:00:00Z",
    ]);
  });

  test.each([
    ["cron(0 0 1-31/30 * ? *)", ["2026-05-31T00:00:00Z", "2026-06-01T00:00:00Z"]],
    ["cron(0 0 1 1/6 ? *)", ["2026-07-01T00:00:00Z", "2027-01-01T00:00:00Z"]],
    ["cron(0 0 1 JAN/6 ? *)", ["2026-07-01T00:00:00Z", "2027-01-01T00:00:00Z"]],
    ["cron(0 0 1 1 ? 2026/4)", ["2030-01-01T00:00:00Z", "2034-01-01T00:00:00Z"]],
  ])("%s steps in other fields", (expression, expected) => {
    expect(next({ expression }, FROM, 2)).toEqual(expected);
  });
});

describe("steps that are refused", () => {
  test.each([
    ["cron(*/60 * * * ? *)", "rate(1 hour)"],
    ["cron(0/90 * * * ? *)", "rate(90 minutes)"],
    ["cron(0 */24 * * ? *)", "rate(1 day)"],
    ["cron(0 0/36 * * ? *)", "rate(36 hours)"],
    ["cron(0 0 */31 * ? *)", "rate(31 days)"],
  ])("%s is longer than its field: use %s", (expression, instead) => {
    expect(refusal({ expression }).message).toContain(`for an even interval use ${instead}`);
  });

  test.each(["cron(0 0 1 */12 ? *)", "cron(0 0 1 1 ? 2026/230)", "cron(*/999999999999999999 * * * ? *)"])(
    "%s: there is no such rate",
    (expression) => {
      expect(refusal({ expression }).message).toMatch(/the step must be a whole number from 1 to \d+$/);
    },
  );

  test("a step without a start is told of *", () => {
    expect(refusal({ expression: "cron(/5 * * * ? *)" })).toMatchObject({ field: "minute", value: "/5" });
    expect(refusal({ expression: "cron(/5 * * * ? *)" }).message).toContain("did you mean */5?");
    expect(refusal({ expression: "cron(/60 * * * ? *)" }).message).not.toContain("did you mean");
  });

  test.each(["0/0", "/5", "5/", "0/5/5", "0/x", "0/-5", "0/1.5"])("minute %s", (minute) => {
    expect(refusal({ expression: `cron(${minute} * * * ? *)` }).field).toBe("minute");
  });

  test("of weekdays, which AWS does not list", () => {
    expect(refusal({ expression: "cron(0 8 ? * 2-6/2 *)" }).message).toContain("list the days");
  });
});
