import { DAY_MS } from "./calendar.ts";
import { clockEffects, effectWords, occurrenceNote } from "./clock-effects.ts";
import type { Cron } from "./cron.ts";
import { EVERY_DAY } from "./day-bits.ts";
import { checkFinite } from "./instant.ts";
import { limitTexts } from "./limits.ts";
import { nextOccurrence, previousOccurrence } from "./occurrences.ts";
import type { AtSchedule, CronSchedule, RateSchedule, Schedule } from "./schedule.ts";
import { uncertainties } from "./uncertain.ts";
import { unevenSteps } from "./uneven-steps.ts";
import { clockChanges } from "./zone.ts";

/** Valid, and perhaps not meant. The codes are stable; the messages are for people. */
export interface ScheduleWarning {
  readonly code: ScheduleWarningCode;
  readonly message: string;
}

export type ScheduleWarningCode =
  /** There is no occurrence from now on. */
  | "NEVER_FIRES"
  /** Every minute of an hour, while the hours, days or months are narrowed. */
  | "MINUTE_OPEN"
  /** A step that is no interval: it begins anew before its field ends evenly. */
  | "UNEVEN_STEP"
  /** A time that a clock change within a year skips. */
  | "DST_SKIPPED"
  /** A time that comes twice at a clock change within a year (of an `at`: at any), and runs once. */
  | "DST_ONCE"
  /** A rate of whole days in a zone whose clock changes: its wall-clock time moves. */
  | "RATE_DRIFTS"
  /** AWS ignores the start and end of an `at`. */
  | "LIMITS_IGNORED"
  /** AWS does not say whether or how it takes this; docs/schedule.md lists what is meant. */
  | "UNCERTAIN_ON_AWS";

const YEAR_MS = 366 * DAY_MS;

/**
 * What is valid but perhaps not meant, seen from an instant (epoch ms).
 *
 * @throws RangeError where that is no finite number.
 */
export function scheduleWarnings(schedule: Schedule, nowMs: number): ScheduleWarning[] {
  checkFinite(nowMs);
  return [...neverFires(schedule, nowMs), ...warningsByKind(schedule, nowMs)];
}

function warningsByKind(schedule: Schedule, nowMs: number): ScheduleWarning[] {
  switch (schedule.kind) {
    case "cron":
      return [
        ...minuteOpen(schedule.cron),
        ...unevenSteps(schedule.cron).map(warningOf("UNEVEN_STEP")),
        ...clockWarnings(schedule, nowMs),
        ...uncertainties(schedule).map(warningOf("UNCERTAIN_ON_AWS")),
      ];
    case "rate":
      return [...rateDrifts(schedule, nowMs), ...uncertainties(schedule).map(warningOf("UNCERTAIN_ON_AWS"))];
    case "at":
      return [...limitsIgnored(schedule), ...comesTwice(schedule, nowMs)];
  }
}

function warningOf(code: ScheduleWarningCode): (message: string) => ScheduleWarning {
  return (message) => ({ code, message });
}

function neverFires(schedule: Schedule, nowMs: number): ScheduleWarning[] {
  const anchored = schedule.kind === "rate" ? { anchorMs: nowMs, ...schedule } : schedule;
  // An occurrence at this very instant is one to come.
  if (nextOccurrence(anchored, nowMs - 1) !== undefined) return [];
  return [{ code: "NEVER_FIRES", message: `${schedule.expression} ${whyNever(anchored, nowMs)}` }];
}

function whyNever(schedule: Schedule, nowMs: number): string {
  const lastMs = previousOccurrence(schedule, nowMs);
  if (lastMs !== undefined) return `never fires again: its last occurrence was ${new Date(lastMs).toISOString()}`;
  if (schedule.kind === "at")
    return `never fires: ${effectWords({ ...schedule, kind: "skipped", isUncertain: false })}`;
  const { start, end } = limitTexts(schedule);
  if (schedule.endMs !== undefined && schedule.endMs < nowMs) return `never fires: its end ${end} is past`;
  const within = start === undefined && end === undefined ? "" : " within its start and end";
  return `never fires: there is no such time${within}`;
}

function minuteOpen({ minutes, hours, days, months }: Cron): ScheduleWarning[] {
  const isEveryDay = days.kind === "days" && days.days === EVERY_DAY;
  if (minutes.length < 60 || (hours.length === 24 && isEveryDay && months.length === 12)) return [];
  return [
    { code: "MINUTE_OPEN", message: "the minute is open, so that it runs 60 times an hour; write 0 for the full hour" },
  ];
}

function clockWarnings(schedule: CronSchedule, nowMs: number): ScheduleWarning[] {
  return clockEffects(schedule, nowMs, nowMs + YEAR_MS).map((effect) => {
    if (effect.kind === "skipped") return { code: "DST_SKIPPED", message: effectWords(effect) };
    return { code: effect.isUncertain ? "UNCERTAIN_ON_AWS" : "DST_ONCE", message: effectWords(effect) };
  });
}

function rateDrifts(schedule: RateSchedule, nowMs: number): ScheduleWarning[] {
  const { rate, zone } = schedule;
  if (rate.periodMs % DAY_MS !== 0 || clockChanges(zone, nowMs, nowMs + YEAR_MS).length === 0) return [];
  const message = `${schedule.expression} counts days of 24 hours, so that its time of day moves when the clocks of ${zone.name} change`;
  return [{ code: "RATE_DRIFTS", message: `${message}; use cron(...) for a fixed time of day` }];
}

function limitsIgnored({ startMs, endMs }: AtSchedule): ScheduleWarning[] {
  if (startMs === undefined && endMs === undefined) return [];
  return [{ code: "LIMITS_IGNORED", message: "EventBridge ignores the start and end of an at(...)" }];
}

function comesTwice(schedule: AtSchedule, nowMs: number): ScheduleWarning[] {
  const occurrenceMs = nextOccurrence(schedule, nowMs - 1);
  const note = occurrenceMs === undefined ? undefined : occurrenceNote(schedule, occurrenceMs);
  return note === undefined ? [] : [{ code: "DST_ONCE", message: note }];
}
