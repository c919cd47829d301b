import { type App, RemovalPolicy, Validations } from "aws-cdk-lib";
import { Vpc } from "aws-cdk-lib/aws-ec2";
import { Key } from "aws-cdk-lib/aws-kms";
import { Queue } from "aws-cdk-lib/aws-sqs";
import { AwsSolutionsChecks } from "cdk-nag";
import { describe, expect, test } from "vitest";
import { ScheduledFunctionsStack } from "../../lib/infra/index.ts";
import { aJob, anApp } from "./fleet.ts";

const jobs = [aJob("nightly"), aJob("clean", { group: "maintenance" }), aJob("sweep", { group: "maintenance" })];

function checkedApp(): App {
  const app = anApp();
  Validations.of(app).addPlugins(new AwsSolutionsChecks(app));
  return app;
}

describe("cdk-nag's AwsSolutions pack", () => {
  test("finds nothing in a fleet with the defaults", () => {
    const app = checkedApp();
    new ScheduledFunctionsStack(app, "Escapement-prod", { stage: "prod", jobs });
    expect(() => app.synth()).not.toThrow();
  });

  test("finds nothing in a fleet of a named account, with shards, a VPC and a key of its own", () => {
    const app = checkedApp();
    const env = { account: "123456789012", region: "eu-central-1" };
    const shared = new ScheduledFunctionsStack(app, "Escapement-dev", { stage: "dev", jobs, env });
    const vpc = Vpc.fromVpcAttributes(shared, "Vpc", {
      vpcId: "vpc-1",
      availabilityZones: ["eu-central-1a"],
      privateSubnetIds: ["subnet-1"],
      privateSubnetRouteTableIds: ["rtb-1"],
    });
    const encryptionKey = new Key(shared, "Key", { enableKeyRotation: true, removalPolicy: RemovalPolicy.DESTROY });
    const own = { shards: 2, functionResources: { vpc }, encryptionKey };
    new ScheduledFunctionsStack(app, "Escapement-prod", { stage: "prod", jobs, env, ...own });
    expect(() => app.synth()).not.toThrow();
  });

  test("finds what is wrong in the same app", () => {
    const app = checkedApp();
    const stack = new ScheduledFunctionsStack(app, "Escapement-prod", { stage: "prod", jobs });
    new Queue(stack, "WithoutTls");
    expect(() => app.synth()).toThrow(/Escapement-prod\/WithoutTls\/Resource[\s\S]*AwsSolutions-SQS4/);
  });
});
