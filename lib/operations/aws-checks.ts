import { DescribeTimeToLiveCommand, type DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { paginateListSchedules, SchedulerClient, type ScheduleSummary } from "@aws-sdk/client-scheduler";
import { SKEW_TOLERANCE_MS } from "../run/index.ts";
import { type ListedJob, TTL_ATTRIBUTE } from "../store/index.ts";
import { awsError } from "./aws-errors.ts";
import type { AwsPlace } from "./aws-place.ts";
import type { Finding } from "./types.ts";

/** Records are removed only where the table has expiry switched on, for the attribute that they carry it in. */
export async function expiryFinding(client: DynamoDBClient, tableName: string): Promise<Finding> {
  const check = "expiry";
  try {
    const { TimeToLiveDescription: found } = await client.send(new DescribeTimeToLiveCommand({ TableName: tableName }));
    const isOn = found?.TimeToLiveStatus === "ENABLED" && found.AttributeName === TTL_ATTRIBUTE;
    if (isOn) return { check, level: "ok", message: `by ${TTL_ATTRIBUTE}` };
    const message = `table ${tableName} does not remove old records: its expiry is ${found?.TimeToLiveStatus ?? "not set"}`;
    return { check, level: "warning", message, advice: "Deploy the stack again, or switch its TTL on." };
  } catch (error) {
    return unchecked(check, error, `the expiry of ${tableName}`);
  }
}

/** @param serverMs AWS's own time, in whole seconds, as it was at `nowMs` of this machine */
export function clockFinding(serverMs: number, nowMs: number): Finding {
  const check = "clock";
  const aheadMs = nowMs < serverMs ? nowMs - serverMs : Math.max(0, nowMs - serverMs - 999);
  if (Math.abs(aheadMs) <= SKEW_TOLERANCE_MS) return { check, level: "ok", message: "agrees with AWS" };
  return {
    check,
    level: "warning",
    message: `this machine's clock is ${Math.round(Math.abs(aheadMs) / 1000)} s ${aheadMs > 0 ? "ahead of" : "behind"} AWS's`,
    advice: "Set it by a time server: what is shown as due, late or dead here is judged by it.",
  };
}

/** Compares the fleet's schedules with those of its group, where somebody may have changed them in the console. */
export async function scheduleFindings(place: AwsPlace, group: string, jobs: readonly ListedJob[]): Promise<Finding[]> {
  const client = new SchedulerClient(place);
  try {
    const found = new Map<string, ScheduleSummary>();
    for await (const { Schedules = [] } of paginateListSchedules({ client }, { GroupName: group })) {
      for (const schedule of Schedules) found.set(schedule.Name ?? "", schedule);
    }
    const drifted = jobs.filter(({ removedMs }) => removedMs === undefined).flatMap((job) => driftOf(job, found));
    return drifted.length > 0 ? drifted : [{ check: "schedules", level: "ok", message: "as the stack declares them" }];
  } catch (error) {
    return [unchecked("schedules", error, `the schedules of group ${group}`)];
  } finally {
    client.destroy();
  }
}

/** Names of 64 characters and more are cut on AWS, and not looked for. */
const MAX_NAME_LENGTH = 64;

function driftOf({ job, enabled, schedules }: ListedJob, found: ReadonlyMap<string, ScheduleSummary>): Finding[] {
  return Object.keys(schedules).flatMap((schedule) => {
    const name = schedule === "default" ? job : `${job}.${schedule}`;
    if (name.length > MAX_NAME_LENGTH) return [];
    const deployed = found.get(name);
    const advice = "Deploy the stack again to set it right; to stop a job for a while, pause it instead.";
    const finding = (message: string): Finding[] => [{ check: `job ${job}`, level: "warning", message, advice }];
    if (!deployed) return finding(`its schedule ${name} is gone from EventBridge`);
    const isEnabled = deployed.State === "ENABLED";
    if (isEnabled === enabled) return [];
    return finding(`its schedule ${name} is ${isEnabled ? "enabled" : "disabled"} in EventBridge, against its code`);
  });
}

function unchecked(check: string, error: unknown, what: string): Finding {
  const { message } = awsError(error, `${what} could not be checked`) as Error;
  return { check, level: "warning", message };
}
