import { probeZoneData, type ZoneDataProbe } from "../schedule/index.ts";
import { instantText } from "./instants.ts";
import type { Finding } from "./types.ts";

/**
 * AWS computes with its own, current zone data; a preview from older data misleads.
 *
 * @param version of the zone data: `process.versions.tz`
 */
export function zoneDataFinding(
  version: string | undefined,
  probes: readonly ZoneDataProbe[] = probeZoneData(),
): Finding {
  const check = "zone data";
  const wrong = probes.find(({ isCurrent }) => !isCurrent);
  if (!wrong) return { check, level: "ok", message: `version ${version}` };
  return {
    check,
    level: "warning",
    message: `version ${version} is older than ${wrong.release}, which changed ${wrong.timeZone}: ${wrong.local} there is ${instantText(wrong.expectedMs)}, and this Node says ${wrong.actualMs === undefined ? "that there is no such zone" : instantText(wrong.actualMs)}`,
    advice: "Update Node: occurrences in such zones are shown, and run locally, at another time than on AWS.",
  };
}
