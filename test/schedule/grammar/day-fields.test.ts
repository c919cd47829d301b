import { describe, expect, test } from "vitest";
import { parseSchedule } from "../../../lib/schedule/index.ts";
import { refusal } from "../helpers.ts";

describe("CG-02: exactly one of the two day fields is ?", () => {
  test.each([
    ["cron(7 20 * * 1-7 *)", "cron(7 20 ? * 1-7 *)"],
    ["cron(34 12 * * SAT *)", "cron(34 12 ? * SAT *)"],
    ["cron(0 1 * * * *)", "cron(0 1 * * ? *)"],
    ["cron(0 12 1 * MON *)", "cron(0 12 1 * ? *) or cron(0 12 ? * MON *)"],
    ["cron(0 12 ? * ? *)", "cron(0 12 * * ? *)"],
  ])("%s is refused with the corrected line %s", (expression, corrected) => {
    const { message } = refusal({ expression });
    expect(message).toContain("exactly one of the two day fields must be `?`");
    expect(message.endsWith(`write ${corrected}`)).toBe(true);
  });

  test.each(["cron(0 12 ? * MON *)", "cron(0 12 1 * ? *)", "cron(0-59/10 0-23/2 ? * * *)"])(
    "%s is accepted",
    (expression) => {
      expect(parseSchedule({ expression }).expression).toBe(expression);
    },
  );

  test("a name that cannot be read is reported before two filled day fields", () => {
    expect(refusal({ expression: "cron(7 20 * * NOT *)" }).field).toBe("day-of-week");
  });
});

describe("CG-17: ? is only for the two day fields", () => {
  test.each([
    ["cron(0/5 8-17 ? * MON-FRI ?)", "year"],
    ["cron(? 8 * * ? *)", "minute"],
    ["cron(0 ? * * ? *)", "hour"],
    ["cron(0 8 * ? ? *)", "month"],
  ])("%s is refused for its %s", (expression, field) => {
    const error = refusal({ expression });
    expect(error.field).toBe(field);
    expect(error.value).toBe("?");
    expect(error.message).toContain("`?` is only for the two day fields");
  });

  test.each(["cron(0 8 ?,1 * ? *)", "cron(0 8 ? * ?,MON *)", "cron(0 8 1/? * ? *)"])(
    "%s: ? stands alone",
    (expression) => {
      expect(refusal({ expression }).value).toContain("?");
    },
  );
});
