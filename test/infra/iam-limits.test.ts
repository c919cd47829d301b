import { CfnResource, Stack } from "aws-cdk-lib";
import { Template } from "aws-cdk-lib/assertions";
import { expect, test } from "vitest";
import { ScheduledFunctionsStack } from "../../lib/infra/index.ts";
import { aJob, anApp } from "./fleet.ts";

/** IAM's quotas, in characters without white space: a role's inline policies together, and a managed policy. */
const maxInline = 10_240;
const maxManaged = 6_144;
/** The longest that stands in the place of a reference: the ARN of a function with a name of 64 characters. */
const longestArn = `arn:aws-us-gov:lambda:us-gov-east-1:123456789012:function:${"x".repeat(64)}`;

interface Resource {
  readonly Type: string;
  readonly Properties: Readonly<Record<string, unknown>>;
}

/** The size of a policy at deployment, with every reference at its longest. */
function sizeOf(document: unknown): number {
  return JSON.stringify(document)
    .replace(/\{"Fn::Join":\["",\[.*?\]\]\}/g, `"${longestArn}"`)
    .replace(/\{"Fn::(GetAtt|GetStackOutput)":.*?[\]}]\}/g, `"${longestArn}"`).length;
}

// Ten shards of a fleet of 2,000 jobs on 64: what counts is how much one stack and one role hold.
test("a shard of 2,000 jobs stays within IAM's and CloudFormation's limits, and so does the fleet's stack", {
  timeout: 600_000,
}, () => {
  const jobs = Array.from({ length: 320 }, (_, index) => aJob(`job-${String(index).padStart(59, "0")}`));
  const stack = new ScheduledFunctionsStack(anApp(), "Escapement-prod", { stage: "prod", jobs, shards: 10 });
  const stacks = [stack, ...stack.fleet.node.children.filter((child) => Stack.isStack(child))];
  for (const one of stacks) {
    expect(
      one.node.findAll().filter((node) => CfnResource.isCfnResource(node) && Stack.of(node) === one).length,
    ).toBeLessThan(500);
    const resources: Resource[] = Object.values(Template.fromStack(one).toJSON()["Resources"]);
    const inline = new Map<string, number>();
    const managed = new Map<string, number>();
    for (const { Type, Properties } of resources) {
      if (Type === "AWS::IAM::ManagedPolicy") expect(sizeOf(Properties["PolicyDocument"])).toBeLessThan(maxManaged);
      const roles = (Properties["Roles"] ?? []) as unknown[];
      const counts = Type === "AWS::IAM::Policy" ? inline : Type === "AWS::IAM::ManagedPolicy" ? managed : undefined;
      const size = Type === "AWS::IAM::Policy" ? sizeOf(Properties["PolicyDocument"]) : 1;
      for (const role of roles) counts?.set(JSON.stringify(role), (counts.get(JSON.stringify(role)) ?? 0) + size);
    }
    expect(inline.size).toBeGreaterThan(0);
    for (const size of inline.values()) expect(size).toBeLessThan(maxInline);
    // No role has outgrown its inline policy into managed ones.
    expect(managed.size).toBe(0);
  }
});
