import { fitName } from "../store/scheduler-names.ts";

export { groupName, scheduleName } from "../store/scheduler-names.ts";

/** The longest name that Lambda takes for a function. */
const maxLength = 64;
/** What a stack's name has of a function's at most, so that there is room for the job's. */
const maxPrefixLength = 28;
/** The longest name of a stack. */
const maxStackLength = 128;
/** The longest name of a managed policy. */
const maxPolicyLength = 128;

/**
 * What the names of a fleet's functions begin with, before a `_`: the stack's name. Neither a stack's nor a job's name can
 * have a `_`, so a right on `<prefix>_*` reaches this fleet's functions and no other's.
 */
export function fleetPrefix(stackName: string): string {
  return fitName(stackName, maxPrefixLength);
}

/** The name of a job's or a group's function: `<stack>_<job>`. */
export function functionName(stackName: string, job: string): string {
  const prefix = fleetPrefix(stackName);
  return `${prefix}_${fitName(job, maxLength - prefix.length - 1)}`;
}

/** The name of the stack that holds a part of a fleet's jobs. */
export function shardName(stackName: string, shard: number): string {
  return `${shardPrefix(stackName)}${shard}`;
}

/** What the names of a fleet's shards begin with. */
export function shardPrefix(stackName: string): string {
  // Room for two digits.
  return `${fitName(stackName, maxStackLength - "-shard-64".length)}-shard-`;
}

/** The name of a managed policy of a stack. IAM has one list for all regions, and a stack's name is free in each. */
export function policyName(stackName: string, region: string, use: "read" | "operate"): string {
  const end = `-${use}`;
  // The region is known at deployment at the latest; no region's name has more than 16 characters.
  return `${fitName(stackName, maxPolicyLength - 17 - end.length)}-${region}${end}`;
}
