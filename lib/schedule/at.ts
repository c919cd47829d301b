import { DAY_MS, dayNumber, monthLength } from "./calendar.ts";
import { firstAccepted, ScheduleError } from "./errors.ts";
import { YEAR } from "./fields.ts";

const WALL_CLOCK = /^(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d):(\d\d)$/;

/** Reads what stands between the parentheses of `at(...)`: wall-clock text, returned as a reading. */
export function parseAt(body: string): number {
  if (!WALL_CLOCK.test(body)) throw new ScheduleError("at", body, `write yyyy-mm-ddThh:mm:ss${intent(body)}`);
  const reading = readWallClock(body);
  if (typeof reading === "string") throw new ScheduleError("at", body, reading);
  return reading;
}

/** The reading of a text that looks like wall-clock text, or what is wrong with it. */
export function readWallClock(text: string): number | string {
  const [year, month, day, hour, minute, second] = (WALL_CLOCK.exec(text) ?? []).slice(1).map(Number) as SixNumbers;
  if (year < YEAR.min || year > YEAR.max) return `year ${year} is outside ${YEAR.allowed}`;
  if (month < 1 || month > 12) return `month ${month} is outside 1-12`;
  if (day < 1 || day > monthLength(year, month)) return `there is no day ${day} in ${text.slice(0, 7)}`;
  if (hour > 23 || minute > 59 || second > 59) return `${text.slice(11)} is outside 00:00:00-23:59:59`;
  return dayNumber(year, month, day) * DAY_MS + ((hour * 60 + minute) * 60 + second) * 1000;
}

type SixNumbers = [number, number, number, number, number, number];

/** What a text that is no wall-clock text likely means as such: without a time of day, without seconds, with a space. */
export function likelyWallClocks(text: string): string[] {
  const [, date, time = "00:00", seconds = ":00"] =
    /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d)(:\d\d)?)?$/.exec(text.trim()) ?? [];
  return date === undefined ? [] : [`${date}T${time}${seconds}`];
}

function intent(body: string): string {
  if (/T.*Z$/.test(body)) return '; leave out the Z and say the zone instead: timeZone: "UTC"';
  if (/T.*[+-]\d\d:?\d\d$/.test(body))
    return '; leave out the offset and say the zone instead, such as timeZone: "Europe/Paris"';
  const meant = firstAccepted(likelyWallClocks(body), parseAt);
  return meant === undefined ? "" : `; did you mean at(${meant})?`;
}
