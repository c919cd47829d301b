import type { ISecurityGroup, IVpc, SubnetSelection } from "aws-cdk-lib/aws-ec2";
import type { ILayerVersion } from "aws-cdk-lib/aws-lambda";
import { CODE_OPTIONS, parseJob, withoutCode } from "../lambda/job.ts";
import type { JobOptions } from "../lambda/options.ts";
import { listed, nearest, own, shown } from "../schedule/index.ts";
import { SynthError } from "./errors.ts";
import type { ScheduledFunctionsProps } from "./fleet-props.ts";
import type { LoadedJob } from "./load-jobs.ts";
import { spread } from "./spread.ts";

/** The CDK objects that a job's function can be given; what is plain data stands in the job's file. */
export interface FunctionResources {
  /**
   * The VPC that the function runs in.
   *
   * @default - none
   */
  readonly vpc?: IVpc;
  /**
   * Its subnets.
   *
   * @default - the private subnets with a way out
   */
  readonly vpcSubnets?: SubnetSelection;
  /**
   * Its security groups in the VPC.
   *
   * @default - a new one
   */
  readonly securityGroups?: readonly ISecurityGroup[];
  /**
   * Layers, beside those that the file names by ARN.
   *
   * @default - none
   */
  readonly layers?: readonly ILayerVersion[];
}

const RESOURCE_NAMES = ["vpc", "vpcSubnets", "securityGroups", "layers"] as const satisfies (keyof FunctionResources)[];

/** The options that a stack cannot override. */
const FILE_OPTIONS = [...CODE_OPTIONS, "group"] as const satisfies (keyof JobOptions)[];

/**
 * What this stack says of a job: each option takes the place of the file's, at synthesis and at run time, and the CDK
 * objects are added. `redact`, `onSkipped` and `group` are the file's alone.
 */
export interface JobOverrides extends Partial<Omit<JobOptions, (typeof FILE_OPTIONS)[number]>>, FunctionResources {}

/** A job with its stack's overrides in it. */
export interface OverriddenJob extends LoadedJob {
  readonly resources: FunctionResources;
  /** What the runtime has to be told, since its bundle has the file's options. */
  readonly runtimeOverrides: Partial<JobOptions> | undefined;
}

/**
 * The jobs as this stack has them. Where its schedules are switched off, only an override switches some on.
 *
 * @throws SynthError where an override is wrong, is the file's alone or names no job
 */
export function withOverrides(props: ScheduledFunctionsProps): OverriddenJob[] {
  const { jobs, overrides = {}, functionResources = {}, enabled = true, spreadMinutes } = props;
  checkOverrides(overrides, jobs);
  checkResources(functionResources);
  return jobs.map((job) => {
    const { vpc, vpcSubnets, securityGroups, layers, ...options } = given(own(overrides, job.name) ?? {});
    const { function: _, enabled: switched, ...ofRun } = options;
    const changed = Object.keys(options).length === 0 ? job : parsed(job, options);
    return {
      ...(spreadMinutes === undefined ? changed : spread(changed, spreadMinutes)),
      resources: { ...functionResources, ...given({ vpc, vpcSubnets, securityGroups, layers }) },
      runtimeOverrides: Object.keys(ofRun).length === 0 ? undefined : ofRun,
      enabled: switched ?? (enabled && job.enabled),
    };
  });
}

function parsed(job: LoadedJob, options: Partial<JobOptions>): LoadedJob {
  const { file, options: ofFile } = job;
  const merged = { ...ofFile, ...options, function: { ...ofFile.function, ...given(options.function ?? {}) } };
  try {
    return { ...withoutCode(parseJob(job.name, merged)), file, options: ofFile };
  } catch (error) {
    throw new SynthError(`overrides of the job "${job.name}": ${(error as Error).message}`);
  }
}

function checkOverrides(overrides: Readonly<Record<string, JobOverrides>>, jobs: readonly LoadedJob[]): void {
  checkObject("overrides", overrides, "an object, by job");
  for (const [name, options] of Object.entries(overrides)) {
    const job = jobs.find((one) => one.name === name);
    if (!job) {
      const names = jobs.map((one) => one.name);
      throw new SynthError(`overrides: there is no job "${name}".${hintAt(name, names)} The jobs: ${listed(names)}.`);
    }
    checkObject(`overrides of the job "${name}"`, options, "an object");
    const ofFile = FILE_OPTIONS.find((option) => option in options);
    if (ofFile)
      throw new SynthError(
        `overrides of the job "${name}": ${ofFile} is the file's alone, and cannot be overridden. Say it in ${job.file}.`,
      );
  }
}

function checkResources(resources: FunctionResources): void {
  checkObject("functionResources", resources, "an object");
  const names: readonly string[] = RESOURCE_NAMES;
  const unknown = Object.keys(resources).find((name) => !names.includes(name));
  if (unknown === undefined) return;
  throw new SynthError(
    `functionResources: unknown "${unknown}".${hintAt(unknown, names)} Allowed: ${names.join(", ")}.`,
  );
}

function checkObject(what: string, value: unknown, allowed: string): void {
  if (typeof value === "object" && value !== null && !Array.isArray(value)) return;
  throw new SynthError(`${what} is ${shown(value)}. Allowed: ${allowed}.`);
}

function hintAt(name: string, known: readonly string[]): string {
  const meant = nearest(name, known);
  return meant === undefined ? "" : ` Did you mean "${meant}"?`;
}

function given<T extends object>(values: T): { [K in keyof T]?: NonNullable<T[K]> } {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as never;
}
