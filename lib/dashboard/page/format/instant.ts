/** An instant as a wall clock shows it: `Sat 28 Mar 02:30`; with seconds where it has some. */
export function localText(at: string | number, timeZone: string): string {
  const date = new Date(at);
  const parts = new Map(
    formatOf(timeZone)
      .formatToParts(date)
      .map(({ type, value }) => [type, value]),
  );
  const seconds = parts.get("second") === "00" ? "" : `:${parts.get("second")}`;
  const time = `${parts.get("hour")}:${parts.get("minute")}${seconds}`;
  return `${parts.get("weekday")} ${parts.get("day")} ${parts.get("month")} ${time}`;
}

/** `2026-03-28 01:30:00 UTC` */
export function utcText(at: string | number): string {
  const iso = new Date(at).toISOString();
  return `${iso.slice(0, 10)} ${iso.slice(11, 19)} UTC`;
}

/** The time of day alone, in UTC, to the millisecond where it is known: `01:30:00.250` */
export function timeOfDay(at: string | number): string {
  const iso = new Date(at).toISOString();
  return iso.slice(11, iso.endsWith(".000Z") ? 19 : 23);
}

/** The last part of a zone's name, as people say it: `Berlin`, `Buenos Aires`, `UTC`. */
export function zoneWord(timeZone: string): string {
  return timeZone.slice(timeZone.lastIndexOf("/") + 1).replaceAll("_", " ");
}

/** What the zone's clock shows minus UTC, in milliseconds. */
export function offsetMsAt(atMs: number, timeZone: string): number {
  const name = offsetFormatOf(timeZone)
    .formatToParts(atMs)
    .find(({ type }) => type === "timeZoneName")?.value;
  return parseOffset(name?.slice("GMT".length) ?? "");
}

/** `+05:30` as milliseconds; nothing is UTC itself. */
export function parseOffset(text: string): number {
  const [, sign, hours = "0", minutes = "0", seconds = "0"] = /^([+-])(\d\d):(\d\d)(?::(\d\d))?$/.exec(text) ?? [];
  const ms = ((Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds)) * 1_000;
  return sign === "-" ? -ms : ms;
}

// Making an Intl format takes longer than using it a hundred times.
const formats = new Map<string, Intl.DateTimeFormat>();
const offsetFormats = new Map<string, Intl.DateTimeFormat>();

function formatOf(timeZone: string): Intl.DateTimeFormat {
  return cached(formats, timeZone, {
    weekday: "short",
    day: "numeric",
    month: "short",
    hour: "2-digit",
    minute: "2-digit",
    second: "2-digit",
    hourCycle: "h23",
  });
}

function offsetFormatOf(timeZone: string): Intl.DateTimeFormat {
  return cached(offsetFormats, timeZone, { timeZoneName: "longOffset" });
}

function cached(
  known: Map<string, Intl.DateTimeFormat>,
  timeZone: string,
  options: Intl.DateTimeFormatOptions,
): Intl.DateTimeFormat {
  const found = known.get(timeZone) ?? new Intl.DateTimeFormat("en-GB", { ...options, timeZone: knownZone(timeZone) });
  known.set(timeZone, found);
  return found;
}

/** A browser may know fewer zones than the server. */
function knownZone(timeZone: string): string {
  try {
    new Intl.DateTimeFormat("en-GB", { timeZone });
    return timeZone;
  } catch {
    return "UTC";
  }
}
