import { type CfnResource, Duration, type RemovalPolicy } from "aws-cdk-lib";
import { type IGrantable, type IPrincipal, type IRole, Policy, PolicyStatement } from "aws-cdk-lib/aws-iam";
import { type Code, RecursiveLoop } from "aws-cdk-lib/aws-lambda";
import type { CfnSchedule, IScheduleGroup } from "aws-cdk-lib/aws-scheduler";
import type { IQueue } from "aws-cdk-lib/aws-sqs";
import { Construct } from "constructs";
import { ENVIRONMENT } from "../lambda/environment.ts";
import { createSchedule } from "./job-schedule.ts";
import { createFunction, type FunctionNodes } from "./lambda-function.ts";
import type { LoadedJob } from "./load-jobs.ts";
import { functionName } from "./names.ts";
import type { RunTable } from "./run-table.ts";

/** The key of a function's metadata under which a template has the job's options. */
const jobMetadata = "escapement:job";

/** Properties of a `ScheduledFunction`. */
export interface ScheduledFunctionProps {
  /** The job, as `loadJobs` returns it. */
  readonly job: LoadedJob;
  /** The job's bundle; Lambda's handler in it is `index.handler`. */
  readonly code: Code;
  /** The fleet's name, which is the stack's. */
  readonly fleetName: string;
  /** Where the job's lock and run records are. */
  readonly table: RunTable;
  /** Where an occurrence goes that could not be delivered, or whose run failed for good. */
  readonly deadLetterQueue: IQueue;
  /** The group of the job's schedules. */
  readonly scheduleGroup: IScheduleGroup;
  /** The role that EventBridge Scheduler invokes the function with. */
  readonly schedulerRole: IRole;
  /** What becomes of the job's logs when the job is removed. */
  readonly removalPolicy: RemovalPolicy;
}

/** One job: its Lambda function, and a schedule in EventBridge Scheduler for each of its schedules. */
export class ScheduledFunction extends Construct implements IGrantable {
  readonly job: LoadedJob;
  readonly functionName: string;
  /** The principal that the handler runs as: `table.grantReadWriteData(fleet.job("…"))`. */
  readonly grantPrincipal: IPrincipal;
  /** The underlying resources; the schedules by name. */
  readonly nodes: FunctionNodes & { readonly schedules: Readonly<Record<string, CfnSchedule>> };

  constructor(scope: Construct, id: string, props: ScheduledFunctionProps) {
    super(scope, id);
    this.job = props.job;
    this.functionName = functionName(props.fleetName, props.job.name);
    const nodes = this.#createFunction(props);
    this.nodes = { ...nodes, schedules: this.#createSchedules(nodes, props) };
    this.grantPrincipal = nodes.role;
    this.grantInvoke(props.schedulerRole);
    props.table.grantRun(this, props.fleetName, props.job.name);
    if (takesTurns(props.job)) this.#grantSelfInvoke(nodes);
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

  /** A run that ends starts the next one that waits. A policy of its own: in the role's it would be a cycle. */
  #grantSelfInvoke({ role, function: { functionArn } }: FunctionNodes): void {
    const statement = new PolicyStatement({ actions: ["lambda:InvokeFunction"], resources: [functionArn] });
    new Policy(this, "SelfInvoke", { statements: [statement], roles: [role] });
  }

  #createFunction({ job, fleetName, table, code, deadLetterQueue, removalPolicy }: ScheduledFunctionProps) {
    const nodes = createFunction(this, {
      functionName: this.functionName,
      description: job.description,
      code,
      timeout: Duration.millis(job.timeoutMs),
      environment: {
        [ENVIRONMENT.job]: job.name,
        [ENVIRONMENT.fleet]: fleetName,
        [ENVIRONMENT.table]: table.tableName,
      },
      // Lambda would end a chain of runs that start each other after 16 of them.
      ...(takesTurns(job) && { recursiveLoop: RecursiveLoop.ALLOW }),
      deadLetterQueue,
      removalPolicy,
    });
    // Whoever reads the template or the cloud assembly learns the job's policies here.
    const { file: _, ...spec } = job;
    (nodes.function.node.defaultChild as CfnResource).addMetadata(jobMetadata, spec);
    return nodes;
  }

  #createSchedules(nodes: FunctionNodes, props: ScheduledFunctionProps): Record<string, CfnSchedule> {
    const names = Object.keys(props.job.schedules);
    return Object.fromEntries(
      names.map((name) => [name, createSchedule(this, props.job, name, { ...props, function: nodes.function })]),
    );
  }
}

/** Whether runs of the job may wait for each other. Those that are caught up or backfilled do so with any lock. */
function takesTurns({ overlap }: LoadedJob): boolean {
  return overlap !== "allow";
}
