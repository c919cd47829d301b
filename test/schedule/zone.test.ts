import { describe, expect, test } from "vitest";
import { localTime, probeZoneData } from "../../lib/schedule/index.ts";
import { offsetAt, zoneOf } from "../../lib/schedule/zone.ts";
import { next } from "./helpers.ts";

const HOUR_MS = 3_600_000;
const WEEK_MS = 604_800_000;

/** The engine keeps a week as at most two stretches of constant offset; a third one would show here. */
test("the kept offsets of every zone are those of Intl, twice a year from 1970 to 2040", () => {
  const wrong: string[] = [];
  Intl.supportedValuesOf("timeZone").forEach((name, i) => {
    const zone = zoneOf(name);
    if (zone === undefined) throw new Error(`Intl names ${name} and does not know it`);
    const clock = new Intl.DateTimeFormat("en-US", {
      timeZone: name,
      dateStyle: "long",
      timeStyle: "medium",
      hourCycle: "h23",
    });
    // Each zone asks about other days of the year and other hours.
    const firstMs = Date.UTC(1970, 0, 1 + (i % 182), i % 24);
    for (let instantMs = firstMs; instantMs < Date.UTC(2040, 0, 1); instantMs += 26 * WEEK_MS + 7 * HOUR_MS) {
      const shownMs = Date.parse(`${clock.format(instantMs).replace(" at ", " ")} UTC`);
      if (shownMs !== instantMs + offsetAt(zone, instantMs)) wrong.push(`${name} ${new Date(instantMs).toISOString()}`);
    }
  });
  expect(wrong).toEqual([]);
});

describe("TZ-09: zone data", () => {
  test("Mexico City has no summer time in 2026", () => {
    const daily = { expression: "cron(0 9 * * ? *)", timeZone: "America/Mexico_City" };
    expect(next(daily, "2026-07-01T00:00:00Z", 1)).toEqual(["2026-07-01T15:00:00Z"]);
  });

  test("the probes compare this runtime with known changes", () => {
    const probes = probeZoneData();
    expect(probes[0]).toEqual({
      timeZone: "America/Mexico_City",
      local: "2026-07-01T09:00:00",
      expectedMs: Date.UTC(2026, 6, 1, 15),
      actualMs: Date.UTC(2026, 6, 1, 15),
      release: "2022f",
      isCurrent: true,
    });
    expect(probes.map((probe) => probe.release)).toEqual(["2022f", "2023c", "2024a", "2025a", "2025b"]);
  });
});

test.each([
  ["2026-03-28T01:30:00Z", "Europe/Berlin", "2026-03-28T02:30:00+01:00"],
  ["2026-03-30T00:30:00Z", "Europe/Berlin", "2026-03-30T02:30:00+02:00"],
  ["2026-03-28T01:30:00Z", "UTC", "2026-03-28T01:30:00+00:00"],
  ["2026-03-28T01:30:00Z", "America/St_Johns", "2026-03-27T23:00:00-02:30"],
  ["2026-03-28T01:30:00Z", "Asia/Kathmandu", "2026-03-28T07:15:00+05:45"],
])("%s in %s is %s", (instant, timeZone, expected) => {
  expect(localTime(Date.parse(instant), timeZone)).toBe(expected);
});
