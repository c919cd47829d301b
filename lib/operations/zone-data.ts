import { offsetText } from "./instants.ts";
import type { Finding } from "./types.ts";

/** Changes of the law that old zone data does not know: https://data.iana.org/time-zones/tzdb/NEWS */
const KNOWN_CHANGES = [
  { timeZone: "America/Mexico_City", atMs: Date.UTC(2026, 6, 1), offset: "-06:00", since: "2022f" },
  { timeZone: "Asia/Amman", atMs: Date.UTC(2026, 0, 1), offset: "+03:00", since: "2022f" },
  { timeZone: "Asia/Almaty", atMs: Date.UTC(2026, 0, 1), offset: "+05:00", since: "2024a" },
  { timeZone: "America/Asuncion", atMs: Date.UTC(2026, 6, 1), offset: "-03:00", since: "2024b" },
];

/**
 * AWS computes with its own, current zone data; a preview from older data misleads.
 *
 * @param version of the zone data: `process.versions.tz`
 * @param offsetAt the offset that this data gives a zone
 */
export function zoneDataFinding(version: string | undefined, offsetAt: typeof offsetText = offsetText): Finding {
  const check = "zone data";
  const wrong = KNOWN_CHANGES.find(({ timeZone, atMs, offset }) => offsetAt(atMs, timeZone) !== offset);
  if (!wrong) return { check, level: "ok", message: `version ${version}` };
  return {
    check,
    level: "warning",
    message: `version ${version} is older than a known change: ${wrong.timeZone} is at ${wrong.offset} since ${wrong.since}, this Node says ${offsetAt(wrong.atMs, wrong.timeZone)}`,
    advice: "Update Node: occurrences in such zones are shown, and run locally, at another time than on AWS.",
  };
}
