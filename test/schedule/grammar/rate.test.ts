import { describe, expect, test } from "vitest";
import { nextOccurrence, parseSchedule, previousOccurrence, rate } from "../../../lib/schedule/index.ts";
import { next, previous, refusal } from "../helpers.ts";

describe("CG-05, CG-06: rate(value unit)", () => {
  test.each([
    ["rate(1 minute)", "rate(1 minute)"],
    ["rate(5 minutes)", "rate(5 minutes)"],
    ["rate(1 minutes)", "rate(1 minute)"],
    ["rate(5 minute)", "rate(5 minutes)"],
    ["rate(5 MINUTES)", "rate(5 minutes)"],
    ["rate(24 hours)", "rate(24 hours)"],
    ["rate(1 days)", "rate(1 day)"],
  ])("%s has the strict form %s", (expression, strict) => {
    expect(parseSchedule({ expression }).expression).toBe(strict);
  });

  test.each([
    ["rate(10 seconds)", "the shortest rate is 1 minute"],
    ["rate(1 min)", "did you mean rate(1 minute)?"],
    ["rate(2 hrs)", "did you mean rate(2 hours)?"],
    ["rate(10 minutess)", "did you mean rate(10 minutes)?"],
    ["rate(1 week)", "did you mean rate(7 days)?"],
    ["rate(2 weeks)", "did you mean rate(14 days)?"],
    ["rate(5 m)", "did you mean rate(5 minutes)?"],
    ["rate(5m)", "did you mean rate(5 minutes)?"],
    ["rate(every 5 minutes)", "did you mean rate(5 minutes)?"],
    ["rate(10 years)", "not one of minutes, hours, days"],
    ["rate( 5 minutes )", "leave out the spaces inside the parentheses; did you mean rate(5 minutes)?"],
    [" rate(5 minutes)", "did you mean rate(5 minutes)?"],
    ["rate(-5 minutes)", "not a whole number from 1 up"],
    ["rate(0 minutes)", "not a whole number from 1 up"],
    ["rate(1.5 hours)", "not a whole number from 1 up"],
    ["rate(foo minutes)", "not a whole number from 1 up"],
    ["rate()", "as in rate(5 minutes)"],
    ["rate(10)", "as in rate(5 minutes)"],
    ["rate(99999999999999 days)", "longer than the calendar"],
  ])("%s is refused: %s", (expression, why) => {
    expect(refusal({ expression }).message).toContain(why);
  });

  test.each(["rate(foo mins)", "rate( foo )", "rate(0 mins)", "rate(-5 min)", "rate(99999999999999 weeks)"])(
    "%s: what would be refused as well is not offered",
    (expression) => {
      expect(refusal({ expression }).message).not.toContain("did you mean");
    },
  );

  test.each([
    ["60 seconds", "rate(1 minute)"],
    ["120 seconds", "rate(2 minutes)"],
    ["24 hours", "rate(24 hours)"],
    ["1 minutes", "rate(1 minute)"],
  ])("the author's %s is emitted as %s", (text, strict) => {
    expect(rate(text).expression).toBe(strict);
  });

  test.each(["10 seconds", "30 seconds", "90 seconds", "0 seconds"])("%s are no whole minutes", (text) => {
    expect(refusal(() => rate(text)).message).toContain("the shortest rate is 1 minute, and only whole minutes count");
  });
});

describe("the occurrences of a rate", () => {
  const hourly = { expression: "rate(1 hour)", start: "2026-05-01T00:00:45Z" };

  test("its start is the first, and seconds are kept", () => {
    expect(next(hourly, "2026-04-01T00:00:00Z", 2)).toEqual(["2026-05-01T00:00:45Z", "2026-05-01T01:00:45Z"]);
    expect(previous(hourly, "2026-05-01T02:00:45Z", 3)).toEqual(["2026-05-01T01:00:45Z", "2026-05-01T00:00:45Z"]);
  });

  test("without a start they count from its creation, the anchor", () => {
    const schedule = parseSchedule({ expression: "rate(5 minutes)" }, { anchorMs: 1_000 });
    expect(nextOccurrence(schedule, 0)).toBe(1_000);
    expect(nextOccurrence(schedule, 1_000)).toBe(301_000);
    expect(previousOccurrence(schedule, 301_000)).toBe(1_000);
    expect(previousOccurrence(schedule, 1_000)).toBeUndefined();
  });

  test("with neither nobody can know them, and it says so", () => {
    const schedule = parseSchedule({ expression: "rate(5 minutes)" });
    expect(() => nextOccurrence(schedule, 0)).toThrow("counts from the instant it was created; give it a start");
  });

  test("a day is 24 hours, also when the clocks change", () => {
    const daily = { expression: "rate(1 day)", timeZone: "Europe/Berlin", start: "2026-03-28T01:30:00Z" };
    expect(next(daily, "2026-03-28T01:30:00Z", 2)).toEqual(["2026-03-29T01:30:00Z", "2026-03-30T01:30:00Z"]);
  });
});
