import {
  describeSchedule,
  localTime,
  nextOccurrence,
  occurrenceNote,
  parseSchedule,
  type ScheduleInput,
  type ScheduleWarning,
  scheduleWarnings,
} from "../schedule/index.ts";
import { instantText } from "./instants.ts";

export interface UpcomingOccurrence {
  /** `2026-03-28T01:30:00Z` */
  readonly at: string;
  /** The same instant in the schedule's zone: `2026-03-28T02:30:00+01:00` */
  readonly local: string;
  /** What a reader would stumble over here, such as a change of the clocks. */
  readonly note?: string | undefined;
}

export interface Upcoming {
  readonly occurrences: readonly UpcomingOccurrence[];
  /** The schedule in words. */
  readonly description: string;
  readonly warnings: readonly ScheduleWarning[];
}

export interface UpcomingRange {
  /** Exclusive. */
  readonly fromMs: number;
  readonly count: number;
  /** What a rate without a start date counts from: its creation, where that is known. */
  readonly createdMs?: number | undefined;
}

/**
 * The next occurrences of a schedule; fewer than `count` where it ends.
 *
 * @throws ScheduleError `INVALID_SCHEDULE`
 */
export function upcoming(text: ScheduleInput, { fromMs, count, createdMs }: UpcomingRange): Upcoming {
  const schedule = parseSchedule(text, { anchorMs: createdMs ?? fromMs });
  const floating = text.expression.startsWith("rate") && text.start === undefined && createdMs === undefined;

  const occurrences: UpcomingOccurrence[] = [];
  let beforeMs = fromMs;
  while (occurrences.length < count) {
    const atMs = nextOccurrence(schedule, beforeMs);
    if (atMs === undefined) break;
    const countedFrom = floating && occurrences.length === 0 ? floatingNote(fromMs) : undefined;
    occurrences.push({
      at: instantText(atMs),
      local: localTime(atMs, schedule.timeZone),
      note: countedFrom ?? occurrenceNote(schedule, atMs),
    });
    beforeMs = atMs;
  }
  return { occurrences, description: describeSchedule(schedule), warnings: scheduleWarnings(schedule, fromMs) };
}

function floatingNote(fromMs: number): string {
  return `counted from ${instantText(fromMs)}: a rate counts from its creation`;
}
