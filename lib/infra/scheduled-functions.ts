import { RemovalPolicy, Stack, Token } from "aws-cdk-lib";
import type { Dashboard, MetricOptions } from "aws-cdk-lib/aws-cloudwatch";
import { PermissionsBoundary, type Role } from "aws-cdk-lib/aws-iam";
import { ScheduleGroup } from "aws-cdk-lib/aws-scheduler";
import type { Queue } from "aws-cdk-lib/aws-sqs";
import { Construct, type IConstruct } from "constructs";
import { listed, nearest } from "../schedule/index.ts";
import { FleetAlarms } from "./alarms.ts";
import { createDashboard } from "./dashboard.ts";
import { createDeadLetterQueue } from "./dead-letter-queue.ts";
import { Dispatcher, dispatcherName } from "./dispatcher.ts";
import { SynthError } from "./errors.ts";
import { bundleFleet } from "./fleet-code.ts";
import type { ScheduledFunctionsProps } from "./fleet-props.ts";
import { createHomes } from "./homes.ts";
import { createJobFunction } from "./job-function.ts";
import { groupJobs } from "./job-group.ts";
import type { LoadedJob } from "./load-jobs.ts";
import { LogQueries } from "./log-queries.ts";
import { countOf, type RunStatus, type SkipReason } from "./metrics.ts";
import { groupName } from "./names.ts";
import { addNotes } from "./notes.ts";
import { OperatorPolicies } from "./operator-policies.ts";
import { withOverrides } from "./overrides.ts";
import { checkResourceCount } from "./resource-count.ts";
import { RunTable } from "./run-table.ts";
import { ScheduledFunction } from "./scheduled-function.ts";
import { createSchedulerRole } from "./scheduler-role.ts";
import { shardOf } from "./shards.ts";
import { warnOfSharedTable } from "./shared-table.ts";
import { Watchdog, watchdogName } from "./watchdog.ts";

/**
 * A fleet: the jobs of one stack, with the table, the schedule group, the dead-letter queue and the dispatcher that they
 * share. Its name is the stack's, so a stack holds one fleet.
 */
export class ScheduledFunctions extends Construct {
  readonly fleetName: string;
  readonly table: RunTable;
  readonly deadLetterQueue: Queue;
  /** Managed policies for people: to read the fleet, and to operate it. */
  readonly operatorPolicies: OperatorPolicies;
  /** The underlying resources: in each stack that has jobs EventBridge Scheduler has a role. */
  readonly nodes: {
    readonly scheduleGroup: ScheduleGroup;
    readonly schedulerRoles: readonly Role[];
    readonly dispatcher: Dispatcher;
    readonly watchdog: Watchdog;
    readonly alarms: FleetAlarms;
    readonly dashboard: Dashboard;
  };
  readonly #jobs: ReadonlyMap<string, ScheduledFunction>;

  constructor(scope: Construct, id: string, props: ScheduledFunctionsProps) {
    super(scope, id);
    const { removalPolicy = RemovalPolicy.RETAIN, encryptionKey, tracing = true, runEventBus } = props;
    checkOnlyFleet(this);
    this.fleetName = nameOf(Stack.of(this));
    checkNames(props.jobs);
    const jobs = withOverrides(props);
    const groups = groupJobs(jobs);

    this.table =
      props.table ?? new RunTable(this, "RunTable", { removalPolicy, ...(encryptionKey && { encryptionKey }) });
    this.deadLetterQueue = createDeadLetterQueue(this, "DeadLetterQueue", removalPolicy, encryptionKey);
    const scheduleGroup = createScheduleGroup(this, this.fleetName);
    const sendsRunEvents = runEventBus !== undefined;
    const bundles = bundleFleet(this.fleetName, groups, { shards: props.shards, sendsRunEvents });
    const homes = createHomes(this, props).map((scope) => {
      return { scope, schedulerRole: createSchedulerRole(scope, this.fleetName, this.deadLetterQueue) };
    });
    const shared = { fleetName: this.fleetName, deadLetterQueue: this.deadLetterQueue, removalPolicy, tracing };
    const created = groups.flatMap((group) => {
      const home = homes[shardOf(group.name, homes.length) - 1] as (typeof homes)[number];
      const own = { bundle: bundles.of(group.name), table: this.table, runEventBus };
      const lambdaFunction = createJobFunction(childOf(home.scope, "Functions"), group, { ...shared, ...own });
      const schedules = childOf(home.scope, "Jobs");
      return group.jobs.map(
        (job) =>
          new ScheduledFunction(schedules, job.name, {
            ...shared,
            ...home,
            job,
            function: lambdaFunction,
            alarmTopic: props.alarmTopic,
          }),
      );
    });
    this.#jobs = new Map(created.map((one) => [one.job.name, one]));
    const dispatcher = new Dispatcher(this, "Dispatcher", {
      ...shared,
      bundle: bundles.of(dispatcherName),
      eventBus: props.eventBus,
    });
    const enabled = jobs.some((job) => job.enabled);
    const watchdogBundle = bundles.of(watchdogName);
    const watchdog = new Watchdog(this, "Watchdog", { ...shared, bundle: watchdogBundle, table: this.table, enabled });
    bundles.dispose();
    this.operatorPolicies = new OperatorPolicies(this, "OperatorPolicies", {
      fleetName: this.fleetName,
      table: this.table,
      deadLetterQueue: this.deadLetterQueue,
      hasShards: props.shards !== undefined,
    });
    const schedulerRoles = homes.map(({ schedulerRole }) => schedulerRole);
    const watched = { fleet: this.fleetName, scheduleGroup, deadLetterQueue: this.deadLetterQueue };
    const alarms = new FleetAlarms(this, "Alarms", { ...watched, topic: props.alarmTopic, isWatched: enabled });
    const dashboard = createDashboard(this, "Dashboard", { ...watched, firstJob: jobs[0]?.name ?? "" });
    new LogQueries(this, "LogQueries", this.fleetName);
    this.nodes = { scheduleGroup, schedulerRoles, dispatcher, watchdog, alarms, dashboard };

    if (props.permissionsBoundary) PermissionsBoundary.of(this).apply(props.permissionsBoundary);
    if (props.table) warnOfSharedTable(this, props.table);
    addNotes(this, jobs, Date.now());
    for (const stack of new Set([this, ...homes.map(({ scope }) => scope)].map(Stack.of))) checkResourceCount(stack);
  }

  /**
   * One job of the fleet, for grants and environment variables.
   *
   * @throws SynthError when there is no such job, with the name that was likely meant
   * @example
   * ordersTable.grantReadData(fleet.job("nightly-report"));
   */
  job(name: string): ScheduledFunction {
    const job = this.#jobs.get(name);
    if (job) return job;
    const meant = nearest(name, this.#jobs.keys());
    const hint = meant ? ` Did you mean "${meant}"?` : "";
    throw new SynthError(`${this.node.path} has no job "${name}".${hint} Its jobs: ${listed([...this.#jobs.keys()])}.`);
  }

  /** Attempts of all jobs that ended with the status. */
  metricRuns(status: RunStatus, options?: MetricOptions) {
    return countOf("runs", { fleet: this.fleetName, status }, options);
  }

  /** Occurrences of all jobs that were skipped for the reason. */
  metricSkipped(reason: SkipReason, options?: MetricOptions) {
    return countOf("skipped", { fleet: this.fleetName, reason }, options);
  }

  /** Occurrences of all jobs that should have a run and have none. */
  metricMissed(options?: MetricOptions) {
    return countOf("missedRuns", { fleet: this.fleetName }, options);
  }

  /** Run requests that the dispatcher refused. */
  metricRejectedRequests(options?: MetricOptions) {
    return countOf("rejectedRequests", { fleet: this.fleetName }, options);
  }
}

function nameOf(stack: Stack): string {
  if (!Token.isUnresolved(stack.stackName)) return stack.stackName;
  throw new SynthError(
    `${stack.node.path}: a fleet has the name of its stack, and a nested stack gets one only at deployment. Put the fleet into a stack of its own.`,
  );
}

/** Table, schedule group and functions are named by the stack: those of a second fleet would have the same names. */
function checkOnlyFleet(fleet: ScheduledFunctions): void {
  const stack = Stack.of(fleet);
  const isOther = (one: IConstruct) => one instanceof ScheduledFunctions && one !== fleet && Stack.of(one) === stack;
  const other = stack.node.findAll().find(isOther);
  if (!other) return;
  throw new SynthError(
    `${fleet.node.path}: the stack ${stack.stackName} has the fleet ${other.node.path} already, and holds one. Give that one all the jobs, or put this one into a stack of its own.`,
  );
}

function childOf(scope: Construct, id: string): Construct {
  return (scope.node.tryFindChild(id) as Construct | undefined) ?? new Construct(scope, id);
}

function checkNames(jobs: readonly LoadedJob[]): void {
  if (jobs.length === 0)
    throw new SynthError("The fleet has no jobs. A job is one file in the folder that loadJobs reads.");
  const files = new Map<string, string>();
  for (const { name, file, group } of jobs) {
    const earlier = files.get(name);
    if (earlier) throw new SynthError(`${file}: ${earlier} is the job "${name}" already. Rename one of the two.`);
    const taken = [dispatcherName, watchdogName].find((own) => name === own || group === own);
    if (taken) throw new SynthError(`${file}: "${taken}" is the name of the fleet's own ${taken}. Choose another.`);
    // The CDK keeps what is below a construct in an object, in which that name is taken.
    const unusable = [name, group].find((one) => one === "constructor");
    if (unusable) throw new SynthError(`${file}: "${unusable}" is a name that the CDK cannot use. Choose another.`);
    files.set(name, file);
  }
}

/** A group holds no data: it goes with the stack, and so do its schedules. */
function createScheduleGroup(scope: Construct, fleetName: string): ScheduleGroup {
  return new ScheduleGroup(scope, "ScheduleGroup", {
    scheduleGroupName: groupName(fleetName),
    removalPolicy: RemovalPolicy.DESTROY,
  });
}
