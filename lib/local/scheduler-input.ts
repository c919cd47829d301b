import { randomUUID } from "node:crypto";
import type { ScheduleDefinition } from "./definitions.ts";
import { LOCAL_ACCOUNT, LOCAL_REGION } from "./place.ts";

/**
 * What EventBridge Scheduler hands to Lambda for one occurrence: the schedule's input with the context attributes put
 * in, else its default event, whose `detail` is the text "{}".
 *
 * @param attempt counts the tries to deliver it, from 1
 *
 * @see https://docs.aws.amazon.com/scheduler/latest/UserGuide/managing-schedule-context-attributes.html
 */
export function schedulerInput(schedule: ScheduleDefinition, scheduledTimeMs: number, attempt: number): string {
  const time = new Date(scheduledTimeMs).toISOString().replace(/\.\d+Z$/, "Z");
  if (schedule.input === undefined) {
    return JSON.stringify({
      version: "0",
      id: randomUUID(),
      "detail-type": "Scheduled Event",
      source: "aws.scheduler",
      account: LOCAL_ACCOUNT,
      time,
      region: LOCAL_REGION,
      resources: [schedule.arn],
      detail: "{}",
    });
  }
  return schedule.input
    .replaceAll("<aws.scheduler.schedule-arn>", schedule.arn)
    .replaceAll("<aws.scheduler.scheduled-time>", time)
    .replaceAll("<aws.scheduler.execution-id>", randomUUID())
    .replaceAll("<aws.scheduler.attempt-number>", String(attempt));
}
