import { ScheduleError } from "./errors.ts";
import { nearest } from "./nearest.ts";
import { shown } from "./shown.ts";
import { type Zone, zoneOf } from "./zone.ts";
import { ZONE_NAMES } from "./zone-names.ts";

/**
 * The zone a name means. Case is put right (`europe/berlin`), aliases are kept as written (`US/Eastern`): both are names AWS's zone data
 * holds too, and a template must not change with the Node that wrote it.
 */
export function findZone(name: unknown): Zone {
  if (typeof name !== "string") throw refused(name, "must be the name of a zone as text, such as Europe/Berlin");
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
  const offset = /^(?:GMT|UTC)?([+-])0?(\d{1,2})(?::?(\d\d))?$/i.exec(name);
  if (offset !== null) return fixedOffset(offset);
  const meant = /^(local)?$/i.test(name.trim()) ? [] : nearestZones(name);
  return meant.length === 0 ? `; ${NAME_A_PLACE}` : `; did you mean ${meant.join(" or ")}?`;
}

const NAME_A_PLACE = 'name the place, such as Europe/Berlin, or "UTC"';

function fixedOffset([, sign, hours, minutes = "00"]: readonly string[]): string {
  const reversed = `Etc/GMT${sign === "+" ? "-" : "+"}${hours}`;
  if (minutes !== "00" || !ZONE_NAMES.has(reversed.toLowerCase())) return `; ${NAME_A_PLACE}`;
  return `; the fixed offset is ${reversed} (its sign is reversed); a place such as Europe/Paris follows its clock changes`;
}

/** Zones whose city is this very word, else those whose city is nearest: in the area that is named, else in any. */
function nearestZones(name: string): string[] {
  const word = cityOf(name).toLowerCase().trim().replaceAll(" ", "_");
  const sameCity = placesIn("").filter((place) => place.word === word);
  if (sameCity.length > 0) return zonesOf(sameCity);
  // A word of three letters is near to far too many, and numbers are no misspelling.
  if (word.length < 5 || /\d/.test(word)) return [];
  for (const area of [areaOf(name), ""]) {
    const places = placesIn(area);
    const city = nearest(
      word,
      places.map((place) => place.word),
    );
    if (city !== undefined) return zonesOf(places.filter((place) => place.word === city));
  }
  return [];
}

interface Place {
  readonly word: string;
  readonly zone: string;
}

function placesIn(area: string): Place[] {
  const cities = [...ZONE_NAMES.values()].map((zone) => ({ word: cityOf(zone).toLowerCase(), zone }));
  return [...cities, ...OTHER_WORDS].filter(({ zone }) => zone.toLowerCase().startsWith(area));
}

/** Words that people write and the IANA database does not hold. */
const OTHER_WORDS: readonly Place[] = [
  ["pst", "America/Los_Angeles"],
  ["pdt", "America/Los_Angeles"],
  ["mdt", "America/Denver"],
  ["cst", "America/Chicago"],
  ["cdt", "America/Chicago"],
  ["edt", "America/New_York"],
  ["bst", "Europe/London"],
  ["cest", "Europe/Berlin"],
  ["eest", "Europe/Helsinki"],
  ["ist", "Asia/Kolkata"],
  ["india", "Asia/Kolkata"],
  ["jst", "Asia/Tokyo"],
  ["china", "Asia/Shanghai"],
  ["beijing", "Asia/Shanghai"],
  ["hanoi", "Asia/Ho_Chi_Minh"],
].map(([word = "", zone = ""]) => ({ word, zone }));

function zonesOf(places: readonly Place[]): string[] {
  return places.slice(0, 2).map(({ zone }) => zone);
}

function cityOf(name: string): string {
  return name.slice(name.lastIndexOf("/") + 1);
}

/** "europe/" */
function areaOf(name: string): string {
  return name.slice(0, name.indexOf("/") + 1).toLowerCase();
}

function refused(name: unknown, why: string): ScheduleError {
  return new ScheduleError("timeZone", name, `timeZone ${shown(name)} ${why}`);
}
