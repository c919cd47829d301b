import { describeSchedule, nextOccurrence, type Schedule, type ScheduleSpec } from "../schedule/index.ts";
import type { Assembly, FunctionDefinition, ScheduleDefinition } from "./definitions.ts";

/** A job as the cloud assembly has it. */
export interface JobView {
  readonly job: string;
  readonly functionName: string;
  readonly schedules: readonly ScheduleView[];
}

export interface ScheduleView {
  readonly name: string;
  readonly spec: ScheduleSpec;
  /** In words. */
  readonly description: string;
  /** A disabled schedule is not fired. */
  readonly enabled: boolean;
  /** The first occurrence after the start of the runner; absent where none comes, or none is fired. */
  readonly nextMs?: number;
}

export function jobViews(
  assembly: Assembly,
  compiled: (schedule: ScheduleDefinition) => Schedule,
  nowMs: number,
): JobView[] {
  return assembly.functions.flatMap((fn) => {
    const schedules = assembly.schedules.filter((one) => one.functionName === fn.name && !one.isWatchdogs);
    return jobsOf(fn, schedules).map(([job, own]) => {
      return { job, functionName: fn.name, schedules: own.map((one) => scheduleView(one, compiled(one), nowMs)) };
    });
  });
}

/** The jobs of a function by name, each with its schedules: one that is alone has them all. */
function jobsOf(fn: FunctionDefinition, schedules: readonly ScheduleDefinition[]): [string, ScheduleDefinition[]][] {
  if (fn.jobs.length > 1) return fn.jobs.map(({ name }) => [name, schedules.filter(({ job }) => job === name)]);
  const job = fn.environment["ESCAPEMENT_JOB"] ?? schedules[0]?.job;
  return job === undefined ? [] : [[job, [...schedules]]];
}

function scheduleView({ name, spec, enabled }: ScheduleDefinition, compiled: Schedule, nowMs: number): ScheduleView {
  const nextMs = enabled ? nextOccurrence(compiled, nowMs) : undefined;
  return { name, spec, description: describeSchedule(compiled), enabled, ...(nextMs !== undefined && { nextMs }) };
}
