import { parseAt } from "./at.ts";
import { instantOf, zoneOf } from "./zone.ts";

/** One known change of zone data, and what this runtime knows of it. */
export interface ZoneDataProbe {
  readonly timeZone: string;
  /** A wall-clock time in that zone. */
  readonly local: string;
  /** The instant it is, since the named release of the IANA database. */
  readonly expectedMs: number;
  /** What this runtime makes of it; absent when it does not know the zone. */
  readonly actualMs?: number;
  /** The release that brought the change, such as "2022f". */
  readonly release: string;
  readonly isCurrent: boolean;
}

const LOCAL = "2026-07-01T09:00:00";

/** Laws that old zone data does not know, oldest first; source: the IANA database's NEWS. */
const KNOWN_CHANGES = [
  { timeZone: "America/Mexico_City", release: "2022f", utcHour: 15 },
  { timeZone: "Africa/Cairo", release: "2023c", utcHour: 6 },
  { timeZone: "Asia/Almaty", release: "2024a", utcHour: 4 },
  { timeZone: "America/Asuncion", release: "2025a", utcHour: 12 },
  { timeZone: "America/Coyhaique", release: "2025b", utcHour: 12 },
] as const;

/** Asks this runtime's zone data about known changes; a probe that is not current means that previews may be an hour or more out. */
export function probeZoneData(): ZoneDataProbe[] {
  return KNOWN_CHANGES.map(({ timeZone, release, utcHour }) => {
    const expectedMs = Date.UTC(2026, 6, 1, utcHour);
    const actualMs = instantIn(timeZone);
    const known = actualMs === undefined ? {} : { actualMs };
    return { timeZone, local: LOCAL, expectedMs, ...known, release, isCurrent: actualMs === expectedMs };
  });
}

function instantIn(timeZone: string): number | undefined {
  const zone = zoneOf(timeZone);
  return zone === undefined ? undefined : instantOf(zone, parseAt(LOCAL));
}
