import { DAY_MS } from "./calendar.ts";
import { clockEffects, effectWords } from "./clock-effects.ts";
import type { Cron } from "./cron.ts";
import { DAY, type Field, HOUR, MINUTE, MONTH } from "./fields.ts";
import { nextOccurrence, previousOccurrence } from "./occurrences.ts";
import { type RateUnit, rateText } from "./rate.ts";
import type { CronSchedule, RateSchedule, Schedule } from "./schedule.ts";
import { uncertainties } from "./uncertain.ts";
import { clockChanges } from "./zone.ts";

/** Valid, and perhaps not meant. The codes are stable; the messages are for people. */
export interface ScheduleWarning {
  readonly code: ScheduleWarningCode;
  readonly message: string;
}

export type ScheduleWarningCode =
  /** There is no occurrence from now on. */
  | "NEVER_FIRES"
  /** The minute is `*` in a schedule that is otherwise narrowed. */
  | "MINUTE_OPEN"
  /** A step that does not divide its field leaves a shorter or longer gap at the field's end. */
  | "UNEVEN_STEP"
  /** A time that a clock change within a year skips. */
  | "DST_SKIPPED"
  /** A time that comes twice at a clock change within a year, and runs once. */
  | "DST_ONCE"
  /** A rate of whole days in a zone whose clock changes: its wall-clock time moves. */
  | "RATE_DRIFTS"
  /** AWS ignores the start and end of an `at`. */
  | "LIMITS_IGNORED"
  /** AWS does not say whether or how it takes this. */
  | "UNCERTAIN_ON_AWS";

const YEAR_MS = 366 * DAY_MS;

/** What is valid but perhaps not meant, seen from an instant (epoch ms). */
export function scheduleWarnings(schedule: Schedule, nowMs: number): ScheduleWarning[] {
  return [...neverFires(schedule, nowMs), ...warningsByKind(schedule, nowMs)];
}

function warningsByKind(schedule: Schedule, nowMs: number): ScheduleWarning[] {
  switch (schedule.kind) {
    case "cron":
      return [
        ...minuteOpen(schedule.cron),
        ...unevenSteps(schedule.cron),
        ...clockWarnings(schedule, nowMs),
        ...uncertainties(schedule).map((message) => ({ code: "UNCERTAIN_ON_AWS", message }) as const),
      ];
    case "rate":
      return rateDrifts(schedule, nowMs);
    case "at": {
      if (schedule.startMs === undefined && schedule.endMs === undefined) return [];
      return [{ code: "LIMITS_IGNORED", message: "EventBridge ignores the start and end of an at(...)" }];
    }
  }
}

function neverFires(schedule: Schedule, nowMs: number): ScheduleWarning[] {
  const anchored = schedule.kind === "rate" ? { anchorMs: nowMs, ...schedule } : schedule;
  // An occurrence at this very instant is one to come.
  if (nextOccurrence(anchored, nowMs - 1) !== undefined) return [];
  const lastMs = previousOccurrence(anchored, nowMs);
  const why =
    lastMs === undefined
      ? "never fires: there is no such time"
      : `never fires again: its last occurrence was ${new Date(lastMs).toISOString()}`;
  return [{ code: "NEVER_FIRES", message: `${schedule.expression} ${why}` }];
}

function minuteOpen({ minutes, texts }: Cron): ScheduleWarning[] {
  const isNarrowed = [texts.hour, texts.day, texts.month, texts.weekDay].some((text) => text !== "*" && text !== "?");
  if (minutes.length < 60 || !isNarrowed) return [];
  return [
    { code: "MINUTE_OPEN", message: "the minute is open, so that it runs 60 times an hour; write 0 for the full hour" },
  ];
}

function unevenSteps({ texts, minutes, hours, months }: Cron): ScheduleWarning[] {
  return [
    ...unevenStep(MINUTE, texts.minute, gapAroundEnd(MINUTE, minutes)),
    ...unevenStep(HOUR, texts.hour, gapAroundEnd(HOUR, hours)),
    ...unevenStep(DAY, texts.day, "another number of"),
    ...unevenStep(MONTH, texts.month, gapAroundEnd(MONTH, months)),
  ];
}

/** Only an open step (a start, or `*`, and `/`) looks like an interval. */
function unevenStep(field: Field, text: string, gap: number | string): ScheduleWarning[] {
  const step = Number(/^(?:\*|\w+)\/(\d+)$/.exec(text)?.[1]);
  if (Number.isNaN(step) || step === 1 || step === gap) return [];
  const unit = UNITS.get(field) ?? "month";
  const instead = unit === "month" ? "list the months you mean" : `use ${rateText(step, unit)}`;
  const message = `${field.name} ${text} has an uneven gap: ${step} ${unit}s, but ${gap} ${unit}s from its last value to its first`;
  return [{ code: "UNEVEN_STEP", message: `${message}; for an even interval ${instead}` }];
}

const UNITS: ReadonlyMap<Field, RateUnit> = new Map([
  [MINUTE, "minute"],
  [HOUR, "hour"],
  [DAY, "day"],
]);

function gapAroundEnd(field: Field, values: readonly number[]): number {
  return (values[0] as number) + (field.max - field.min + 1) - (values.at(-1) as number);
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
