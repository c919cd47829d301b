import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const child = fileURLToPath(new URL("host-zone-child.ts", import.meta.url));

test.each([
  ["America/Los_Angeles", 480],
  ["Asia/Kolkata", -330],
  ["UTC", 0],
])("TZ-15: under TZ=%s every answer is the same", (hostZone, offsetMinutes) => {
  const env = { ...process.env, TZ: hostZone };
  const printed = execFileSync(process.execPath, ["--import", "tsx", child], { env, encoding: "utf8" });
  expect(JSON.parse(printed)).toEqual({
    host: offsetMinutes, // the child did run in that zone
    zoneOfDefault: "UTC",
    utc: ["2026-05-01T12:00:00Z"],
    berlin: ["2026-03-28T01:30:00Z", "2026-03-30T00:30:00Z"],
    at: ["2030-02-01T15:00:00Z"],
    words: "Once, on Friday 1 February 2030 at 00:30, UTC",
    local: "2026-03-28T02:30:00+01:00",
  });
});
