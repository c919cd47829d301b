import { DAY_MS } from "./calendar.ts";
import type { Cron } from "./cron.ts";
import { previousOccurrence } from "./occurrences.ts";
import { firstReadingFrom } from "./readings.ts";
import type { CronSchedule, Schedule } from "./schedule.ts";
import { dateWords, timeWords } from "./words.ts";
import { type ClockChange, clockChanges, offsetAt } from "./zone.ts";

/** What a clock change does to a schedule. */
export interface ClockEffect {
  /** `skipped`: the time does not exist that day. `once`: the clock shows it twice, and it runs before the shift only. */
  readonly kind: "skipped" | "once";
  /** The first affected wall-clock reading. */
  readonly readingMs: number;
  /** AWS documents a daily time; whether more frequent ones run again in the repeated hour is not known. */
  readonly isUncertain: boolean;
}

/** The effects of the clock changes from one instant (inclusive) to another (exclusive), oldest first. */
export function clockEffects(schedule: CronSchedule, fromMs: number, toMs: number): ClockEffect[] {
  const firstMs = Math.max(fromMs, schedule.startMs ?? fromMs);
  const lastMs = Math.min(toMs, schedule.endMs ?? toMs);
  return clockChanges(schedule.zone, firstMs, lastMs).flatMap((change) => effectOf(schedule.cron, change) ?? []);
}

/**
 * What is special about one occurrence (epoch ms), for a preview; `undefined` for nothing.
 *
 * @example "02:30 is skipped on 29 March 2026 (clock change)"
 */
export function occurrenceNote(schedule: Schedule, occurrenceMs: number): string | undefined {
  if (schedule.kind !== "cron") return undefined;
  const sinceMs = previousOccurrence(schedule, occurrenceMs) ?? occurrenceMs;
  const skipped = clockEffects(schedule, sinceMs, occurrenceMs + 1).find((effect) => effect.kind === "skipped");
  return skipped === undefined ? repeatNote(schedule, occurrenceMs) : effectWords(skipped);
}

/** "02:30 is skipped on 29 March 2026 (clock change)". */
export function effectWords(effect: ClockEffect): string {
  const time = timeWords(effect.readingMs);
  const day = `${dateWords(effect.readingMs)} (clock change)`;
  if (effect.kind === "skipped") return `${time} is skipped on ${day}`;
  const doubt = effect.isUncertain ? "; uncertain on AWS, which may run it again" : "";
  return `${time} comes twice on ${day} and runs once, before the shift${doubt}`;
}

/** No clock is set back by more than a day, so the change that repeats a reading comes within one. */
function repeatNote(schedule: CronSchedule, occurrenceMs: number): string | undefined {
  const readingMs = occurrenceMs + offsetAt(schedule.zone, occurrenceMs);
  const [change] = clockChanges(schedule.zone, occurrenceMs + 1, occurrenceMs + DAY_MS);
  if (change === undefined || readingMs < change.atMs + change.offsetAfterMs) return undefined;
  return effectWords({ kind: "once", readingMs, isUncertain: isFrequent(schedule.cron) });
}

function effectOf(cron: Cron, { atMs, offsetBeforeMs, offsetAfterMs }: ClockChange): ClockEffect | undefined {
  const isForward = offsetAfterMs > offsetBeforeMs;
  const [fromMs, toMs] = [
    atMs + Math.min(offsetBeforeMs, offsetAfterMs),
    atMs + Math.max(offsetBeforeMs, offsetAfterMs),
  ];
  const readingMs = firstReadingFrom(cron, fromMs);
  if (readingMs === undefined || readingMs >= toMs) return undefined;
  // A schedule of every hour loses nothing: the next hour comes right after the skipped one.
  if (isForward && cron.hours.length === 24) return undefined;
  return {
    kind: isForward ? "skipped" : "once",
    readingMs,
    isUncertain: !isForward && isFrequent(cron),
  };
}

function isFrequent(cron: Cron): boolean {
  return cron.hours.length * cron.minutes.length > 1;
}
