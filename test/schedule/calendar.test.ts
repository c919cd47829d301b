import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { dateOf, dayNumber, monthLength, weekdayOf } from "../../lib/schedule/calendar.ts";

describe("the calendar", () => {
  test("day 0 is Thursday 1 January 1970", () => {
    expect(dayNumber(1970, 1, 1)).toBe(0);
    expect(weekdayOf(0)).toBe(5);
  });

  test.each([
    [2000, 29],
    [2026, 28],
    [2028, 29],
    [2100, 28],
  ])("February %i has %i days", (year, days) => {
    expect(monthLength(year, 2)).toBe(days);
  });

  test("agrees with JavaScript's UTC dates on every kind of day", () => {
    fc.assert(
      fc.property(fc.integer({ min: -200_000, max: 200_000 }), (day) => {
        const date = new Date(day * 86_400_000);
        const { year, month, day: dayOfMonth } = dateOf(day);
        expect([year, month, dayOfMonth]).toEqual([date.getUTCFullYear(), date.getUTCMonth() + 1, date.getUTCDate()]);
        expect(dayNumber(year, month, dayOfMonth)).toBe(day);
        expect(weekdayOf(day)).toBe(date.getUTCDay() + 1);
        expect(monthLength(year, month)).toBe(new Date(Date.UTC(year, month, 0)).getUTCDate());
      }),
      { numRuns: 2000 },
    );
  });
});
