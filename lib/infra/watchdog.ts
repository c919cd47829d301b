import { extname } from "node:path";
import { fileURLToPath } from "node:url";
import { Duration, type RemovalPolicy, Stack, Validations } from "aws-cdk-lib";
import { type IRole, PolicyStatement } from "aws-cdk-lib/aws-iam";
import type { Code } from "aws-cdk-lib/aws-lambda";
import { CfnSchedule, type IScheduleGroup } from "aws-cdk-lib/aws-scheduler";
import type { Queue } from "aws-cdk-lib/aws-sqs";
import { Construct } from "constructs";
import { ENVIRONMENT } from "../lambda/environment.ts";
import { createFunction, type FunctionNodes } from "./lambda-function.ts";
import { functionName, groupName } from "./names.ts";
import type { RunTable } from "./run-table.ts";
import type { ScheduledFunction } from "./scheduled-function.ts";

/** The watchdog's name beside the jobs of its fleet; no job can have it. */
export const watchdogName = "watchdog";
/** The source file of its handler. */
export const watchdogEntry = fileURLToPath(
  new URL(`../lambda/watchdog/handler${extname(import.meta.url)}`, import.meta.url),
);

/** How often it looks. Each look ends before the next one begins. */
const period = Duration.minutes(5);
const timeout = Duration.minutes(4);

interface WatchdogProps {
  readonly code: Code;
  readonly fleetName: string;
  readonly jobs: readonly ScheduledFunction[];
  readonly table: RunTable;
  readonly scheduleGroup: IScheduleGroup;
  readonly schedulerRole: IRole;
  readonly deadLetterQueue: Queue;
  readonly removalPolicy: RemovalPolicy;
}

/**
 * Looks at all jobs of a fleet every five minutes: which occurrences have no run, which runs died, and what has to be
 * started because nothing else will.
 */
export class Watchdog extends Construct {
  /** The underlying resources. */
  readonly nodes: FunctionNodes & { readonly schedule: CfnSchedule };

  constructor(scope: Construct, id: string, props: WatchdogProps) {
    super(scope, id);
    const { fleetName, table } = props;
    const nodes = createFunction(this, {
      functionName: functionName(fleetName, watchdogName),
      description: `Watches the jobs of ${fleetName}`,
      code: props.code,
      timeout,
      environment: { [ENVIRONMENT.table]: table.tableName },
      deadLetterQueue: props.deadLetterQueue,
      removalPolicy: props.removalPolicy,
    });
    table.grantWatch(nodes.role, fleetName);
    for (const job of props.jobs) job.grantInvoke(nodes.role);
    this.#grantSchedules(nodes, fleetName);
    this.nodes = { ...nodes, schedule: this.#createSchedule(nodes, props) };
  }

  #grantSchedules({ role }: FunctionNodes, fleetName: string): void {
    const resourceName = `${groupName(fleetName)}/*`;
    const schedules = Stack.of(this).formatArn({ service: "scheduler", resource: "schedule", resourceName });
    role.addToPolicy(new PolicyStatement({ actions: ["scheduler:GetSchedule"], resources: [schedules] }));
    Validations.of(role).acknowledge({
      id: `AwsSolutions::AwsSolutions-IAM5[Resource::arn:<AWS::Partition>:scheduler:<AWS::Region>:<AWS::AccountId>:schedule/${resourceName}]`,
      reason: "The group is this fleet's alone, and its schedules do not fit into one policy one by one.",
    });
  }

  #createSchedule({ function: lambdaFunction }: FunctionNodes, props: WatchdogProps): CfnSchedule {
    const { scheduleGroup, schedulerRole, deadLetterQueue } = props;
    schedulerRole.addToPrincipalPolicy(
      new PolicyStatement({ actions: ["lambda:InvokeFunction"], resources: [lambdaFunction.functionArn] }),
    );
    const schedule = new CfnSchedule(this, "Schedule", {
      name: watchdogName,
      groupName: scheduleGroup.scheduleGroupName,
      description: `The looks of the watchdog of ${props.fleetName}`,
      scheduleExpression: `rate(${period.toMinutes()} minutes)`,
      flexibleTimeWindow: { mode: "OFF" },
      target: {
        arn: lambdaFunction.functionArn,
        roleArn: schedulerRole.roleArn,
        input: JSON.stringify({ escapement: { watchdog: props.fleetName } }),
        // The next look does what this one would have.
        retryPolicy: { maximumEventAgeInSeconds: period.toSeconds(), maximumRetryAttempts: 185 },
        deadLetterConfig: { arn: deadLetterQueue.queueArn },
      },
    });
    schedule.node.addDependency(schedulerRole, lambdaFunction);
    return schedule;
  }
}
