import type { ScheduleSpec } from "../schedule/index.ts";
import type { FleetJob } from "../store/index.ts";
import type { EventPattern } from "./event-pattern.ts";

/** What the cloud assembly says, with all references resolved. Units are in the names. */
export interface Assembly {
  readonly dir: string;
  readonly functions: readonly FunctionDefinition[];
  readonly schedules: readonly ScheduleDefinition[];
  readonly rules: readonly RuleDefinition[];
  readonly tables: readonly TableDefinition[];
  /** What was found and cannot be run here, in words. */
  readonly warnings: readonly string[];
}

export interface FunctionDefinition {
  readonly name: string;
  readonly assetDir: string;
  /** `<file>.<export>`, as Lambda writes it. */
  readonly handler: string;
  readonly timeoutMs: number;
  readonly memoryMb: number;
  readonly environment: Readonly<Record<string, string>>;
  readonly asyncPolicy: AsyncPolicy;
  /** The jobs of a fleet that it runs: one, or those of a group. */
  readonly jobs: readonly JobMetadata[];
}

/** A job's options, as the template carries them beside its function's properties. */
export type JobMetadata = Omit<FleetJob, "job" | "functionName"> & { readonly name: string };

/** What Lambda's queue does with an asynchronous invocation that fails. */
export interface AsyncPolicy {
  readonly maxRetries: number;
  readonly maxAgeMs: number;
  /** ARN of what takes those that failed for good; without one they are dropped, as Lambda does. */
  readonly destination?: string;
}

export interface ScheduleDefinition {
  /** `<group>/<name>`: unique among all schedules. */
  readonly id: string;
  readonly arn: string;
  /** The job and the schedule's name in it, as the input says; else the function and the schedule's name on AWS. */
  readonly job: string;
  readonly name: string;
  readonly spec: ScheduleSpec;
  readonly enabled: boolean;
  /** Whether it is the watchdog's own, which is no job. */
  readonly isWatchdogs: boolean;
  readonly functionName: string;
  /** The target's input, Scheduler's context attributes still in it; absent for Scheduler's default event. */
  readonly input?: string;
  readonly delivery: DeliveryPolicy;
}

/** What Scheduler does with an occurrence that its target does not take. */
export interface DeliveryPolicy {
  readonly maxRetries: number;
  readonly maxAgeMs: number;
  /** ARN of the queue that takes those that could not be delivered; without one they are dropped, as Scheduler does. */
  readonly destination?: string;
}

/** Events of this pattern on the bus go to these functions. */
export interface RuleDefinition {
  readonly bus: string;
  readonly pattern: EventPattern;
  readonly functionNames: readonly string[];
}

export interface TableDefinition {
  readonly name: string;
  readonly attributes: readonly { readonly AttributeName: string; readonly AttributeType: string }[];
  readonly key: readonly KeyElement[];
  readonly globalIndexes: readonly IndexDefinition[];
  readonly localIndexes: readonly IndexDefinition[];
}

export interface KeyElement {
  readonly AttributeName: string;
  readonly KeyType: string;
}

export interface IndexDefinition {
  readonly IndexName: string;
  readonly KeySchema: readonly KeyElement[];
  readonly Projection: { readonly ProjectionType?: string; readonly NonKeyAttributes?: readonly string[] };
}
