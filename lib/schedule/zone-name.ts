import { ScheduleError } from "./errors.ts";
import { nearest } from "./nearest.ts";
import { type Zone, zoneOf } from "./zone.ts";
import { ZONE_NAMES } from "./zone-names.ts";

/**
 * The zone a name means. Case is put right (`europe/berlin`), aliases are kept as written (`US/Eastern`): both are names AWS's zone data
 * holds too, and a template must not change with the Node that wrote it.
 */
export function findZone(name: unknown): Zone {
  if (typeof name !== "string")
    throw refused(String(name), "must be the name of a zone as text, such as Europe/Berlin");
  const spelling = ZONE_NAMES.get(name.toLowerCase()) ?? newerName(name);
  if (spelling === undefined) throw refused(name, `is not a zone of the IANA database${intent(name)}`);
  const zone = zoneOf(spelling);
  if (zone === undefined) throw refused(name, "is not in the zone data of this Node; a newer Node has it");
  return zone;
}

/** A zone younger than our list of names, if this runtime knows it by this very spelling. */
function newerName(name: string): string | undefined {
  return /^[A-Z]\w+\/[A-Z][\w/-]+$/.test(name) && Intl.supportedValuesOf("timeZone").includes(name) ? name : undefined;
}

function intent(name: string): string {
  const offset = /^(?:GMT|UTC)?([+-])0?(\d{1,2})(?::?00)?$/i.exec(name);
  if (offset !== null) {
    const reversed = `Etc/GMT${offset[1] === "+" ? "-" : "+"}${offset[2]}`;
    const fixed = ZONE_NAMES.has(reversed.toLowerCase())
      ? `; the fixed offset is ${reversed} (its sign is reversed)`
      : "";
    return `${fixed}; a place such as Europe/Paris follows its clock changes`;
  }
  if (name.trim() === "" || /^local$/i.test(name)) return '; name the place, such as Europe/Berlin, or "UTC"';
  const meant = nearestNames(name);
  return meant.length === 0
    ? '; name the place, such as Europe/Berlin, or "UTC"'
    : `; did you mean ${meant.join(" or ")}?`;
}

/** Zones whose city is this very word, else the zone whose whole name is nearest, else the one whose city is. */
function nearestNames(name: string): string[] {
  const known = [...ZONE_NAMES.values()];
  const word = name.toLowerCase().replaceAll(" ", "_");
  const sameCity = known.filter((candidate) => cityOf(candidate).toLowerCase() === word);
  if (sameCity.length > 0) return sameCity.slice(0, 2);
  // A word of three letters is near to far too many.
  const wholeName = word.length > 4 ? nearest(word, known) : undefined;
  if (wholeName !== undefined) return [wholeName];
  const city = word.length > 4 ? nearest(word, known.map(cityOf)) : undefined;
  return known.filter((candidate) => cityOf(candidate) === city).slice(0, 2);
}

function cityOf(name: string): string {
  return name.slice(name.lastIndexOf("/") + 1);
}

function refused(name: string, why: string): ScheduleError {
  return new ScheduleError("timeZone", name, `timeZone "${name}" ${why}`);
}
