import { SchedulerClient } from "@aws-sdk/client-scheduler";
import PQueue from "p-queue";
import { type DeployedSchedule, driftOf } from "../run/index.ts";
import type { ScheduleSpec } from "../schedule/index.ts";
import { readDeployedSchedule } from "../store/deployed-schedule.ts";
import type { ListedJob } from "../store/index.ts";
import { groupName, scheduleName } from "../store/scheduler-names.ts";
import { unchecked } from "./aws-checks.ts";
import { awsError } from "./aws-errors.ts";
import type { AwsPlace } from "./aws-place.ts";
import type { Finding } from "./types.ts";

/** Far below what the account's other callers of EventBridge Scheduler leave. */
const PARALLEL_REQUESTS = 10;

/** A job's schedule as EventBridge has it; undefined where it has none. */
export async function deployedSchedule(
  place: AwsPlace,
  fleet: string,
  job: string,
  schedule: string,
): Promise<DeployedSchedule | undefined> {
  const client = new SchedulerClient(place);
  try {
    return await readDeployedSchedule(client, groupName(fleet), scheduleName(job, schedule));
  } catch (error) {
    throw awsError(error, `the schedule ${schedule} of ${job} could not be read`);
  } finally {
    client.destroy();
  }
}

/** Compares the fleet's schedules with those of its group, where somebody may have changed them in the console. */
export async function scheduleFindings(place: AwsPlace, fleet: string, jobs: readonly ListedJob[]): Promise<Finding[]> {
  const queue = new PQueue({ concurrency: PARALLEL_REQUESTS });
  const schedules = jobs
    .filter(({ removedMs }) => removedMs === undefined)
    .flatMap((job) => Object.entries(job.schedules).map(([schedule, spec]) => ({ job, schedule, spec })));
  try {
    const found = await queue.addAll(
      schedules.map(({ job, schedule, spec }) => async () => {
        const deployed = await deployedSchedule(place, fleet, job.job, schedule);
        const message = driftText(scheduleName(job.job, schedule), spec, job.enabled, deployed);
        return message === undefined ? [] : [driftFinding(job.job, message)];
      }),
    );
    const drifted = found.flat();
    return drifted.length > 0 ? drifted : [{ check: "schedules", level: "ok", message: "as the stack declares them" }];
  } catch (error) {
    return [unchecked("schedules", error, `the schedules of ${fleet}`)];
  }
}

function driftText(
  name: string,
  spec: ScheduleSpec,
  enabled: boolean,
  deployed: DeployedSchedule | undefined,
): string | undefined {
  if (!enabled)
    return deployed?.enabled ? `its schedule ${name} is enabled in EventBridge, against its code` : undefined;
  switch (driftOf(spec, deployed)) {
    case "deleted":
      return `its schedule ${name} is gone from EventBridge`;
    case "disabled":
      return `its schedule ${name} is disabled in EventBridge, against its code`;
    case "changed":
      return `its schedule ${name} is ${specText(deployed?.spec)} in EventBridge, and ${specText(spec)} in its code`;
    case undefined:
      return undefined;
  }
}

function driftFinding(job: string, message: string): Finding {
  const advice =
    "Deploy the stack again, after a change of the schedule in its code, to set it right; to stop a job for a while, pause it instead.";
  return { check: `job ${job}`, level: "failed", message, advice };
}

function specText(spec: ScheduleSpec | undefined): string {
  const { expression, timeZone, start, end, flexibleWindowMinutes } = spec ?? {};
  const limits = [start && `from ${start}`, end && `until ${end}`];
  const window = flexibleWindowMinutes && `within ${flexibleWindowMinutes} minutes`;
  return [`${expression} ${timeZone}`, ...limits, window].filter(Boolean).join(", ");
}
