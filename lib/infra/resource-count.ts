import { Annotations, CfnResource, Stack } from "aws-cdk-lib";
import { SynthError } from "./errors.ts";
import { maxShards } from "./shards.ts";

/** CloudFormation's quota of resources in one stack, and where it comes into sight. */
const maxResources = 500;
const manyResources = 400;

/**
 * Warns of a stack that comes near CloudFormation's limit.
 *
 * @throws SynthError where it is over it
 */
export function checkResourceCount(stack: Stack): void {
  const own = stack.node.findAll().filter((node) => CfnResource.isCfnResource(node) && Stack.of(node) === stack);
  if (own.length < manyResources) return;
  const advice = `Give the fleet more shards, stacks for a part of the jobs each, up to ${maxShards}, or put jobs that belong together into a group.`;
  const count = `The stack ${stack.stackName} has ${own.length} resources; CloudFormation allows ${maxResources}.`;
  if (own.length > maxResources) throw new SynthError(`${count} ${advice}`);
  Annotations.of(stack).addWarningV2("escapement:MANY_RESOURCES", `${count} ${advice}`);
}
