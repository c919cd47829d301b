import { Match, Template } from "aws-cdk-lib/assertions";
import { SecurityGroup, Vpc } from "aws-cdk-lib/aws-ec2";
import { describe, expect, test } from "vitest";
import {
  type JobOverrides,
  ScheduledFunctionsStack,
  type ScheduledFunctionsStackProps,
} from "../../lib/infra/index.ts";
import { aJob, anApp, jobSchedules } from "./fleet.ts";

type Props = Partial<ScheduledFunctionsStackProps>;

function stackWith(props: Props, stage = "prod"): ScheduledFunctionsStack {
  const jobs = [aJob("nightly"), aJob("hourly")];
  return new ScheduledFunctionsStack(anApp(), `Escapement-${stage}`, { stage, jobs, ...props });
}

const withOverrides = (nightly: JobOverrides) => Template.fromStack(stackWith({ overrides: { nightly } }));
const nightlyIn = (template: Template) =>
  Object.values(
    template.findResources("AWS::Lambda::Function", { Properties: { FunctionName: "Escapement-prod_nightly" } }),
  )[0]?.["Properties"];

describe("what a stack says of a job", () => {
  test("takes the place of the file's schedule, policies and function", () => {
    const template = withOverrides({
      schedule: { expression: "rate(2 hours)", timeZone: "UTC" },
      timeout: "30 seconds",
      maxLateness: "2 hours",
      function: { memoryMb: 1024, environment: { REGION: "eu" } },
    });
    template.hasResourceProperties("AWS::Scheduler::Schedule", {
      Name: "nightly",
      ScheduleExpression: "rate(2 hours)",
      Target: { RetryPolicy: { MaximumEventAgeInSeconds: 7200 } },
    });
    template.hasResourceProperties("AWS::Scheduler::Schedule", {
      Name: "hourly",
      ScheduleExpression: "cron(30 2 * * ? *)",
    });
    expect(nightlyIn(template)).toMatchObject({ Timeout: 30, MemorySize: 1024 });
    expect(nightlyIn(template).Environment.Variables).toMatchObject({ REGION: "eu" });
  });

  test("is told to the runtime, whose bundle has the file's options", () => {
    const { Variables } = nightlyIn(
      withOverrides({ retries: 0, enabled: false, function: { memoryMb: 512 } }),
    ).Environment;
    expect(Variables.ESCAPEMENT_OVERRIDES).toBe('{"nightly":{"retries":0}}');
  });

  test("is told to no runtime where it is nothing that one has to know", () => {
    const { Variables } = nightlyIn(withOverrides({ enabled: false })).Environment;
    expect(Variables).not.toHaveProperty("ESCAPEMENT_OVERRIDES");
  });

  test("is refused in words where it is wrong, or names no job", () => {
    expect(() => withOverrides({ retries: 11 })).toThrow(
      'overrides of the job "nightly": Job nightly: retries is 11. Allowed: a whole number from 0 to 10.',
    );
    expect(() => stackWith({ overrides: { nigthly: {} } })).toThrow(
      'overrides: there is no job "nigthly". Did you mean "nightly"? The jobs: nightly, hourly.',
    );
  });

  test("is refused where it is for the file to say", () => {
    for (const option of ["group", "redact", "onSkipped"]) {
      expect(() => withOverrides({ [option]: "care" })).toThrow(
        new RegExp(
          `^overrides of the job "nightly": ${option} is the file's alone, and cannot be overridden\\. Say it in .*job\\.ts\\.$`,
        ),
      );
    }
  });

  test.each([[null], [undefined], ["off"], [3], [[]]])("is refused where it is no object: %j", (nightly) => {
    expect(() => withOverrides(nightly as never)).toThrow(
      /^overrides of the job "nightly" is (null|undefined|"off"|3|\[\])\. Allowed: an object\.$/,
    );
  });

  test.each([[null], ["nightly"], [[]]])("is refused where there is no object of them: %j", (none) => {
    expect(() => stackWith({ overrides: none as never })).toThrow(/^overrides is .*\. Allowed: an object, by job\.$/);
    expect(() => stackWith({ functionResources: none as never })).toThrow(
      /^functionResources is .*\. Allowed: an object\.$/,
    );
  });

  test("is the file's for an option that has no value", () => {
    const nothing = { timeout: undefined, function: { memoryMb: undefined } } as never;
    const template = withOverrides(nothing);
    // aJob's 5 minutes, and not the default of one.
    expect(nightlyIn(template)).toMatchObject({ Timeout: 300, MemorySize: 256 });
    expect(nightlyIn(template).Environment.Variables).not.toHaveProperty("ESCAPEMENT_OVERRIDES");
  });

  test("gives every function the CDK objects alone", () => {
    expect(() => stackWith({ functionResources: { layer: [] } as never })).toThrow(
      'functionResources: unknown "layer". Did you mean "layers"? Allowed: vpc, vpcSubnets, securityGroups, layers.',
    );
  });

  test("connects its function to a VPC, with the rights that this takes and no other's", () => {
    const app = anApp();
    const stack = new ScheduledFunctionsStack(app, "Escapement-prod", { stage: "prod", jobs: [aJob("nightly")] });
    const vpc = Vpc.fromVpcAttributes(stack, "Vpc", {
      vpcId: "vpc-1",
      availabilityZones: ["eu-central-1a"],
      privateSubnetIds: ["subnet-1"],
      privateSubnetRouteTableIds: ["rtb-1"],
    });
    const group = SecurityGroup.fromSecurityGroupId(stack, "Group", "sg-1");
    const jobs = [aJob("nightly"), aJob("hourly")];
    const overrides = { nightly: { vpc, securityGroups: [group] } };
    const other = Template.fromStack(
      new ScheduledFunctionsStack(app, "Escapement-eu", { stage: "prod", jobs, overrides }),
    );
    other.hasResourceProperties("AWS::Lambda::Function", {
      FunctionName: "Escapement-eu_nightly",
      VpcConfig: { SubnetIds: ["subnet-1"], SecurityGroupIds: ["sg-1"] },
    });
    other.hasResourceProperties("AWS::Lambda::Function", {
      FunctionName: "Escapement-eu_hourly",
      VpcConfig: Match.absent(),
    });
    const policies = Object.entries(other.findResources("AWS::IAM::Policy")).filter(([, policy]) =>
      JSON.stringify(policy).includes("ec2:CreateNetworkInterface"),
    );
    expect(policies.map(([id]) => id.slice(0, -8))).toEqual(["FleetFunctionsnightlyRoleDefaultPolicy"]);
  });
});

describe("SC-08: the schedules of a stage", () => {
  const statesOf = (props: Props, stage: string) =>
    Object.values(jobSchedules(Template.fromStack(stackWith(props, stage))))
      .map(({ Properties }) => `${Properties.Name} ${Properties.State}`)
      .sort();

  test.each(["preview", "preview-42"])("are switched off in %s, unless it is asked for", (stage) => {
    expect(statesOf({}, stage)).toEqual(["hourly DISABLED", "nightly DISABLED"]);
    expect(statesOf({ enabledStages: [stage] }, stage)).toEqual(["hourly ENABLED", "nightly ENABLED"]);
  });

  test("are switched off where others are named, and a job runs on request all the same", () => {
    expect(statesOf({ enabledStages: ["prod"] }, "staging")).toEqual(["hourly DISABLED", "nightly DISABLED"]);
    Template.fromStack(stackWith({ enabledStages: ["prod"] }, "staging")).resourceCountIs("AWS::Events::Rule", 1);
  });

  test("are switched on one by one by an override", () => {
    const overrides = { nightly: { enabled: true } };
    expect(statesOf({ enabledStages: ["prod"], overrides }, "staging")).toEqual(["hourly DISABLED", "nightly ENABLED"]);
    expect(statesOf({ overrides: { nightly: { enabled: false } } }, "prod")).toEqual([
      "hourly ENABLED",
      "nightly DISABLED",
    ]);
  });
});
