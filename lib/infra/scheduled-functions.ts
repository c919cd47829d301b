import { RemovalPolicy, Stack } from "aws-cdk-lib";
import { PolicyStatement, Role, ServicePrincipal } from "aws-cdk-lib/aws-iam";
import { ScheduleGroup } from "aws-cdk-lib/aws-scheduler";
import type { Queue } from "aws-cdk-lib/aws-sqs";
import { Construct } from "constructs";
import { nearest } from "../schedule/index.ts";
import { Bundles } from "./bundle.ts";
import { createDeadLetterQueue } from "./dead-letter-queue.ts";
import { Dispatcher, dispatcherEntry, dispatcherName } from "./dispatcher.ts";
import { SynthError } from "./errors.ts";
import type { LoadedJob } from "./load-jobs.ts";
import { manifestOf } from "./manifest.ts";
import { functionName, groupName } from "./names.ts";
import { RunTable } from "./run-table.ts";
import { ScheduledFunction } from "./scheduled-function.ts";
import { Watchdog, watchdogEntry, watchdogName } from "./watchdog.ts";

/** Properties of a `ScheduledFunctions` fleet. */
export interface ScheduledFunctionsProps {
  /** The jobs, as `loadJobs` returns them: one at least, each name once. */
  readonly jobs: readonly LoadedJob[];
  /**
   * What becomes of table, logs and dead letters when they are removed from the stack. All but `DESTROY` also protects the
   * table from deletion.
   *
   * @default RemovalPolicy.RETAIN
   */
  readonly removalPolicy?: RemovalPolicy;
}

/**
 * A fleet: the jobs of one stack, with the table, the schedule group, the dead-letter queue and the dispatcher that they
 * share. Its name is the stack's, so a stack holds one fleet.
 */
export class ScheduledFunctions extends Construct {
  readonly fleetName: string;
  readonly table: RunTable;
  readonly deadLetterQueue: Queue;
  /** The underlying resources. */
  readonly nodes: {
    readonly scheduleGroup: ScheduleGroup;
    readonly schedulerRole: Role;
    readonly dispatcher: Dispatcher;
    readonly watchdog: Watchdog;
  };
  readonly #jobs: ReadonlyMap<string, ScheduledFunction>;

  constructor(scope: Construct, id: string, props: ScheduledFunctionsProps) {
    super(scope, id);
    const { jobs, removalPolicy = RemovalPolicy.RETAIN } = props;
    checkNames(jobs);
    this.fleetName = Stack.of(this).stackName;
    this.table = new RunTable(this, "RunTable", { removalPolicy });
    this.deadLetterQueue = createDeadLetterQueue(this, "DeadLetterQueue", removalPolicy);
    const scheduleGroup = createScheduleGroup(this, this.fleetName);
    const schedulerRole = createSchedulerRole(this, scheduleGroup, this.deadLetterQueue);
    const bundles = bundleFleet(this.fleetName, jobs);
    const shared = { fleetName: this.fleetName, deadLetterQueue: this.deadLetterQueue, removalPolicy };
    this.#jobs = new Map(
      jobs.map((job) => {
        const own = { job, code: bundles.code(job.name), table: this.table, scheduleGroup, schedulerRole };
        return [job.name, new ScheduledFunction(this, job.name, { ...shared, ...own })];
      }),
    );
    const dispatcher = new Dispatcher(this, "Dispatcher", {
      ...shared,
      code: bundles.code(dispatcherName),
      jobs: [...this.#jobs.values()],
    });
    const watchdog = new Watchdog(this, "Watchdog", {
      ...shared,
      code: bundles.code(watchdogName),
      jobs: [...this.#jobs.values()],
      table: this.table,
      scheduleGroup,
      schedulerRole,
    });
    bundles.dispose();
    this.nodes = { scheduleGroup, schedulerRole, dispatcher, watchdog };
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
    throw new SynthError(
      `${this.node.path} has no job "${name}".${hint} Its jobs: ${[...this.#jobs.keys()].join(", ")}.`,
    );
  }
}

function checkNames(jobs: readonly LoadedJob[]): void {
  if (jobs.length === 0)
    throw new SynthError("The fleet has no jobs. A job is one file in the folder that loadJobs reads.");
  const files = new Map<string, string>();
  for (const { name, file } of jobs) {
    const earlier = files.get(name);
    if (earlier) throw new SynthError(`${file}: ${earlier} is the job "${name}" already. Rename one of the two.`);
    if (name === dispatcherName || name === watchdogName) {
      throw new SynthError(`${file}: "${name}" is the name of a function of the fleet's own. Rename the file.`);
    }
    files.set(name, file);
  }
}

/** The jobs and the dispatcher, which knows the jobs by the manifest in its bundle. */
function bundleFleet(fleetName: string, jobs: readonly LoadedJob[]): Bundles {
  const manifest = manifestOf(fleetName, jobs, ({ name }) => functionName(fleetName, name));
  const entries = Object.fromEntries(jobs.map(({ name, file }) => [name, file]));
  return new Bundles(
    { ...entries, [dispatcherName]: dispatcherEntry, [watchdogName]: watchdogEntry },
    { ESCAPEMENT_MANIFEST: JSON.stringify(manifest) },
  );
}

/** A group holds no data: it goes with the stack, and so do its schedules. */
function createScheduleGroup(scope: Construct, fleetName: string): ScheduleGroup {
  return new ScheduleGroup(scope, "ScheduleGroup", {
    scheduleGroupName: groupName(fleetName),
    removalPolicy: RemovalPolicy.DESTROY,
  });
}

/** The role of EventBridge Scheduler: only for this group's schedules, and only to invoke the fleet's jobs. */
function createSchedulerRole(scope: Construct, group: ScheduleGroup, deadLetterQueue: Queue): Role {
  const role = new Role(scope, "SchedulerRole", {
    assumedBy: new ServicePrincipal("scheduler.amazonaws.com", {
      conditions: {
        StringEquals: { "aws:SourceAccount": Stack.of(scope).account, "aws:SourceArn": group.scheduleGroupArn },
      },
    }),
  });
  role.addToPolicy(new PolicyStatement({ actions: ["sqs:SendMessage"], resources: [deadLetterQueue.queueArn] }));
  return role;
}
