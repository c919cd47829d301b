import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  nextOccurrence,
  occurrencesBetween,
  parseSchedule,
  previousOccurrence,
  type Schedule,
} from "../../lib/schedule/index.ts";
import { cronExpression, instantMs, timeZone } from "./arbitraries.ts";

const schedule: fc.Arbitrary<Schedule> = fc
  .tuple(cronExpression(), timeZone())
  .map(([expression, zone]) => parseSchedule({ expression, timeZone: zone }));

/** The days around clock changes are where engines differ. */
const nearChange = fc
  .tuple(
    fc.constantFrom("2026-03-29T01:00:00Z", "2026-10-25T01:00:00Z", "2026-11-01T06:00:00Z", "2011-12-30T10:00:00Z"),
  )
  .chain(([change]) => fc.integer({ min: -7_200_000, max: 7_200_000 }).map((offset) => Date.parse(change) + offset));
const instant = fc.oneof(instantMs(), nearChange);

describe("for every schedule and instant", () => {
  test("the strict form is accepted again and stays as it is", () => {
    fc.assert(
      fc.property(schedule, ({ expression, timeZone: zone }) => {
        expect(parseSchedule({ expression, timeZone: zone }).expression).toBe(expression);
      }),
    );
  });

  test("next is later, previous is earlier, and asking later never gives an earlier answer", () => {
    fc.assert(
      fc.property(schedule, instant, fc.nat(1e9), (any, from, more) => {
        const next = nextOccurrence(any, from) ?? Number.POSITIVE_INFINITY;
        expect(next).toBeGreaterThan(from);
        expect(previousOccurrence(any, from) ?? Number.NEGATIVE_INFINITY).toBeLessThan(from);
        expect(nextOccurrence(any, from + more) ?? Number.POSITIVE_INFINITY).toBeGreaterThanOrEqual(next);
      }),
    );
  });

  test("previous is the inverse of next", () => {
    fc.assert(
      fc.property(schedule, instant, (any, from) => {
        const next = nextOccurrence(any, from);
        const previous = previousOccurrence(any, next ?? from + 1);
        expect(previous ?? Number.NEGATIVE_INFINITY).toBeLessThanOrEqual(from);
        if (previous !== undefined) expect(nextOccurrence(any, previous)).toBe(next);
        if (next !== undefined) expect(previousOccurrence(any, next + 1)).toBe(next);
      }),
    );
  });

  test("between equals iterated next, with the start and without the end", () => {
    fc.assert(
      fc.property(schedule, instant, (any, from) => {
        const first = nextOccurrence(any, from);
        const second = first === undefined ? undefined : nextOccurrence(any, first);
        if (first === undefined || second === undefined) return;
        expect([...occurrencesBetween(any, first, second)]).toEqual([first]);
        expect([...occurrencesBetween(any, first, second + 1)]).toEqual([first, second]);
        expect([...occurrencesBetween(any, first + 1, second)]).toEqual([]);
      }),
    );
  });

  test("start and end cut, and change nothing between", () => {
    fc.assert(
      fc.property(cronExpression(), timeZone(), instantMs(), fc.nat(1000), (expression, zone, from, days) => {
        const startMs = Math.floor(from / 1000) * 1000;
        const endMs = startMs + (days + 1) * 86_400_000;
        const limits = { start: new Date(startMs).toISOString(), end: new Date(endMs).toISOString() };
        const limited = parseSchedule({ expression, timeZone: zone, ...limits });
        const free = parseSchedule({ expression, timeZone: zone });
        const first = nextOccurrence(free, startMs - 1);
        expect(nextOccurrence(limited, 0)).toBe(first !== undefined && first <= endMs ? first : undefined);
        const last = previousOccurrence(free, endMs + 1);
        expect(previousOccurrence(limited, endMs * 2)).toBe(last !== undefined && last >= startMs ? last : undefined);
      }),
    );
  });
});
