import { utcDay, utcTickInterval } from "d3-time";
import type { Stretch } from "./stretches.ts";

export interface Tick {
  readonly atMs: number;
  /** What the zone's clock shows: `03:00`, at midnight the day. */
  readonly label: string;
  readonly isDay: boolean;
}

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const DAY_NAMES = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"];
const MONTH_NAMES = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

/**
 * Round times of a zone's wall clock, some `count` of them. They are laid over each stretch of constant offset by itself:
 * in a night that the clock is put forward the hour that it passes over has no tick, and where it is put back an hour has
 * its ticks twice. So a day is 23 or 25 hours wide, as it is.
 */
export function axisTicks(stretches: readonly Stretch[], count: number): Tick[] {
  const [first] = stretches;
  const last = stretches.at(-1);
  if (!first || !last) return [];
  const interval = utcTickInterval(new Date(first.fromMs), new Date(last.toMs), count) ?? utcDay;
  return stretches.flatMap(({ fromMs, toMs, offsetMs }) =>
    interval.range(new Date(fromMs + offsetMs), new Date(toMs + offsetMs)).map((reading) => ({
      atMs: reading.getTime() - offsetMs,
      label: labelOf(reading),
      isDay: isMidnight(reading),
    })),
  );
}

export interface Day {
  readonly fromMs: number;
  readonly toMs: number;
  readonly label: string;
  /** 23 or 25 in a night that the clock is changed; absent where the range shows a part of the day only. */
  readonly hours?: number | undefined;
}

/** The days that the range touches, each from a midnight of the zone to the next. */
export function daysOf(stretches: readonly Stretch[]): Day[] {
  const [first] = stretches;
  const last = stretches.at(-1);
  if (!first || !last) return [];
  const midnights = stretches.flatMap(({ fromMs, toMs, offsetMs }) =>
    utcDay.range(new Date(fromMs + offsetMs), new Date(toMs + offsetMs)).map((reading) => reading.getTime() - offsetMs),
  );
  const starts = midnights[0] === first.fromMs ? midnights : [first.fromMs, ...midnights];
  return starts.map((fromMs, index) => {
    const toMs = starts[index + 1] ?? last.toMs;
    const isWhole = midnights.includes(fromMs) && midnights.includes(toMs);
    const hours = isWhole ? (toMs - fromMs) / HOUR_MS : undefined;
    return { fromMs, toMs, label: dayLabel(readingAt(stretches, fromMs)), hours };
  });
}

function readingAt(stretches: readonly Stretch[], atMs: number): Date {
  const stretch = stretches.find(({ fromMs, toMs }) => atMs >= fromMs && atMs < toMs);
  return new Date(atMs + (stretch?.offsetMs ?? 0));
}

function labelOf(reading: Date): string {
  if (isMidnight(reading)) return dayLabel(reading);
  return reading.toISOString().slice(11, reading.getUTCSeconds() === 0 ? 16 : 19);
}

function dayLabel(reading: Date): string {
  return `${DAY_NAMES[reading.getUTCDay()]} ${reading.getUTCDate()} ${MONTH_NAMES[reading.getUTCMonth()]}`;
}

function isMidnight(reading: Date): boolean {
  return reading.getTime() % DAY_MS === 0;
}
