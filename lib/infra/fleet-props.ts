import type { IStackSynthesizer, RemovalPolicy } from "aws-cdk-lib";
import type { IEventBus } from "aws-cdk-lib/aws-events";
import type { IManagedPolicy } from "aws-cdk-lib/aws-iam";
import type { IKey } from "aws-cdk-lib/aws-kms";
import type { ITopic } from "aws-cdk-lib/aws-sns";
import type { LoadedJob } from "./load-jobs.ts";
import type { FunctionResources, JobOverrides } from "./overrides.ts";
import type { RunTable } from "./run-table.ts";

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
  /**
   * Whether the schedules are switched on. Off, a job still runs on request.
   *
   * @default true
   */
  readonly enabled?: boolean;
  /**
   * What this stack says of jobs in place of their files, by job.
   *
   * @default - what the files say
   */
  readonly overrides?: Readonly<Record<string, JobOverrides>>;
  /**
   * The CDK objects, such as a VPC, that each job's function gets unless its overrides name others.
   *
   * @default - none
   */
  readonly functionResources?: FunctionResources;
  /**
   * Where locks and run records are.
   *
   * @default - a table of this fleet's own
   */
  readonly table?: RunTable;
  /**
   * The event bus that takes `Run Requested` events.
   *
   * @default - the account's default bus
   */
  readonly eventBus?: IEventBus;
  /**
   * The key that the fleet's own table and its dead letters are encrypted with. Its policy has to let the account use it by
   * IAM, as the keys that CDK makes do.
   *
   * @default - keys of AWS
   */
  readonly encryptionKey?: IKey;
  /**
   * The event bus that is told how each attempt of a run ended: `Run Succeeded`, `Run Failed`, `Run Timed Out`, `Run Cancelled`.
   *
   * @default - none is told
   */
  readonly runEventBus?: IEventBus;
  /**
   * Whether X-Ray traces the functions, each attempt with its job, run id and number.
   *
   * @default true
   */
  readonly tracing?: boolean;
  /**
   * Who is told when an alarm begins, and when it ends. An encrypted topic's key has to let `cloudwatch.amazonaws.com` use it.
   *
   * @default - nobody: the alarms are there to be looked at
   */
  readonly alarmTopic?: ITopic;
  /**
   * The permissions boundary of every role.
   *
   * @default - none
   */
  readonly permissionsBoundary?: IManagedPolicy;
  /**
   * In how many minutes from its scheduled time EventBridge may start an occurrence, from 1 to 1440, so that jobs which say
   * the same minute do not all start in it. It is a flexible window for each schedule that has none of its own, and takes
   * half of the time to the next occurrence at most, and half of the job's `maxLateness`.
   *
   * @default - at the scheduled time
   */
  readonly spreadMinutes?: number;
  /**
   * In how many stacks of their own the jobs are, from 1 to 64: `<stack>-shard-1` and so on, for a fleet that outgrows the
   * 500 resources of one. A job's shard depends on its name and on this number alone.
   *
   * @default - the jobs are in the fleet's stack
   */
  readonly shards?: number;
  /**
   * How the shards' stacks are synthesized: with a bootstrap qualifier or roles of your own, the same as the fleet's stack,
   * which a `ScheduledFunctionsStack` sees to.
   *
   * @default - as the app says for all its stacks
   */
  readonly synthesizer?: IStackSynthesizer;
}
