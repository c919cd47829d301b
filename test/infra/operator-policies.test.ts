import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { Stack } from "aws-cdk-lib";
import { Template } from "aws-cdk-lib/assertions";
import { Key } from "aws-cdk-lib/aws-kms";
import { describe, expect, test } from "vitest";
import { ScheduledFunctionsStack } from "../../lib/infra/index.ts";
import { aJob, anApp, aStack } from "./fleet.ts";
import type { Statement } from "./policy.ts";

const KEY = "arn:aws:kms:eu-central-1:123456789012:key/abc";
const operations = join(import.meta.dirname, "../../lib/operations");

describe("the policies for people", () => {
  const policies = Object.values(
    Template.fromStack(aStack([aJob("nightly")])).findResources("AWS::IAM::ManagedPolicy"),
  );
  const actionsOf = (end: string) => {
    const policy = policies.find(({ Properties }) => JSON.stringify(Properties.ManagedPolicyName).includes(end));
    const statements: Statement[] = policy?.["Properties"].PolicyDocument.Statement;
    return [...new Set(statements.flatMap(({ Action }) => Action))].sort();
  };

  test("allow to look at a fleet, and to operate it, and nothing else", () => {
    const read = [
      "cloudformation:DescribeStacks",
      "cloudwatch:DescribeAlarms",
      "dynamodb:DescribeTimeToLive",
      "dynamodb:GetItem",
      "dynamodb:Query",
      "lambda:GetFunctionConfiguration",
      "logs:FilterLogEvents",
      "scheduler:GetSchedule",
      "sqs:ReceiveMessage",
    ];
    expect(actionsOf("-read")).toEqual(read);
    const more = ["dynamodb:PutItem", "dynamodb:UpdateItem", "lambda:InvokeFunction", "sqs:DeleteMessage"];
    expect(actionsOf("-operate")).toEqual([...read, ...more].sort());
  });

  test("reach the logs of its own functions, and not those of a stack whose name begins with this one's", () => {
    const read = policies.find(({ Properties }) => JSON.stringify(Properties.ManagedPolicyName).includes("-read"));
    const statements: Statement[] = read?.["Properties"].PolicyDocument.Statement;
    const logs = statements.find(({ Action }) => Action === "logs:FilterLogEvents");
    // The logs of Escapement-dev-Fleet2 begin with Escapement-dev-Fleet2-, and without shards there are none of theirs.
    expect(JSON.stringify(logs?.Resource).match(/log-group:[^"]*/g)).toEqual([
      "log-group:Escapement-dev-FleetDispatcherLogs*",
      "log-group:Escapement-dev-FleetFunctions*",
      "log-group:Escapement-dev-FleetWatchdogLogs*",
    ]);
  });

  test("use the fleet's own key through DynamoDB and SQS of the region alone", () => {
    const app = anApp();
    const encryptionKey = Key.fromKeyArn(new Stack(app, "Keys"), "Key", KEY);
    const stack = new ScheduledFunctionsStack(app, "Escapement-dev", {
      stage: "dev",
      jobs: [aJob("nightly")],
      encryptionKey,
      env: { account: "123456789012", region: "eu-central-1" },
    });
    const found = Object.values(Template.fromStack(stack).findResources("AWS::IAM::ManagedPolicy"));
    const rights = found.map(({ Properties }) => {
      const statements: Statement[] = Properties.PolicyDocument.Statement;
      return statements.filter(({ Action }) => JSON.stringify(Action).includes("kms:"));
    });
    const through = (service: string) => ({ StringLike: { "kms:ViaService": `${service}.eu-central-1.*` } });
    const conditions = rights.map((statements) => statements.map(({ Condition }) => Condition));
    const both = [through("dynamodb"), through("sqs")];
    expect(conditions).toEqual([both, both]);
    for (const { Resource } of rights.flat()) expect(Resource).toBe(KEY);
  });

  test("know every call that the operations make, beside those of the store", () => {
    const sources = readdirSync(operations, { recursive: true, encoding: "utf8" })
      .filter((file) => file.endsWith(".ts"))
      .map((file) => readFileSync(join(operations, file), "utf8"));
    const calls = sources.flatMap((source) =>
      [...source.matchAll(/(?:new (\w+)Command|paginate(\w+))\(/g)].map(([, one, all]) => one ?? all ?? ""),
    );
    const allowed = actionsOf("-operate").map((action) => action.split(":")[1]);
    // `Invoke` is allowed as InvokeFunction; anybody may ask who they are. What a principal may do is not for everybody
    // to know: who may not ask is told so.
    const known = [...allowed, "Invoke", "GetCallerIdentity", "SimulatePrincipalPolicy"];
    expect(calls.length).toBeGreaterThan(4);
    expect(calls.filter((call) => !known.includes(call))).toEqual([]);
  });
});
