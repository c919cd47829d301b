import { describe, expect, test } from "vitest";
import { upcoming } from "../../lib/operations/upcoming.ts";

const fromMs = Date.UTC(2026, 2, 28);

describe("the next occurrences", () => {
  test("skip a local time that the clocks jump over, and the one after says so", () => {
    const found = upcoming({ expression: "cron(30 2 * * ? *)", timeZone: "Europe/Berlin" }, { fromMs, count: 2 });

    expect(found.occurrences).toEqual([
      { at: "2026-03-28T01:30:00Z", local: "2026-03-28T02:30:00+01:00" },
      {
        at: "2026-03-30T00:30:00Z",
        local: "2026-03-30T02:30:00+02:00",
        note: "02:30 is skipped on 29 March 2026 (clock change)",
      },
    ]);
  });

  test("start after the instant asked for, not at it", () => {
    const found = upcoming({ expression: "cron(0 0 * * ? *)", timeZone: "UTC" }, { fromMs, count: 1 });

    expect(found.occurrences).toEqual([{ at: "2026-03-29T00:00:00Z", local: "2026-03-29T00:00:00+00:00" }]);
  });

  test("of a rate without a start are counted from the instant asked for, and say so once", () => {
    const found = upcoming({ expression: "rate(6 hours)", timeZone: "UTC" }, { fromMs, count: 2 });

    expect(found.occurrences.map(({ at, note }) => [at, note])).toEqual([
      ["2026-03-28T06:00:00Z", "counted from 2026-03-28T00:00:00Z: a rate counts from its creation"],
      ["2026-03-28T12:00:00Z", undefined],
    ]);
  });

  test("of a rate are counted from its creation where that is known", () => {
    const createdMs = Date.UTC(2026, 2, 27, 23, 45);
    const found = upcoming({ expression: "rate(6 hours)", timeZone: "UTC" }, { fromMs, count: 1, createdMs });

    expect(found.occurrences).toEqual([{ at: "2026-03-28T05:45:00Z", local: "2026-03-28T05:45:00+00:00" }]);
  });

  test("are none for a date that never comes, and a warning says so", () => {
    const found = upcoming({ expression: "cron(0 0 30 2 ? *)", timeZone: "UTC" }, { fromMs, count: 3 });

    expect(found.occurrences).toEqual([]);
    expect(found.warnings).not.toEqual([]);
  });
});
