import { expect, test } from "vitest";
import { zoneDataFinding } from "../../lib/operations/zone-data.ts";

test("the zone data of this Node knows all the changes that are looked at (TZ-09)", () => {
  expect(zoneDataFinding("2025c")).toEqual({ check: "zone data", level: "ok", message: "version 2025c" });
});

test("zone data from before Mexico gave up summer time is warned of, with the zone and what to do (TZ-09)", () => {
  const before2022f = {
    timeZone: "America/Mexico_City",
    local: "2026-07-01T09:00:00",
    expectedMs: Date.UTC(2026, 6, 1, 15),
    actualMs: Date.UTC(2026, 6, 1, 14),
    release: "2022f",
    isCurrent: false,
  };

  expect(zoneDataFinding("2021a", [before2022f])).toMatchObject({
    level: "warning",
    message:
      "version 2021a is older than 2022f, which changed America/Mexico_City: 2026-07-01T09:00:00 there is 2026-07-01T15:00:00Z, and this Node says 2026-07-01T14:00:00Z",
    advice: expect.stringContaining("Update Node"),
  });
});
