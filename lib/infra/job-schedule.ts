import { Annotations } from "aws-cdk-lib";
import type { IRole } from "aws-cdk-lib/aws-iam";
import type { IFunction } from "aws-cdk-lib/aws-lambda";
import { CfnSchedule, ContextAttribute } from "aws-cdk-lib/aws-scheduler";
import type { IQueue } from "aws-cdk-lib/aws-sqs";
import type { Construct } from "constructs";
import { describeSchedule, parseSchedule, type ScheduleSpec, scheduleWarnings } from "../schedule/index.ts";
import type { LoadedJob } from "./load-jobs.ts";
import { groupName, scheduleName } from "./names.ts";

/** EventBridge Scheduler's bounds of how long it tries to deliver one occurrence. */
const eventAgeSeconds = { atLeast: 60, atMost: 86_400 };
/** EventBridge Scheduler's most: the age alone ends the tries. */
const deliveryRetries = 185;

interface JobScheduleProps {
  readonly function: IFunction;
  readonly fleetName: string;
  readonly schedulerRole: IRole;
  readonly deadLetterQueue: IQueue;
}

/** Creates one schedule of a job in EventBridge Scheduler. */
export function createSchedule(
  scope: Construct,
  job: LoadedJob,
  schedule: string,
  props: JobScheduleProps,
): CfnSchedule {
  const parsed = parseSchedule(job.schedules[schedule] as ScheduleSpec);
  const { startMs, endMs, flexibleWindowMinutes } = parsed;
  for (const { code, message } of scheduleWarnings(parsed, Date.now())) {
    Annotations.of(scope).addWarningV2(`escapement:${code}`, `${job.file}, schedule "${schedule}": ${message}`);
  }
  const created = new CfnSchedule(scope, `Schedule-${schedule}`, {
    name: scheduleName(job.name, schedule),
    groupName: groupName(props.fleetName),
    description: `${job.name}: ${describeSchedule(parsed)}`,
    scheduleExpression: parsed.expression,
    scheduleExpressionTimezone: parsed.timeZone,
    flexibleTimeWindow: flexibleWindowMinutes
      ? { mode: "FLEXIBLE", maximumWindowInMinutes: flexibleWindowMinutes }
      : { mode: "OFF" },
    ...(startMs !== undefined && { startDate: new Date(startMs).toISOString() }),
    ...(endMs !== undefined && { endDate: new Date(endMs).toISOString() }),
    state: job.enabled ? "ENABLED" : "DISABLED",
    target: {
      arn: props.function.functionArn,
      roleArn: props.schedulerRole.roleArn,
      input: scheduleInput(job.name, schedule),
      retryPolicy: {
        maximumEventAgeInSeconds: deliveryWindowSeconds(job.maxLatenessMs[schedule] as number),
        maximumRetryAttempts: deliveryRetries,
      },
      deadLetterConfig: { arn: props.deadLetterQueue.queueArn },
    },
  });
  // Its first occurrence can come as soon as it exists: by then the rights and the retries have to be in place.
  created.node.addDependency(props.schedulerRole, props.function);
  return created;
}

/** The event of an occurrence. EventBridge Scheduler puts the occurrence's own values in the place of each `<aws.…>`. */
function scheduleInput(job: string, schedule: string): string {
  return JSON.stringify({
    escapement: {
      job,
      schedule,
      scheduledTime: ContextAttribute.scheduledTime,
      scheduleArn: ContextAttribute.scheduleArn,
      executionId: ContextAttribute.executionId,
      attempt: ContextAttribute.attemptNumber,
    },
    input: {},
  });
}

/** How long delivery is worth trying: a run that starts later than `maxLateness` would be skipped. */
function deliveryWindowSeconds(maxLatenessMs: number): number {
  const seconds = Math.ceil(maxLatenessMs / 1000);
  return Math.min(Math.max(seconds, eventAgeSeconds.atLeast), eventAgeSeconds.atMost);
}
