import fc from "fast-check";
import { expect, test } from "vitest";
import { occurrencesBetween, parseSchedule } from "../../lib/schedule/index.ts";
import { cronExpression, timeZone } from "./arbitraries.ts";
import { minuteByMinute } from "./oracle.ts";

/** One year is half a million questions to `Intl`; all expressions share them. */
const EXPRESSIONS_PER_YEAR = 40;

test("the engine agrees with the clock, minute by minute, in random years and zones", () => {
  const expressions = fc.array(cronExpression(), { minLength: EXPRESSIONS_PER_YEAR, maxLength: EXPRESSIONS_PER_YEAR });
  const year = fc.integer({ min: 1973, max: 2100 });
  const agreement = fc.property(expressions, timeZone(), year, (cronExpressions, zone, inYear) => {
    const [fromMs, toMs] = [Date.UTC(inYear, 0, 1), Date.UTC(inYear + 1, 0, 1)];
    const expected = minuteByMinute(cronExpressions, zone, fromMs, toMs);
    cronExpressions.forEach((expression, i) => {
      const schedule = parseSchedule({ expression, timeZone: zone });
      expect([...occurrencesBetween(schedule, fromMs, toMs)], `${expression} in ${zone}, ${inYear}`).toEqual(
        expected[i],
      );
    });
  });
  // A counterexample names its expression and zone; shrinking would ask for years again.
  fc.assert(agreement, { numRuns: 2, endOnFailure: true });
}, 300_000);
