import { type IStackSynthesizer, Stack } from "aws-cdk-lib";
import { DISABLE_CREATION_STACK_TRACES } from "aws-cdk-lib/cx-api";
import type { Construct } from "constructs";
import { SynthError } from "./errors.ts";
import { shardName } from "./names.ts";
import { maxShards } from "./shards.ts";

/**
 * Where the functions and schedules of a fleet are: in its own stack, or in stacks beside it. Not in nested ones, since
 * CloudFormation creates at most 2,500 resources in one operation on nested stacks, some 350 jobs.
 * https://docs.aws.amazon.com/AWSCloudFormation/latest/UserGuide/cloudformation-limits.html
 *
 * @throws SynthError where the number of shards is not from 1 to 64
 */
export function createHomes(
  fleet: Construct,
  { shards, synthesizer }: { readonly shards?: number; readonly synthesizer?: IStackSynthesizer },
): Construct[] {
  if (shards === undefined) return [fleet];
  if (!Number.isInteger(shards) || shards < 1 || shards > maxShards) {
    throw new SynthError(`${fleet.node.path}: shards is ${shards}. Allowed: a whole number from 1 to ${maxShards}.`);
  }
  // All of them, so that one that loses its last job is updated, too.
  return Array.from({ length: shards }, (_, index) => createShard(fleet, index + 1, synthesizer));
}

function createShard(fleet: Construct, shard: number, synthesizer: IStackSynthesizer | undefined): Stack {
  const main = Stack.of(fleet);
  const stack = new Stack(fleet, `Shard${shard}`, {
    stackName: shardName(main.stackName, shard),
    description: `Shard ${shard} of the scheduled functions of ${main.stackName}`,
    env: { account: main.account, region: main.region },
    tags: main.tags.tagValues(),
    ...(synthesizer && { synthesizer }),
    ...(main.terminationProtection && { terminationProtection: true }),
  });
  // Each leads to the same lines of ours, and to trace thousands of resources takes seconds.
  stack.node.setContext(DISABLE_CREATION_STACK_TRACES, true);
  stack.addStackDependency(main, "the table, the schedule group and the dead-letter queue are there");
  return stack;
}
