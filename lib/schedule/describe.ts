import type { Schedule } from "./schedule.ts";

/** A schedule in exact words. */
export function describeSchedule(schedule: Schedule): string {
  return `${schedule.expression}, ${schedule.timeZone}`;
}
