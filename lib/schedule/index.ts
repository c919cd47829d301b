export { type AtOptions, at, cron, rate, type ScheduleOptions } from "./author.ts";
export type { CronFields } from "./cron-fields.ts";
export { describeSchedule } from "./describe.ts";
export { ScheduleError } from "./errors.ts";
export { shortestGapMs } from "./gap.ts";
export { nearest } from "./nearest.ts";
export { nextOccurrence, occurrencesBetween, previousOccurrence } from "./occurrences.ts";
export { parseSchedule, type Schedule, type ScheduleInput, type ScheduleSpec } from "./schedule.ts";
export { type ScheduleWarning, scheduleWarnings } from "./warnings.ts";
