import { Stack } from "aws-cdk-lib";
import { Template } from "aws-cdk-lib/assertions";
import { beforeAll, describe, expect, test } from "vitest";
import { ScheduledFunctionsStack } from "../../lib/infra/index.ts";
import { aJob, anApp } from "./fleet.ts";

/** The longest that stands in the place of a reference: the ARN of a function with a name of 64 characters. */
const longestArn = `arn:aws-us-gov:lambda:us-gov-east-1:123456789012:function:${"x".repeat(64)}`;

interface Resource {
  readonly Type: string;
  readonly Properties: Readonly<Record<string, unknown>>;
}

interface StackTemplate {
  readonly Resources: Readonly<Record<string, Resource>>;
  readonly Outputs?: Readonly<Record<string, { readonly Export?: unknown }>>;
  readonly Parameters?: object;
}

/** The size of a policy at deployment, with every reference at its longest. */
function sizeOf(document: unknown): number {
  return JSON.stringify(document)
    .replace(/\{"Fn::Join":\["",\[.*?\]\]\}/g, `"${longestArn}"`)
    .replace(/\{"Fn::(GetAtt|GetStackOutput)":.*?[\]}]\}/g, `"${longestArn}"`).length;
}

describe("2,000 jobs with the longest names, on 64 shards", () => {
  let templates: StackTemplate[];
  const resources = (type: string) =>
    templates.map((template) => Object.values(template.Resources).filter(({ Type }) => Type === type));
  const most = (counts: readonly number[]) => Math.max(...counts);

  beforeAll(() => {
    const jobs = Array.from({ length: 2000 }, (_, index) => aJob(`job-${String(index).padStart(59, "0")}`));
    const stack = new ScheduledFunctionsStack(anApp(), "Escapement-prod", { stage: "prod", jobs, shards: 64 });
    const shards = stack.fleet.node.children.filter((child) => Stack.isStack(child));
    templates = [stack, ...shards].map((one) => Template.fromStack(one).toJSON() as StackTemplate);
  }, 1_200_000);

  test("are all there: a function and a schedule each, beside the dispatcher and the watchdog", () => {
    expect(templates).toHaveLength(65);
    expect(resources("AWS::Lambda::Function").flat()).toHaveLength(2002);
    expect(resources("AWS::Scheduler::Schedule").flat()).toHaveLength(2001);
  });

  // https://docs.aws.amazon.com/AWSCloudFormation/latest/UserGuide/cloudformation-limits.html
  test("stay within what CloudFormation takes as one stack", () => {
    expect(most(templates.map(({ Resources }) => Object.keys(Resources).length))).toBeLessThan(400);
    expect(most(templates.map(({ Outputs = {} }) => Object.keys(Outputs).length))).toBeLessThan(200);
    expect(most(templates.map(({ Parameters = {} }) => Object.keys(Parameters).length))).toBeLessThan(200);
    // As CDK writes it, which is longer than what counts.
    expect(most(templates.map((template) => JSON.stringify(template, undefined, 1).length))).toBeLessThan(1_000_000);
  });

  test("export nothing, which would hold the stacks together for ever", () => {
    const outputs = templates.flatMap(({ Outputs = {} }) => Object.values(Outputs));
    expect(outputs.filter((output) => output.Export)).toEqual([]);
  });

  // https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_iam-quotas.html: characters without white space
  test("stay within what IAM takes as the policies of one role", () => {
    const inline = new Map<string, number>();
    for (const [stack, policies] of resources("AWS::IAM::Policy").entries()) {
      for (const { Properties } of policies) {
        for (const role of Properties["Roles"] as unknown[]) {
          const key = `${stack} ${JSON.stringify(role)}`;
          inline.set(key, (inline.get(key) ?? 0) + sizeOf(Properties["PolicyDocument"]));
        }
      }
    }
    // A role for each function, for the schedules of each shard, and for that of the watchdog.
    expect(inline.size).toBe(2002 + 64 + 1);
    expect(most([...inline.values()])).toBeLessThan(10_240);
    const roles = resources("AWS::IAM::Role").flat();
    expect(most(roles.map(({ Properties }) => sizeOf(Properties["AssumeRolePolicyDocument"])))).toBeLessThan(2048);
    // None has outgrown its inline policy into managed ones, of which a role takes ten: there are the operators' two.
    expect(roles.filter(({ Properties }) => Properties["ManagedPolicyArns"])).toEqual([]);
    const managed = resources("AWS::IAM::ManagedPolicy").flat();
    expect(managed.map(({ Properties }) => Properties["Roles"])).toEqual([undefined, undefined]);
    expect(most(managed.map(({ Properties }) => sizeOf(Properties["PolicyDocument"])))).toBeLessThan(6144);
  });

  // https://docs.aws.amazon.com/lambda/latest/dg/gettingstarted-limits.html
  test("stay within what Lambda takes as a function's environment and name", () => {
    for (const { Properties } of resources("AWS::Lambda::Function").flat()) {
      expect(JSON.stringify(Properties["Environment"]).length).toBeLessThan(4096);
      expect(String(Properties["FunctionName"]).length).toBeLessThanOrEqual(64);
    }
  });
});
