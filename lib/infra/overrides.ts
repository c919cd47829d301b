import type { ISecurityGroup, IVpc, SubnetSelection } from "aws-cdk-lib/aws-ec2";
import type { ILayerVersion } from "aws-cdk-lib/aws-lambda";
import { type CodeOption, parseJob, withoutCode } from "../lambda/job.ts";
import type { JobOptions } from "../lambda/options.ts";
import { listed, nearest, own } from "../schedule/index.ts";
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

/**
 * What this stack says of a job: each option takes the place of the file's, at synthesis and at run time, and the CDK
 * objects are added. `redact`, `onSkipped` and `group` are the file's alone.
 */
export interface JobOverrides extends Partial<Omit<JobOptions, CodeOption | "group">>, FunctionResources {}

/** A job with its stack's overrides in it. */
export interface OverriddenJob extends LoadedJob {
  readonly resources: FunctionResources;
  /** What the runtime has to be told, since its bundle has the file's options. */
  readonly runtimeOverrides: Partial<JobOptions> | undefined;
}

/**
 * The jobs as this stack has them. Where its schedules are switched off, only an override switches some on.
 *
 * @throws SynthError where an override is wrong or names no job
 */
export function withOverrides(props: ScheduledFunctionsProps): OverriddenJob[] {
  const { jobs, overrides = {}, functionResources = {}, enabled = true, spreadMinutes } = props;
  const names = jobs.map(({ name }) => name);
  for (const name of Object.keys(overrides)) {
    if (names.includes(name)) continue;
    const meant = nearest(name, names);
    const hint = meant ? ` Did you mean "${meant}"?` : "";
    throw new SynthError(`overrides: there is no job "${name}".${hint} The jobs: ${listed(names)}.`);
  }
  return jobs.map((job) => {
    const { vpc, vpcSubnets, securityGroups, layers, ...options } = own(overrides, job.name) ?? {};
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
  const merged = { ...ofFile, ...options, function: { ...ofFile.function, ...options.function } };
  try {
    return { ...withoutCode(parseJob(job.name, merged)), file, options: ofFile };
  } catch (error) {
    throw new SynthError(`overrides of the job "${job.name}": ${(error as Error).message}`);
  }
}

function given<T extends object>(values: T): { [K in keyof T]?: NonNullable<T[K]> } {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as never;
}
