import { DAY_MS, HOUR_MS } from "./calendar.ts";

/**
 * A time zone as stretches of constant offset.
 *
 * A *reading* is what a wall clock in the zone shows, as milliseconds, written as if the clock showed UTC.
 * Stretches are learnt from `Intl` a week at a time, when first asked for, and kept: the common question needs no `Intl` call,
 * and a far date costs no more than a near one.
 */
export interface Zone {
  readonly name: string;
  readonly stretches: Map<number, readonly Stretch[]>;
  readonly offsetFormat: Intl.DateTimeFormat;
}

/** From (inclusive) to (exclusive), in UTC, the clock shows UTC + offset. */
export interface Stretch {
  readonly fromMs: number;
  readonly toMs: number;
  readonly offsetMs: number;
}

/** The one zone that needs no learning. */
const ALWAYS_UTC: Stretch = { fromMs: Number.NEGATIVE_INFINITY, toMs: Number.POSITIVE_INFINITY, offsetMs: 0 };

/** No zone changes its offset twice within one of these weeks; the tests check it for every zone. */
const WEEK_MS = 7 * DAY_MS;

/** No clock is further from UTC, and no change moves a clock further. */
const LARGEST_OFFSET_MS = 15 * HOUR_MS;
const LARGEST_CHANGE_MS = 25 * HOUR_MS;

/** A zone by its exact spelling, or `undefined` when this runtime's zone data does not hold it. */
export function zoneOf(name: string): Zone | undefined {
  const known = zones.get(name);
  if (known !== undefined) return known;
  try {
    const offsetFormat = new Intl.DateTimeFormat("en-US", { timeZone: name, timeZoneName: "longOffset" });
    const zone = { name, stretches: new Map(), offsetFormat };
    zones.set(name, zone);
    return zone;
  } catch {
    return undefined;
  }
}

/** Making an `Intl` format takes longer than everything else here, so that each zone is made once. */
const zones = new Map<string, Zone>();

/** The instant at which the clock first shows a reading; `undefined` when it is set past it. */
export function instantOf(zone: Zone, readingMs: number): number | undefined {
  let stretch = stretchAt(zone, readingMs - LARGEST_OFFSET_MS);
  while (readingMs >= stretch.toMs + stretch.offsetMs) stretch = stretchAt(zone, stretch.toMs);
  const instantMs = readingMs - stretch.offsetMs;
  return instantMs >= stretch.fromMs ? instantMs : undefined;
}

/**
 * Every reading below the result has been shown, or set past, before this instant; no other has.
 * While a clock that was set back repeats an hour, that is the end of the hour: the repeat shows nothing new.
 */
export function shownBefore(zone: Zone, instantMs: number): number {
  let shownMs = Number.NEGATIVE_INFINITY;
  let stretch = stretchAt(zone, instantMs - LARGEST_CHANGE_MS);
  while (stretch.toMs < instantMs) {
    shownMs = Math.max(shownMs, stretch.toMs + stretch.offsetMs);
    stretch = stretchAt(zone, stretch.toMs);
  }
  return Math.max(shownMs, instantMs + stretch.offsetMs);
}

/** What the clock shows at an instant, minus UTC. */
export function offsetAt(zone: Zone, instantMs: number): number {
  return stretchAt(zone, instantMs).offsetMs;
}

export interface ClockChange {
  readonly atMs: number;
  readonly offsetBeforeMs: number;
  readonly offsetAfterMs: number;
}

/** The clock changes from one instant (inclusive) to another (exclusive). */
export function clockChanges(zone: Zone, fromMs: number, toMs: number): ClockChange[] {
  const changes: ClockChange[] = [];
  let before = stretchAt(zone, fromMs - 1);
  while (before.toMs < toMs) {
    const after = stretchAt(zone, before.toMs);
    if (after.offsetMs !== before.offsetMs) {
      changes.push({ atMs: after.fromMs, offsetBeforeMs: before.offsetMs, offsetAfterMs: after.offsetMs });
    }
    before = after;
  }
  return changes;
}

function stretchAt(zone: Zone, instantMs: number): Stretch {
  if (zone.name === "UTC") return ALWAYS_UTC;
  const week = Math.floor(instantMs / WEEK_MS);
  let stretches = zone.stretches.get(week);
  if (stretches === undefined) {
    stretches = learnWeek(zone, week * WEEK_MS);
    zone.stretches.set(week, stretches);
  }
  const [first, second] = stretches as [Stretch, Stretch?];
  return second === undefined || instantMs < first.toMs ? first : second;
}

function learnWeek(zone: Zone, fromMs: number): readonly Stretch[] {
  const toMs = fromMs + WEEK_MS;
  const offsetMs = askOffset(zone, fromMs);
  const laterOffsetMs = askOffset(zone, toMs - 1000);
  if (offsetMs === laterOffsetMs) return [{ fromMs, toMs, offsetMs }];
  const changeMs = findChange(zone, fromMs, toMs, offsetMs);
  return [
    { fromMs, toMs: changeMs, offsetMs },
    { fromMs: changeMs, toMs, offsetMs: laterOffsetMs },
  ];
}

/** The first second at which the offset is no longer the earlier one. */
function findChange(zone: Zone, fromMs: number, toMs: number, earlierOffsetMs: number): number {
  let [before, after] = [fromMs / 1000, toMs / 1000];
  while (after - before > 1) {
    const middle = Math.floor((before + after) / 2);
    if (askOffset(zone, middle * 1000) === earlierOffsetMs) before = middle;
    else after = middle;
  }
  return after * 1000;
}

/** "5/1/2026, GMT+02:00" → 7,200,000. */
function askOffset(zone: Zone, instantMs: number): number {
  const text = zone.offsetFormat.format(instantMs);
  const [, sign, hours, minutes, seconds = "0"] = /([+-])(\d\d):(\d\d)(?::(\d\d))?$/.exec(text) ?? [];
  if (sign === undefined) return 0;
  const offsetMs = (Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds)) * 1000;
  return sign === "-" ? -offsetMs : offsetMs;
}
