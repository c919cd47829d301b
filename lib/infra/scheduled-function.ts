import type { MetricOptions } from "aws-cdk-lib/aws-cloudwatch";
import { type IGrantable, type IPrincipal, type IRole, PolicyStatement } from "aws-cdk-lib/aws-iam";
import type { CfnSchedule } from "aws-cdk-lib/aws-scheduler";
import type { ITopic } from "aws-cdk-lib/aws-sns";
import type { IQueue } from "aws-cdk-lib/aws-sqs";
import { Construct } from "constructs";
import { JobAlarms } from "./alarms.ts";
import { createSchedule } from "./job-schedule.ts";
import type { FunctionNodes } from "./lambda-function.ts";
import type { LoadedJob } from "./load-jobs.ts";
import { countOf, type RunStatus, type SkipReason, timeOf } from "./metrics.ts";
import { functionName } from "./names.ts";

/** Properties of a `ScheduledFunction`, which its fleet fills in. */
export interface ScheduledFunctionProps {
  /** The job, as `loadJobs` returns it. */
  readonly job: LoadedJob;
  /** The function that runs it, in whose stack the schedules are. */
  readonly function: FunctionNodes;
  /** The fleet's name, which is that of its stack and of the group of its schedules. */
  readonly fleetName: string;
  /** Where an occurrence goes that could not be delivered. */
  readonly deadLetterQueue: IQueue;
  /** The role that EventBridge Scheduler invokes the function with. */
  readonly schedulerRole: IRole;
  /** Who is told by the job's alarms, where it has any. */
  readonly alarmTopic?: ITopic | undefined;
}

/**
 * One job: a schedule in EventBridge Scheduler for each of its schedules, and the Lambda function that runs it, alone or
 * for all jobs of its group. A fleet makes it: `fleet.job("nightly-report")`.
 */
export class ScheduledFunction extends Construct implements IGrantable {
  readonly job: LoadedJob;
  readonly functionName: string;
  /** The principal that the handler runs as: `table.grantReadWriteData(fleet.job("…"))`. */
  readonly grantPrincipal: IPrincipal;
  /** The underlying resources; the schedules by name. In a group, function, role and logs are those of the group. */
  readonly nodes: FunctionNodes & { readonly schedules: Readonly<Record<string, CfnSchedule>> };
  readonly #dimensions: { readonly fleet: string; readonly job: string };

  constructor(scope: Construct, id: string, props: ScheduledFunctionProps) {
    super(scope, id);
    this.job = props.job;
    this.#dimensions = { fleet: props.fleetName, job: props.job.name };
    const lambdaFunction = props.function.function;
    this.functionName = functionName(props.fleetName, props.job.group ?? props.job.name);
    this.grantPrincipal = props.function.role;
    const names = Object.keys(props.job.schedules);
    const schedules = names.map((name) => {
      const created = createSchedule(this, props.job, name, { ...props, function: lambdaFunction });
      return [name, created] as const;
    });
    this.nodes = { ...props.function, schedules: Object.fromEntries(schedules) };
    this.grantInvoke(props.schedulerRole);
    if (props.job.alarms) new JobAlarms(this, "Alarms", { ...this.#dimensions, topic: props.alarmTopic });
  }

  /** Sets a variable that the handler reads from `process.env`. */
  addEnvironment(name: string, value: string): void {
    this.nodes.function.addEnvironment(name, value);
  }

  /** Lets somebody start runs of this job by invoking its function. */
  grantInvoke(grantee: IGrantable): void {
    grantee.grantPrincipal.addToPrincipalPolicy(
      new PolicyStatement({ actions: ["lambda:InvokeFunction"], resources: [this.nodes.function.functionArn] }),
    );
  }

  /** Attempts of this job that ended with the status. */
  metricRuns(status: RunStatus, options?: MetricOptions) {
    return countOf("runs", { ...this.#dimensions, status }, options);
  }

  /** From the start of an attempt to its end, in milliseconds. */
  metricDuration(options?: MetricOptions) {
    return timeOf("durationMs", this.#dimensions, options);
  }

  /** From the scheduled time to the start of the first attempt, in milliseconds. */
  metricLateness(options?: MetricOptions) {
    return timeOf("latenessMs", this.#dimensions, options);
  }

  /** Occurrences of this job that were skipped for the reason. */
  metricSkipped(reason: SkipReason, options?: MetricOptions) {
    return countOf("skipped", { ...this.#dimensions, reason }, options);
  }

  /** Occurrences of this job that should have a run and have none. */
  metricMissed(options?: MetricOptions) {
    return countOf("missedRuns", this.#dimensions, options);
  }

  /** Deliveries of an occurrence that runs or has run already. */
  metricDuplicates(options?: MetricOptions) {
    return countOf("duplicates", this.#dimensions, options);
  }
}
