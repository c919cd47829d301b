import { localText } from "../operations/instants.ts";

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

/** `2026-03-28 01:30:00 UTC (2026-03-28 02:30:00 +01:00, Europe/Berlin)` */
export function timeInBothZones(iso: string, timeZone: string): string {
  if (timeZone === "UTC") return timeText(iso);
  return `${timeText(iso)} (${timeText(localText(Date.parse(iso), timeZone))}, ${timeZone})`;
}

/** `850 ms`, `12.3 s`, `4 min 5 s`, `2 h 3 min` */
export function durationText(ms: number): string {
  if (ms < 1000) return `${Math.round(ms)} ms`;
  if (ms < 60_000) return `${(ms / 1000).toFixed(1)} s`;
  const seconds = Math.round(ms / 1000);
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
  return `${Math.floor(seconds / 3600)} h ${Math.floor((seconds % 3600) / 60)} min`;
}
