import { expect, test } from "vitest";
import { zoneDataFinding } from "../../lib/operations/zone-data.ts";

test("the zone data of this Node knows all the changes that are looked at (TZ-09)", () => {
  expect(zoneDataFinding("2025c")).toEqual({ check: "zone data", level: "ok", message: "version 2025c" });
});

test("zone data from before Mexico gave up summer time is warned of, with the zone and what to do (TZ-09)", () => {
  const before2022f = (_ms: number, timeZone: string) => (timeZone === "America/Mexico_City" ? "-05:00" : "+00:00");

  expect(zoneDataFinding("2021a", before2022f)).toMatchObject({
    level: "warning",
    message: expect.stringMatching(/2021a.*America\/Mexico_City.*-06:00.*-05:00/),
    advice: expect.stringContaining("Update Node"),
  });
});
