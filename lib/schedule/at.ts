import { DAY_MS, dayNumber, monthLength } from "./calendar.ts";
import { ScheduleError } from "./errors.ts";
import { YEAR } from "./fields.ts";

const WALL_CLOCK = /^(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d):(\d\d)$/;

/** Reads what stands between the parentheses of `at(...)`: wall-clock text, returned as a reading. */
export function parseAt(body: string): number {
  const parts = WALL_CLOCK.exec(body);
  if (parts === null) throw refused(body, `write yyyy-mm-ddThh:mm:ss${intent(body)}`);
  const [year, month, day, hour, minute, second] = parts.slice(1).map(Number) as SixNumbers;
  if (year < YEAR.min || year > YEAR.max) throw refused(body, `year ${year} is outside ${YEAR.allowed}`);
  if (month < 1 || month > 12) throw refused(body, `month ${month} is outside 1-12`);
  if (day < 1 || day > monthLength(year, month)) throw refused(body, `there is no day ${day} in ${body.slice(0, 7)}`);
  if (hour > 23 || minute > 59 || second > 59) throw refused(body, `${body.slice(11)} is outside 00:00:00-23:59:59`);
  return dayNumber(year, month, day) * DAY_MS + ((hour * 60 + minute) * 60 + second) * 1000;
}

type SixNumbers = [number, number, number, number, number, number];

function intent(body: string): string {
  if (/Z$|[+-]\d\d:?\d\d$/.test(body) && body.includes("T")) {
    return '; leave out the offset and say the zone instead: timeZone: "UTC"';
  }
  if (/^\d{4}-\d\d-\d\d$/.test(body)) return `, with a time of day: at(${body}T00:00:00)`;
  if (/^\d{4}-\d\d-\d\dT\d\d:\d\d$/.test(body)) return `, with seconds: at(${body}:00)`;
  return "";
}

function refused(body: string, why: string): ScheduleError {
  return new ScheduleError("at", body, why);
}
