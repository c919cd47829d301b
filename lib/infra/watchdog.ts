import { extname } from "node:path";
import { fileURLToPath } from "node:url";
import { Duration, type RemovalPolicy, Stack } from "aws-cdk-lib";
import { PolicyStatement } from "aws-cdk-lib/aws-iam";
import { CfnSchedule } from "aws-cdk-lib/aws-scheduler";
import type { Queue } from "aws-cdk-lib/aws-sqs";
import { Construct } from "constructs";
import { ENVIRONMENT } from "../lambda/environment.ts";
import type { Bundle } from "./bundle.ts";
import { fleetFunctionsArn } from "./fleet-functions.ts";
import { createFunction, type FunctionNodes } from "./lambda-function.ts";
import { functionName, groupName } from "./names.ts";
import type { RunTable } from "./run-table.ts";
import { createSchedulerRole } from "./scheduler-role.ts";
import { acknowledgeWildcard } from "./wildcards.ts";

/** The watchdog's name beside the jobs of its fleet; no job can have it. */
export const watchdogName = "watchdog";
/** The source file of its handler. */
export const watchdogEntry = fileURLToPath(
  new URL(`../lambda/watchdog/handler${extname(import.meta.url)}`, import.meta.url),
);

/** How often it looks. Each look ends before the next one begins. */
const period = Duration.minutes(5);
const timeout = Duration.minutes(4);
/** For 2,000 jobs, with room: docs/benchmarks.md. */
const memoryMb = 512;

interface WatchdogProps {
  readonly bundle: Bundle;
  readonly fleetName: string;
  readonly table: RunTable;
  /** Where no schedule is switched on, this one is not either. */
  readonly enabled: boolean;
  readonly deadLetterQueue: Queue;
  readonly removalPolicy: RemovalPolicy;
  readonly tracing: boolean;
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
      bundle: props.bundle,
      timeout,
      memoryMb,
      environment: { [ENVIRONMENT.table]: table.tableName },
      deadLetterQueue: props.deadLetterQueue,
      removalPolicy: props.removalPolicy,
      tracing: props.tracing,
    });
    table.grantWatch(nodes.role, fleetName);
    this.#grantFleet(nodes, fleetName);
    this.nodes = { ...nodes, schedule: this.#createSchedule(nodes, props) };
  }

  /** Its jobs, to start their runs, and their schedules, to know what they really are. */
  #grantFleet({ role }: FunctionNodes, fleetName: string): void {
    const functions = fleetFunctionsArn(Stack.of(this), fleetName);
    role.addToPolicy(new PolicyStatement({ actions: ["lambda:InvokeFunction"], resources: [functions] }));
    acknowledgeWildcard(role, functions, "The name's beginning is this fleet's alone, whose jobs it starts.");

    const resourceName = `${groupName(fleetName)}/*`;
    const schedules = Stack.of(this).formatArn({ service: "scheduler", resource: "schedule", resourceName });
    role.addToPolicy(new PolicyStatement({ actions: ["scheduler:GetSchedule"], resources: [schedules] }));
    acknowledgeWildcard(role, schedules, "The group is this fleet's alone, whose schedules it asks for.");
  }

  #createSchedule({ function: lambdaFunction }: FunctionNodes, props: WatchdogProps): CfnSchedule {
    const { fleetName, deadLetterQueue, enabled } = props;
    const role = createSchedulerRole(this, fleetName, deadLetterQueue);
    role.addToPolicy(
      new PolicyStatement({ actions: ["lambda:InvokeFunction"], resources: [lambdaFunction.functionArn] }),
    );
    const schedule = new CfnSchedule(this, "Schedule", {
      name: watchdogName,
      groupName: groupName(fleetName),
      description: `The looks of the watchdog of ${fleetName}`,
      scheduleExpression: `rate(${period.toMinutes()} minutes)`,
      flexibleTimeWindow: { mode: "OFF" },
      state: enabled ? "ENABLED" : "DISABLED",
      target: {
        arn: lambdaFunction.functionArn,
        roleArn: role.roleArn,
        input: JSON.stringify({ escapement: { watchdog: fleetName } }),
        // The next look does what this one would have done.
        retryPolicy: { maximumEventAgeInSeconds: period.toSeconds(), maximumRetryAttempts: 185 },
        deadLetterConfig: { arn: deadLetterQueue.queueArn },
      },
    });
    schedule.node.addDependency(role, lambdaFunction);
    return schedule;
  }
}
