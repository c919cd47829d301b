import type { Schedule } from "./schedule.ts";

export interface ScheduleWarning {
  readonly code: string;
  readonly message: string;
}

export function scheduleWarnings(_schedule: Schedule, _nowMs: number): ScheduleWarning[] {
  return [];
}
