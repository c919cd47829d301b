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

  test.each(["cron(0 12 1 99 MON *)", "cron(0 12 ? * ? 2200)"])(
    "%s: no line is offered while another field is wrong",
    (expression) => {
      expect(refusal({ expression }).message).not.toContain("write cron(");
    },
  );

  test("a name that cannot be read is reported before two filled day fields", () => {
    expect(refusal({ expression: "cron(7 20 * * NOT *)" }).field).toBe("day-of-week");
  });
});

describe("a day in the other day field", () => {
  test.each([
    ["cron(0 9 6L * ? *)", "day-of-month 6L is a day-of-week", "cron(0 9 ? * 6L *)"],
    ["cron(0 9 fril * * *)", "day-of-month FRIL is a day-of-week", "cron(0 9 ? * FRIL *)"],
    ["cron(0 9 MON-FRI * ? *)", "day-of-month MON-FRI is a day-of-week", "cron(0 9 ? * MON-FRI *)"],
    ["cron(0 9 6#3 * * *)", "day-of-month 6#3 is a day-of-week", "cron(0 9 ? * 6#3 *)"],
    ["cron(0 9 ? * 15W *)", "day-of-week 15W is a day-of-month", "cron(0 9 15W * ? *)"],
    ["cron(0 9 * * LW *)", "day-of-week LW is a day-of-month", "cron(0 9 LW * ? *)"],
  ])("%s: %s, in %s", (expression, what, line) => {
    expect(refusal({ expression }).message).toContain(`${what}; did you mean ${line}?`);
    expect(parseSchedule({ expression: line }).kind).toBe("cron");
  });

  test.each(["cron(0 9 MON-FRI * 6 *)", "cron(0 9 XL * ? *)", "cron(0 9 ? * 8 *)"])(
    "%s has none to offer",
    (expression) => {
      expect(refusal({ expression }).message).not.toContain("did you mean");
    },
  );
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
