import { type Drift, driftOf } from "../run/index.ts";
import type { ListedJob } from "../store/index.ts";
import type { Backend } from "./backend.ts";
import type { Range } from "./backfill/range.ts";
import { type Due, type Readings, whatFellDue, withFiredSchedules } from "./due.ts";

export interface DueAsDeployed {
  readonly due: Due;
  /** The job with those of its schedules alone that are fired, as far as that is known. */
  readonly job: ListedJob;
  /** Schedules that EventBridge does not have as the stack declares them: nothing of theirs counts. */
  readonly drifted: readonly { readonly schedule: string; readonly drift: Drift }[];
}

/**
 * What fell due for a job in a range, without what nobody had to deliver: since the template disables the schedule here, or
 * EventBridge has it disabled, another one or none. EventBridge is asked about those schedules alone that seem to have
 * missed something, as the watchdog asks before it calls anything missing.
 */
export async function dueAsDeployed(
  backend: Backend,
  listed: ListedJob,
  range: Range,
  readings: Readings,
): Promise<DueAsDeployed> {
  const job = withFiredSchedules(listed, backend);
  const due = whatFellDue(job, range, readings);
  const suspects = due.unrecorded.filter(({ state }) => state === "missed").map(({ schedule }) => schedule);
  const { deployedSchedule } = backend;
  if (!deployedSchedule || suspects.length === 0) return { due, job, drifted: [] };

  const drifted: { schedule: string; drift: Drift }[] = [];
  const schedules = { ...job.schedules };
  const schedulesSinceMs = { ...job.schedulesSinceMs };
  for (const [name, spec] of Object.entries(job.schedules)) {
    if (!suspects.includes(name)) continue;
    const deployed = await deployedSchedule(job.job, name);
    const drift = driftOf(spec, deployed);
    if (drift) {
      drifted.push({ schedule: name, drift });
      delete schedules[name];
    } else {
      schedulesSinceMs[name] = Math.max(schedulesSinceMs[name] ?? 0, deployed?.modifiedMs ?? 0);
    }
  }
  const asDeployed = { ...job, schedules, schedulesSinceMs };
  return { due: whatFellDue(asDeployed, range, readings), job: asDeployed, drifted };
}
