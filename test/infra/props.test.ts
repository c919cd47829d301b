import { Stack } from "aws-cdk-lib";
import { Match, Template } from "aws-cdk-lib/assertions";
import { TableV2 } from "aws-cdk-lib/aws-dynamodb";
import { EventBus } from "aws-cdk-lib/aws-events";
import { ManagedPolicy } from "aws-cdk-lib/aws-iam";
import { Key } from "aws-cdk-lib/aws-kms";
import { describe, expect, test } from "vitest";
import { RunTable, ScheduledFunctions, ScheduledFunctionsStack } from "../../lib/infra/index.ts";
import { aJob, anApp } from "./fleet.ts";

describe("what exists already", () => {
  const app = anApp();
  const shared = new Stack(app, "Shared");
  const jobs = [aJob("nightly"), aJob("clean", { group: "care" })];
  const table = new RunTable(shared, "Runs", { table: TableV2.fromTableName(shared, "Existing", "runs-of-all") });
  const stack = new ScheduledFunctionsStack(app, "Escapement-prod", {
    stage: "prod",
    jobs,
    table,
    eventBus: EventBus.fromEventBusName(shared, "Bus", "operations"),
    encryptionKey: Key.fromKeyArn(shared, "Key", "arn:aws:kms:eu-central-1:123456789012:key/abc"),
    permissionsBoundary: ManagedPolicy.fromManagedPolicyName(shared, "Boundary", "developers"),
    shards: 2,
  });
  const templates = app
    .synth()
    .stacks.filter(({ stackName }) => stackName !== "Shared")
    .map(({ template }) => Template.fromJSON(template));
  const [main, ...shards] = templates as [Template, Template, Template];

  test("a table is used, and none is made", () => {
    main.resourceCountIs("AWS::DynamoDB::GlobalTable", 0);
    expect(JSON.stringify(shards.map((shard) => shard.toJSON()))).toContain('"ESCAPEMENT_TABLE":"runs-of-all"');
    main.hasOutput("RunTableName", { Value: "runs-of-all" });
  });

  test("a bus has the rule", () => {
    main.hasResourceProperties("AWS::Events::Rule", { EventBusName: "operations" });
  });

  test("a key encrypts the dead letters, and every sender may use it", () => {
    main.hasResourceProperties("AWS::SQS::Queue", { KmsMasterKeyId: Match.stringLikeRegexp("key/abc$") });
    for (const shard of shards) {
      const policies = Object.values(shard.findResources("AWS::IAM::Policy"));
      expect(policies.length).toBeGreaterThan(0);
      for (const policy of policies) expect(JSON.stringify(policy)).toContain('"kms:GenerateDataKey"');
    }
  });

  test("a permissions boundary bounds every role, in the shards as well", () => {
    const boundary = { "Fn::Join": ["", Match.arrayWith([":policy/developers"])] };
    for (const template of templates) {
      template.allResourcesProperties("AWS::IAM::Role", { PermissionsBoundary: boundary });
    }
  });

  test("is found under the construct", () => {
    expect(stack.fleet.nodes.schedulerRoles).toHaveLength(2);
    expect(stack.fleet.table.nodes.table.tableName).toBe("runs-of-all");
    expect(Object.keys(stack.fleet.job("nightly").nodes.schedules)).toEqual(["default"]);
  });
});

test("a fleet in a nested stack is refused, since its name is not known", () => {
  const nested = new Stack(anApp(), "Outer");
  Object.defineProperty(nested, "stackName", { value: nested.stackId });
  expect(() => new ScheduledFunctions(nested, "Fleet", { jobs: [aJob("nightly")] })).toThrow(
    "Outer: a fleet has the name of its stack, and a nested stack gets one only at deployment. Put the fleet into a stack of its own.",
  );
});

test("an environment beyond Lambda's 4 KB is refused by job and size", () => {
  const settings = { ...aJob("x").function, environment: { TEXT: "x".repeat(4096) } };
  const make = () =>
    new ScheduledFunctionsStack(anApp(), "Escapement-dev", {
      stage: "dev",
      jobs: [aJob("wordy", { function: settings })],
    });
  expect(make).toThrow(/job\.ts: the environment of "wordy" has 4\d{3} bytes\. Allowed: 4096, Lambda's limit\./);
});

test("CD-08: six jobs of one schedule are six schedules, each with its one target", () => {
  const jobs = Array.from({ length: 6 }, (_, index) => aJob(`job-${index}`));
  const template = Template.fromStack(new ScheduledFunctionsStack(anApp(), "Escapement-dev", { stage: "dev", jobs }));
  const names = Object.values(template.findResources("AWS::Scheduler::Schedule")).map(
    ({ Properties }) => Properties.Name,
  );
  expect(names.filter((name) => name.startsWith("job-")).sort()).toEqual(jobs.map(({ name }) => name));
  for (const { Properties } of Object.values(template.findResources("AWS::Events::Rule"))) {
    expect(Properties.Targets.length).toBeLessThanOrEqual(5);
  }
});
