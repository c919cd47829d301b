import type { ScheduleWarning } from "../schedule/index.ts";
import type { ScheduleView } from "./job-types.ts";

/** The warnings of all of a job's schedules; where there are several, each says whose it is. */
export function warningsOf(schedules: readonly Pick<ScheduleView, "name" | "warnings">[]): ScheduleWarning[] {
  return schedules.flatMap(({ name, warnings }) =>
    warnings.map(({ code, message }) => ({ code, message: schedules.length > 1 ? `${name}: ${message}` : message })),
  );
}
