import { type App, DefaultStackSynthesizer, type IStackSynthesizer, Stack } from "aws-cdk-lib";
import { Annotations, Match, Template } from "aws-cdk-lib/assertions";
import { beforeAll, describe, expect, test } from "vitest";
import { type LoadedJob, ScheduledFunctionsStack } from "../../lib/infra/index.ts";
import { shardOf } from "../../lib/infra/shards.ts";
import { aJob, anApp } from "./fleet.ts";

describe("a job's shard", () => {
  test("is given by its name: these stay where they are, or their functions would be replaced", () => {
    const names = ["nightly-report", "hourly-sync", "close-business-day", "pay-commissions", "a", "b"];
    expect(names.map((name) => shardOf(name, 8))).toEqual([8, 2, 8, 6, 8, 8]);
  });

  test("stays the same with one shard more, unless it is the new one", () => {
    const names = Array.from({ length: 500 }, (_, index) => `job-${index}`);
    const moved = names.filter((name) => shardOf(name, 8) !== shardOf(name, 9));
    expect(moved.every((name) => shardOf(name, 9) === 9)).toBe(true);
    // A ninth of them is 56.
    expect(moved.length).toBeGreaterThan(35);
    expect(moved.length).toBeLessThan(80);
  });

  test("of 2,000 jobs on 64 shards is never one that outgrows a stack", () => {
    const sizes = new Map<number, number>();
    for (let index = 0; index < 2000; index++) {
      const shard = shardOf(`job-${index}`, 64);
      sizes.set(shard, (sizes.get(shard) ?? 0) + 1);
    }
    expect(sizes.size).toBe(64);
    // 500 resources are 70 jobs of seven each.
    expect(Math.max(...sizes.values())).toBeLessThan(60);
  });
});

describe("a fleet with shards", () => {
  let app: App;
  let stack: ScheduledFunctionsStack;
  const shardsOf = (fleet: ScheduledFunctionsStack) =>
    fleet.fleet.node.children.filter((child): child is Stack => Stack.isStack(child));

  beforeAll(() => {
    app = anApp();
    const jobs = [aJob("nightly"), aJob("hourly"), aJob("clean", { group: "care" }), aJob("sweep", { group: "care" })];
    stack = new ScheduledFunctionsStack(app, "Escapement-prod", { stage: "prod", jobs, shards: 3 });
  });

  test("has a stack for each shard beside its own, which waits for it", () => {
    expect(shardsOf(stack).map(({ stackName }) => stackName)).toEqual([
      "Escapement-prod-shard-1",
      "Escapement-prod-shard-2",
      "Escapement-prod-shard-3",
    ]);
    for (const shard of shardsOf(stack)) expect(shard.dependencies).toEqual([stack]);
    expect(stack.dependencies).toEqual([]);
  });

  test("has the data in its own stack, and functions, schedules and a Scheduler role in each shard", () => {
    const main = Template.fromStack(stack);
    main.resourceCountIs("AWS::DynamoDB::GlobalTable", 1);
    // The dispatcher, and the watchdog with its schedule.
    main.resourceCountIs("AWS::Scheduler::Schedule", 1);
    main.resourceCountIs("AWS::Lambda::Function", 2);
    const shards = shardsOf(stack).map((shard) => Template.fromStack(shard));
    const counts = (type: string) => shards.map((shard) => Object.keys(shard.findResources(type)).length);
    expect(counts("AWS::Scheduler::Schedule").reduce((sum, count) => sum + count)).toBe(4);
    expect(counts("AWS::Lambda::Function").reduce((sum, count) => sum + count)).toBe(3);
    for (const shard of shards) {
      shard.hasResourceProperties("AWS::IAM::Role", {
        AssumeRolePolicyDocument: {
          Statement: [Match.objectLike({ Principal: { Service: "scheduler.amazonaws.com" } })],
        },
      });
    }
  });

  test("finds a job wherever it is", () => {
    expect(stack.fleet.job("clean").functionName).toBe("Escapement-prod_care");
    expect(Stack.of(stack.fleet.job("nightly")).stackName).toMatch(/^Escapement-prod-shard-[123]$/);
  });

  test("keeps its logical ids", () => {
    const ids = shardsOf(stack).flatMap((shard) => Object.keys(Template.fromStack(shard).toJSON()["Resources"]));
    expect([...new Set(ids)].sort()).toMatchInlineSnapshot(`
      [
        "FunctionscareFunction6E621878",
        "FunctionscareFunctionEventInvokeConfig3EBE7DC8",
        "FunctionscareLogs1F3E66A3",
        "FunctionscareRole74E85F79",
        "FunctionscareRoleDefaultPolicyFDB44161",
        "FunctionshourlyFunction0205AC91",
        "FunctionshourlyFunctionEventInvokeConfig83570E24",
        "FunctionshourlyLogs6D1E4554",
        "FunctionshourlyRoleC548584E",
        "FunctionshourlyRoleDefaultPolicy777E46C3",
        "FunctionsnightlyFunctionDF33C253",
        "FunctionsnightlyFunctionEventInvokeConfigB00ADB8B",
        "FunctionsnightlyLogs06538B35",
        "FunctionsnightlyRole9EC257C5",
        "FunctionsnightlyRoleDefaultPolicy2116C665",
        "JobscleanScheduledefaultEB9EF2EC",
        "JobshourlyScheduledefault8654EB62",
        "JobsnightlyScheduledefault433DBA3B",
        "JobssweepScheduledefault720AE99B",
        "SchedulerRole59E73443",
        "SchedulerRoleDefaultPolicy66F774B8",
      ]
    `);
  });

  test("synthesizes its shards as it is synthesized itself", () => {
    const synthesizer = new DefaultStackSynthesizer({ qualifier: "payments" }) as IStackSynthesizer;
    const jobs = [aJob("nightly"), aJob("hourly")];
    const props = { stage: "prod", jobs, shards: 2, synthesizer };
    const own = new ScheduledFunctionsStack(anApp(), "Escapement-own", props);
    expect([own, ...shardsOf(own)].map((one) => one.synthesizer.bootstrapQualifier)).toEqual([
      "payments",
      "payments",
      "payments",
    ]);
  });

  test.each([0, 65, 1.5])("has from 1 to 64 of them, not %d", (shards) => {
    const make = () =>
      new ScheduledFunctionsStack(anApp(), "Escapement-dev", { stage: "dev", jobs: [aJob("a")], shards });
    expect(make).toThrow(`Escapement-dev/Fleet: shards is ${shards}. Allowed: a whole number from 1 to 64.`);
  });
});

describe("a fleet that grows", () => {
  const fleetOf = (count: number, shards?: number) => {
    const jobs: LoadedJob[] = Array.from({ length: count }, (_, index) => aJob(`job-${index}`));
    const more = shards === undefined ? {} : { shards };
    return new ScheduledFunctionsStack(anApp(), "Escapement-dev", { stage: "dev", jobs, ...more });
  };

  test("is warned from 400 resources on, and told of shards and groups", () => {
    Annotations.fromStack(fleetOf(66)).hasWarning(
      "/Escapement-dev",
      Match.stringLikeRegexp(
        "The stack Escapement-dev has 4\\d\\d resources; CloudFormation allows 500\\. Give the fleet more shards, .*up to 64, or put jobs .* into a group\\.",
      ),
    );
  });

  test("is refused beyond 500", () => {
    expect(() => fleetOf(90)).toThrow(
      /^The stack Escapement-dev has 5\d\d resources; CloudFormation allows 500\. Give /,
    );
  });
});
