const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** A duration in at most two units: `480 ms`, `1.2 s`, `3 min 5 s`, `2 h 14 min`, `3 d 4 h`. */
export function durationText(ms: number): string {
  if (ms < SECOND_MS) return `${Math.round(ms)} ms`;
  if (ms < 9_950) return `${Math.round(ms / 100) / 10} s`;
  if (ms < MINUTE_MS - 500) return `${Math.round(ms / SECOND_MS)} s`;
  if (ms < HOUR_MS - 500) return twoUnits(Math.round(ms / SECOND_MS), 60, "min", "s");
  if (ms < DAY_MS - MINUTE_MS / 2) return twoUnits(Math.round(ms / MINUTE_MS), 60, "h", "min");
  return twoUnits(Math.round(ms / HOUR_MS), 24, "d", "h");
}

/** How far an instant is from now, calm enough to be read while it ticks: `in 4 min`, `12 s ago`, `now`. */
export function relativeText(atMs: number, nowMs: number): string {
  const distanceMs = Math.abs(atMs - nowMs);
  if (distanceMs < SECOND_MS) return "now";
  const text = coarseText(distanceMs);
  return atMs > nowMs ? `in ${text}` : `${text} ago`;
}

/** How many times the usual it took, where that is worth saying: `3.3×`, from twice on and a second at least. */
export function slowness(durationMs: number | undefined, usualMs: number | undefined): string | undefined {
  if (durationMs === undefined || !usualMs) return undefined;
  if (durationMs < 2 * usualMs || durationMs - usualMs < SECOND_MS) return undefined;
  const times = durationMs / usualMs;
  return `${times < 10 ? times.toFixed(1) : Math.round(times)}×`;
}

export function bytesText(bytes: number): string {
  if (bytes < 1_000) return `${bytes} B`;
  if (bytes < 999_500) return `${(bytes / 1_000).toFixed(bytes < 9_950 ? 1 : 0)} kB`;
  return `${(bytes / 1_000_000).toFixed(bytes < 99_500_000 ? 1 : 0)} MB`;
}

function coarseText(ms: number): string {
  if (ms < 90 * SECOND_MS) return `${Math.floor(ms / SECOND_MS)} s`;
  if (ms < 90 * MINUTE_MS) return `${Math.floor(ms / MINUTE_MS)} min`;
  if (ms < 6 * HOUR_MS) return twoUnits(Math.floor(ms / MINUTE_MS), 60, "h", "min");
  if (ms < 48 * HOUR_MS) return `${Math.floor(ms / HOUR_MS)} h`;
  return `${Math.floor(ms / DAY_MS)} d`;
}

function twoUnits(count: number, per: number, large: string, small: string): string {
  const rest = count % per;
  const whole = `${Math.floor(count / per)} ${large}`;
  return rest === 0 ? whole : `${whole} ${rest} ${small}`;
}
