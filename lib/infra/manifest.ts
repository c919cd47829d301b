import type { Manifest, ManifestJob } from "../lambda/manifest.ts";
import { fleetJobOf } from "../store/fleet.ts";
import type { LoadedJob } from "./load-jobs.ts";
import { groupName, scheduleName } from "./names.ts";

/** What the fleet's own functions are told of its jobs. */
export function manifestOf(
  fleet: string,
  jobs: readonly LoadedJob[],
  functionNameOf: (job: LoadedJob) => string,
): Manifest {
  const entries = jobs.map((job) => [job.name, manifestJobOf(job, functionNameOf(job))] as const);
  return { fleet, scheduleGroup: groupName(fleet), jobs: Object.fromEntries(entries) };
}

function manifestJobOf(job: LoadedJob, functionName: string): ManifestJob {
  const { name, schedules, catchUp, queueLength } = job;
  const scheduleNames = Object.keys(schedules).map((schedule) => [schedule, scheduleName(name, schedule)]);
  return {
    ...fleetJobOf(job, functionName),
    queueLength,
    catchUp,
    scheduleNames: Object.fromEntries(scheduleNames),
  };
}
