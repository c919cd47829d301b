import { GetScheduleCommand, ResourceNotFoundException, type SchedulerClient } from "@aws-sdk/client-scheduler";
import type { DeployedSchedule } from "../run/index.ts";

/** Asks EventBridge Scheduler for one schedule; undefined where it is not there. */
export async function readDeployedSchedule(
  client: SchedulerClient,
  group: string,
  name: string,
): Promise<DeployedSchedule | undefined> {
  try {
    const found = await client.send(new GetScheduleCommand({ GroupName: group, Name: name }));
    const {
      ScheduleExpression = "",
      ScheduleExpressionTimezone = "UTC",
      StartDate,
      EndDate,
      FlexibleTimeWindow,
    } = found;
    const windowMinutes = FlexibleTimeWindow?.MaximumWindowInMinutes;
    return {
      spec: {
        expression: ScheduleExpression,
        timeZone: ScheduleExpressionTimezone,
        ...(StartDate && { start: StartDate.toISOString() }),
        ...(EndDate && { end: EndDate.toISOString() }),
        ...(windowMinutes && { flexibleWindowMinutes: windowMinutes }),
      },
      enabled: found.State !== "DISABLED",
      modifiedMs: (found.LastModificationDate ?? found.CreationDate)?.getTime() ?? 0,
    };
  } catch (error) {
    if (error instanceof ResourceNotFoundException) return undefined;
    throw error;
  }
}
