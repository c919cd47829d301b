import { describe, expect, test } from "vitest";
import type { ScheduleInput } from "../../../lib/schedule/index.ts";
import { refusal } from "../helpers.ts";

describe("text that is no cron(...), rate(...) or at(...) is never a default", () => {
  test.each([
    ["0 12 * * ? *", "did you mean cron(0 12 * * ? *)?"],
    ["5 minutes", "did you mean rate(5 minutes)?"],
    ["2030-02-01T15:00:00", "did you mean at(2030-02-01T15:00:00)?"],
    ["Cron(0 12 * * ? *)", "did you mean cron(0 12 * * ? *)?"],
    ["cron (0 12 * * ? *)", "did you mean cron(0 12 * * ? *)?"],
    ["cron(0 12 * * ? *) ", "did you mean cron(0 12 * * ? *)?"],
    ["cron(0 0 * * ? *", "did you mean cron(0 0 * * ? *)?"],
    ["cron 0 0 * * ? *", "did you mean cron(0 0 * * ? *)?"],
    ["0 0 * * *", "did you mean cron(0 0 * * ? *)?"],
    ["30 2 * * 1", "did you mean cron(30 2 ? * MON *)?"],
    ["@daily", "did you mean cron(0 0 * * ? *)?"],
    ["@hourly", "did you mean cron(0 * * * ? *)?"],
    ["@weekly", "did you mean cron(0 0 ? * SUN *)?"],
    ["every 5 minutes", "did you mean rate(5 minutes)?"],
    ["every day", "did you mean rate(1 day)?"],
    ["@every 5m", "did you mean rate(5 minutes)?"],
    ["rate(5 m", "did you mean rate(5 minutes)?"],
    ["2030-02-01 15:00", "did you mean at(2030-02-01T15:00:00)?"],
    ["2030-02-01", "did you mean at(2030-02-01T00:00:00)?"],
    ["", "must be written as cron(...), rate(...) or at(...)"],
  ])("%j: %s", (expression, hint) => {
    const error = refusal({ expression });
    expect(error).toMatchObject({ code: "INVALID_SCHEDULE", field: "expression", value: expression });
    expect(error.message).toContain(hint);
  });

  test.each([
    "99 0 * * ? *",
    "0 0 * * * * * *",
    "0 0 1 1 1",
    "0 minutes",
    "rate(0 minutes",
    "may",
    "2030-02-30",
    "2030-02-01T15:00:00Z", // without its Z it would be another instant in every zone but UTC
    "Rate()",
    "at noon",
  ])("%j: what would be refused as well is not offered", (expression) => {
    expect(refusal({ expression }).message).toMatch(
      /must be written as cron\(\.\.\.\), rate\(\.\.\.\) or at\(\.\.\.\)$/,
    );
  });

  test.each([undefined, null, 5, {}, Object.create(null)])("%j is refused as well", (expression) => {
    expect(refusal({ expression } as unknown as ScheduleInput).message).toContain("must be text");
  });

  test.each(["cron(0 2 * * ? *)", ["cron(0 2 * * ? *)"], undefined, null])(
    "%j in place of a schedule says how one is made",
    (input) => {
      expect(refusal(input as unknown as ScheduleInput).message).toContain('a schedule is made by cron("0 2 * * ? *")');
    },
  );

  test("a misspelt part is not ignored", () => {
    const misspelt = { expression: "rate(1 hour)", timezone: "Europe/Berlin" } as unknown as ScheduleInput;
    expect(refusal(misspelt).message).toContain("did you mean timeZone?");
  });
});
