import { localTime } from "../operations/instants.ts";

const WEEKDAYS = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"];

/** `2026-03-28T01:30:00Z` or `2026-03-28T02:30:00+01:00` → `2026-03-28 01:30:00 UTC`, `2026-03-28 02:30:00 +01:00` */
export function timeText(iso: string): string {
  const [, date, time, offset] = /^(.+)T([\d:]+)(?:\.\d+)?(.+)$/.exec(iso) ?? [];
  return `${date} ${time} ${offset === "Z" ? "UTC" : offset}`;
}

/** The same with the name of its day, which is what people check a schedule by. */
export function dayAndTimeText(iso: string): string {
  const weekday = new Date(`${iso.slice(0, "2026-03-28".length)}T00:00:00Z`).getUTCDay();
  return `${WEEKDAYS[weekday]} ${timeText(iso)}`;
}

export function inZone(iso: string, timeZone: string): string {
  return localTime(Date.parse(iso), timeZone);
}

/** `2026-03-28 01:30:00 UTC (2026-03-28 02:30:00 +01:00, Europe/Berlin)` */
export function timeInBothZones(iso: string, timeZone: string): string {
  if (timeZone === "UTC") return timeText(iso);
  return `${timeText(iso)} (${timeText(inZone(iso, timeZone))}, ${timeZone})`;
}

const UNITS = [
  { unit: "days", ms: 86_400_000 },
  { unit: "h", ms: 3_600_000 },
  { unit: "min", ms: 60_000 },
  { unit: "s", ms: 1000 },
];

/** Exact below a minute, then the two largest units: `850 ms`, `12.3 s`, `4 min 5 s`, `90 days`. */
export function durationText(ms: number): string {
  if (ms < 1000) return `${ms} ms`;
  if (ms < 60_000) return `${Number((ms / 1000).toFixed(1))} s`;
  let restMs = ms;
  const parts = UNITS.map(({ unit, ms: unitMs }) => {
    const count = Math.floor(restMs / unitMs);
    restMs -= count * unitMs;
    return { unit, count };
  });
  const largest = parts.findIndex(({ count }) => count > 0);
  return parts
    .slice(largest, largest + 2)
    .filter(({ count }) => count > 0)
    .map(({ unit, count }) => `${count} ${unit}`)
    .join(" ");
}
