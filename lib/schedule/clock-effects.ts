import { DAY_MS } from "./calendar.ts";
import type { Cron } from "./cron.ts";
import { previousOccurrence } from "./occurrences.ts";
import { firstReadingFrom } from "./readings.ts";
import type { AtSchedule, CronSchedule, Schedule } from "./schedule.ts";
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
  if (schedule.kind === "rate") return undefined;
  const skipped = schedule.kind === "cron" ? skippedBefore(schedule, occurrenceMs) : undefined;
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

function skippedBefore(schedule: CronSchedule, occurrenceMs: number): ClockEffect | undefined {
  const sinceMs = previousOccurrence(schedule, occurrenceMs) ?? occurrenceMs;
  return clockEffects(schedule, sinceMs, occurrenceMs + 1).find((effect) => effect.kind === "skipped");
}

/** No clock is set back by more than a day, so the change that repeats a reading comes within one. */
function repeatNote(schedule: CronSchedule | AtSchedule, occurrenceMs: number): string | undefined {
  const readingMs = occurrenceMs + offsetAt(schedule.zone, occurrenceMs);
  const [change] = clockChanges(schedule.zone, occurrenceMs + 1, occurrenceMs + DAY_MS);
  if (change === undefined || readingMs < change.atMs + change.offsetAfterMs) return undefined;
  return effectWords({ kind: "once", readingMs, isUncertain: schedule.kind === "cron" && isFrequent(schedule.cron) });
}

function effectOf(cron: Cron, { atMs, offsetBeforeMs, offsetAfterMs }: ClockChange): ClockEffect | undefined {
  const [beforeMs, afterMs] = [atMs + offsetBeforeMs, atMs + offsetAfterMs];
  if (beforeMs < afterMs) {
    const readingMs = firstLost(cron, beforeMs, afterMs);
    return readingMs === undefined ? undefined : { kind: "skipped", readingMs, isUncertain: false };
  }
  const readingMs = firstReadingFrom(cron, afterMs);
  if (readingMs === undefined || readingMs >= beforeMs) return undefined;
  return { kind: "once", readingMs, isUncertain: isFrequent(cron) };
}

/** A schedule of every hour loses no time for which the clock shows another one of its times instead. */
function firstLost(cron: Cron, fromMs: number, toMs: number): number | undefined {
  let readingMs = firstReadingFrom(cron, fromMs);
  while (readingMs !== undefined && readingMs < toMs) {
    const insteadMs = readingMs + toMs - fromMs;
    if (cron.hours.length < 24 || firstReadingFrom(cron, insteadMs) !== insteadMs) return readingMs;
    readingMs = firstReadingFrom(cron, readingMs + 1);
  }
  return undefined;
}

function isFrequent(cron: Cron): boolean {
  return cron.hours.length * cron.minutes.length > 1;
}
