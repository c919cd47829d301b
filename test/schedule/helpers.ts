import {
  nextOccurrence,
  parseSchedule,
  previousOccurrence,
  ScheduleError,
  type ScheduleInput,
} from "../../lib/schedule/index.ts";

/** The next occurrences strictly after an instant, as ISO text to the second. */
export function next(input: ScheduleInput, from: string, count: number): string[] {
  const schedule = parseSchedule(input);
  return collect((after) => nextOccurrence(schedule, after), from, count);
}

/** The previous occurrences strictly before an instant, newest first. */
export function previous(input: ScheduleInput, before: string, count: number): string[] {
  const schedule = parseSchedule(input);
  return collect((instant) => previousOccurrence(schedule, instant), before, count);
}

/** The error that refuses a schedule. */
export function refusal(input: ScheduleInput | (() => unknown)): ScheduleError {
  try {
    const accepted = typeof input === "function" ? input() : parseSchedule(input).expression;
    throw new Error(`expected a refusal, but it was accepted: ${JSON.stringify(accepted)}`);
  } catch (error) {
    if (error instanceof ScheduleError) return error;
    throw error;
  }
}

function collect(step: (instantMs: number) => number | undefined, from: string, count: number): string[] {
  const found: string[] = [];
  let instantMs: number | undefined = Date.parse(from);
  while (found.length < count) {
    instantMs = step(instantMs);
    if (instantMs === undefined) break;
    found.push(new Date(instantMs).toISOString().replace(".000Z", "Z"));
  }
  return found;
}
