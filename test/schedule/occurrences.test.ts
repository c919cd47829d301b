import { describe, expect, test } from "vitest";
import { nextOccurrence, occurrencesBetween, parseSchedule, previousOccurrence } from "../../lib/schedule/index.ts";
import { next, previous } from "./helpers.ts";

const daily = parseSchedule({ expression: "cron(0 2 * * ? *)" });

describe("between", () => {
  test("OP-06: holds the start and not the end", () => {
    const days = [...occurrencesBetween(daily, Date.parse("2026-05-01T02:00:00Z"), Date.parse("2026-05-04T02:00:00Z"))];
    expect(days.map((ms) => new Date(ms).toISOString().slice(0, 10))).toEqual([
      "2026-05-01",
      "2026-05-02",
      "2026-05-03",
    ]);
  });

  test("is empty when the end is not after the start", () => {
    expect([...occurrencesBetween(daily, Date.UTC(2026, 4, 4), Date.UTC(2026, 4, 1))]).toEqual([]);
  });

  test("is lazy: the first of endlessly many costs no more than one", () => {
    const everyMinute = parseSchedule({ expression: "cron(* * * * ? *)" });
    const endless = occurrencesBetween(everyMinute, 0, Number.POSITIVE_INFINITY);
    expect(endless.next().value).toBe(0);
    expect(endless.next().value).toBe(60_000);
  });
});

describe("start and end", () => {
  const limited = { expression: "cron(0 2 * * ? *)", start: "2026-05-02T02:00:00Z", end: "2026-05-03T02:00:00Z" };

  test("an occurrence on either is in", () => {
    expect(next(limited, "2026-01-01T00:00:00Z", 5)).toEqual(["2026-05-02T02:00:00Z", "2026-05-03T02:00:00Z"]);
    expect(previous(limited, "2027-01-01T00:00:00Z", 5)).toEqual(["2026-05-03T02:00:00Z", "2026-05-02T02:00:00Z"]);
  });

  test("they are UTC, whatever the zone", () => {
    const berlin = { ...limited, timeZone: "Europe/Berlin" };
    expect(next(berlin, "2026-01-01T00:00:00Z", 5)).toEqual(["2026-05-03T00:00:00Z"]);
  });
});

describe("any number is an instant, except none", () => {
  test("the far past and future have the calendar's ends", () => {
    expect(nextOccurrence(daily, Number.NEGATIVE_INFINITY)).toBe(Date.UTC(1970, 0, 1, 2));
    expect(previousOccurrence(daily, Number.POSITIVE_INFINITY)).toBe(Date.UTC(2199, 11, 31, 2));
    expect(nextOccurrence(daily, Number.POSITIVE_INFINITY)).toBeUndefined();
    expect(previousOccurrence(daily, Number.NEGATIVE_INFINITY)).toBeUndefined();
  });

  test("fractions of a millisecond do not move an occurrence", () => {
    const occurrence = Date.UTC(2026, 4, 1, 2);
    expect(nextOccurrence(daily, occurrence - 0.5)).toBe(occurrence);
    expect(previousOccurrence(daily, occurrence + 0.5)).toBe(occurrence);
  });

  test.each([Number.NaN, undefined, null, "2026-05-01"])("%j is refused", (none) => {
    const hourly = parseSchedule({ expression: "rate(1 hour)" }, { anchorMs: 0 });
    for (const schedule of [daily, hourly]) {
      expect(() => nextOccurrence(schedule, none as number)).toThrow(RangeError);
      expect(() => previousOccurrence(schedule, none as number)).toThrow(RangeError);
      expect(() => occurrencesBetween(schedule, 0, none as number).next()).toThrow(RangeError);
    }
  });

  test.each([Number.NaN, Number.POSITIVE_INFINITY, null])("%j is nothing that a rate could count from", (anchorMs) => {
    expect(() => parseSchedule({ expression: "rate(1 hour)" }, { anchorMs: anchorMs as number })).toThrow(RangeError);
  });
});
