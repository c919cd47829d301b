import { MINUTE_MS } from "./calendar.ts";
import { twoDigits } from "./words.ts";
import { offsetAt } from "./zone.ts";
import { findZone } from "./zone-name.ts";

/**
 * An instant (epoch ms) as the wall clock of a zone shows it, with its offset.
 *
 * @throws ScheduleError for an unknown zone.
 * @example localTime(Date.UTC(2026, 2, 28, 1, 30), "Europe/Berlin") // "2026-03-28T02:30:00+01:00"
 */
export function localTime(instantMs: number, timeZone: string): string {
  const offsetMs = offsetAt(findZone(timeZone), instantMs);
  return `${new Date(instantMs + offsetMs).toISOString().slice(0, 19)}${offsetText(offsetMs)}`;
}

/** `+01:00` */
export function offsetText(offsetMs: number): string {
  const minutes = Math.trunc(Math.abs(offsetMs) / MINUTE_MS);
  return `${offsetMs < 0 ? "-" : "+"}${twoDigits(Math.trunc(minutes / 60))}:${twoDigits(minutes % 60)}`;
}
