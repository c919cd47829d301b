import { parseSchedule, shortestGapMs } from "../schedule/index.ts";
import { SynthError } from "./errors.ts";
import type { LoadedJob } from "./load-jobs.ts";

const minuteMs = 60_000;
/** EventBridge Scheduler's longest flexible window, a day. */
const maxMinutes = 1440;

/**
 * Lets EventBridge choose the moment of each occurrence within some minutes, for jobs that all say the same one. A window
 * takes half of the time to the next occurrence at most, and half of the job's `maxLateness`: each occurrence keeps its
 * place, and none comes too late. A schedule with a window of its own keeps that.
 *
 * @throws SynthError where the number of minutes is not from 1 to 1440
 */
export function spread(job: LoadedJob, minutes: number): LoadedJob {
  if (!Number.isInteger(minutes) || minutes < 1 || minutes > maxMinutes) {
    throw new SynthError(`spreadMinutes is ${minutes}. Allowed: a whole number from 1 to ${maxMinutes}.`);
  }
  const schedules = Object.entries(job.schedules).map(([name, spec]) => {
    const gapMs = Math.min(shortestGapMs(parseSchedule(spec)), job.maxLatenessMs[name] as number);
    const flexibleWindowMinutes = Math.min(minutes, Math.floor(gapMs / 2 / minuteMs));
    const isExact = spec.flexibleWindowMinutes === undefined && flexibleWindowMinutes >= 1;
    return [name, isExact ? { ...spec, flexibleWindowMinutes } : spec] as const;
  });
  return { ...job, schedules: Object.fromEntries(schedules) };
}
