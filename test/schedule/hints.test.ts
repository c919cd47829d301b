import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { parseSchedule, ScheduleError } from "../../lib/schedule/index.ts";
import { cronExpression } from "./arbitraries.ts";

/** The expressions that a refusal offers, in whatever words. */
function offers(expression: string): string[] {
  try {
    parseSchedule({ expression });
    return [];
  } catch (error) {
    if (!(error instanceof ScheduleError)) throw error;
    // The message begins with what was written.
    const advice = error.message.replace(expression, "");
    return [...advice.matchAll(/(?:cron|rate|at)\((?!\.\.\.\))[^()]*\)/g)].map(([offer]) => offer);
  }
}

const expression = fc.oneof(
  cronExpression(),
  fc.constantFrom(
    "rate(5 minutes)",
    "every 2 hours",
    "1 week",
    "at(2030-02-01T15:00:00)",
    "2030-02-01 15:00",
    "0 0 * * 1",
  ),
);
const slip = fc.constantFrom(
  "",
  " ",
  "*",
  "?",
  "/",
  "-",
  ",",
  "#",
  "L",
  "W",
  "0",
  "7",
  "99",
  "MON",
  "JAN",
  "x",
  "(",
  ")",
);

describe("what a refusal offers", () => {
  test("is accepted itself, whatever slip was made", () => {
    fc.assert(
      fc.property(expression, slip, fc.nat(40), fc.nat(3), (right, inserted, at, dropped) => {
        const wrong = right.slice(0, at) + inserted + right.slice(at + dropped);
        for (const offer of offers(wrong)) expect(parseSchedule({ expression: offer })).toBeDefined();
      }),
      { numRuns: 2000 },
    );
  });

  test("is there for the common slips", () => {
    expect(offers("cron(0 9 * * MON)")).toEqual(["cron(0 9 ? * MON *)"]);
    expect(offers("cron(0 9 1 * MON *)")).toEqual(["cron(0 9 1 * ? *)", "cron(0 9 ? * MON *)"]);
    expect(offers("5 min")).toEqual(["rate(5 minutes)"]);
  });
});
