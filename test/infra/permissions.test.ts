import { Stack } from "aws-cdk-lib";
import { Match, Template } from "aws-cdk-lib/assertions";
import { AttributeType, TableV2 } from "aws-cdk-lib/aws-dynamodb";
import { beforeAll, describe, expect, test } from "vitest";
import { ScheduledFunctionsStack } from "../../lib/infra/index.ts";
import { aJob, anApp, aStack } from "./fleet.ts";

interface Statement {
  readonly Effect: string;
  readonly Action: string | string[];
  readonly Resource: unknown;
  readonly Condition?: unknown;
}

describe("permissions", () => {
  let template: Template;
  beforeAll(() => {
    const stack = aStack([aJob("nightly"), aJob("hourly", { overlap: "allow" })]);
    const orders = new TableV2(stack, "Orders", { partitionKey: { name: "pk", type: AttributeType.STRING } });
    orders.grantReadData(stack.fleet.job("nightly"));
    stack.fleet.job("nightly").addEnvironment("ORDERS_TABLE", orders.tableName);
    template = Template.fromStack(stack);
  });

  /** The statements of the policies that belong to a role. */
  const statementsOf = (role: string): Statement[] => {
    const policies = template.findResources("AWS::IAM::Policy", {
      Properties: { Roles: [{ Ref: Match.stringLikeRegexp(`^Fleet${role}`) }] },
    });
    expect(Object.keys(policies)).not.toHaveLength(0);
    return Object.values(policies).flatMap(({ Properties }) => Properties.PolicyDocument.Statement);
  };
  const attribute = (id: string) => ({ "Fn::GetAtt": [expect.stringMatching(`^${id}`), "Arn"] });

  test("a job reads and writes its own partition of the table, with the actions of a run and no other", () => {
    expect(statementsOf("nightlyRole")).toContainEqual({
      Effect: "Allow",
      Action: [
        "dynamodb:ConditionCheckItem",
        "dynamodb:GetItem",
        "dynamodb:PutItem",
        "dynamodb:Query",
        "dynamodb:UpdateItem",
      ],
      Resource: attribute("FleetRunTable"),
      Condition: { "ForAllValues:StringEquals": { "dynamodb:LeadingKeys": ["Escapement-dev#job#nightly"] } },
    });
  });

  test("a job whose runs may wait for each other starts its own, in chains of any length, and no other job's", () => {
    const invocations = statementsOf("nightlyRole").filter(({ Action }) => Action === "lambda:InvokeFunction");
    expect(invocations).toEqual([
      { Effect: "Allow", Action: "lambda:InvokeFunction", Resource: attribute("FleetnightlyFunction") },
    ]);
    template.hasResourceProperties("AWS::Lambda::Function", {
      FunctionName: "Escapement-dev_nightly",
      RecursiveLoop: "Allow",
    });
  });

  test("a job whose runs never wait writes its own logs and dead letters, and invokes nothing", () => {
    const statements = statementsOf("hourlyRole");
    expect(statements).toHaveLength(3);
    expect(statements).toContainEqual({
      Effect: "Allow",
      Action: ["logs:CreateLogStream", "logs:PutLogEvents"],
      Resource: attribute("FleethourlyLogs"),
    });
    expect(statements.flatMap(({ Action }) => Action)).not.toContain("lambda:InvokeFunction");
    template.hasResourceProperties("AWS::Lambda::Function", {
      FunctionName: "Escapement-dev_hourly",
      RecursiveLoop: Match.absent(),
    });
    template.allResourcesProperties("AWS::IAM::Role", { ManagedPolicyArns: Match.absent() });
  });

  test("a job has what the app grants it besides", () => {
    expect(statementsOf("nightlyRole")).toContainEqual(
      expect.objectContaining({ Action: expect.arrayContaining(["dynamodb:GetItem"]), Resource: attribute("Orders") }),
    );
    template.hasResourceProperties("AWS::Lambda::Function", {
      FunctionName: "Escapement-dev_nightly",
      Environment: { Variables: { ORDERS_TABLE: { Ref: Match.stringLikeRegexp("^Orders") } } },
    });
  });

  test("EventBridge Scheduler assumes its role for this group alone, and invokes the jobs alone", () => {
    template.hasResourceProperties("AWS::IAM::Role", {
      AssumeRolePolicyDocument: {
        Statement: [
          {
            Action: "sts:AssumeRole",
            Effect: "Allow",
            Principal: { Service: "scheduler.amazonaws.com" },
            Condition: {
              StringEquals: {
                "aws:SourceAccount": { Ref: "AWS::AccountId" },
                "aws:SourceArn": { "Fn::GetAtt": [Match.stringLikeRegexp("^FleetScheduleGroup"), "Arn"] },
              },
            },
          },
        ],
      },
    });
    expect(statementsOf("SchedulerRole")).toEqual([
      { Effect: "Allow", Action: "sqs:SendMessage", Resource: attribute("FleetDeadLetterQueue") },
      {
        Effect: "Allow",
        Action: "lambda:InvokeFunction",
        Resource: [attribute("FleethourlyFunction"), attribute("FleetnightlyFunction")],
      },
    ]);
  });

  test("the dispatcher invokes the jobs alone", () => {
    expect(statementsOf("DispatcherRole")).toContainEqual({
      Effect: "Allow",
      Action: "lambda:InvokeFunction",
      Resource: [attribute("FleethourlyFunction"), attribute("FleetnightlyFunction")],
    });
  });

  test("CD-15: no policy allows all actions, or acts on all resources", () => {
    const policies = Object.values(template.findResources("AWS::IAM::Policy"));
    const statements: Statement[] = policies.flatMap(({ Properties }) => Properties.PolicyDocument.Statement);
    expect(statements.length).toBeGreaterThan(8);
    for (const { Action, Resource } of statements) {
      expect(JSON.stringify(Action)).not.toContain("*");
      expect(JSON.stringify(Resource)).not.toContain("*");
    }
  });
});

test("CD-05: a table of another stack can be granted to jobs of two fleets, without a cycle", () => {
  const app = anApp();
  const tables = new Stack(app, "Tables");
  const orders = new TableV2(tables, "Orders", { partitionKey: { name: "pk", type: AttributeType.STRING } });
  for (const stage of ["a", "b"]) {
    const stack = new ScheduledFunctionsStack(app, `Escapement-${stage}`, { stage, jobs: [aJob("nightly")] });
    orders.grantReadWriteData(stack.fleet.job("nightly"));
  }
  expect(app.synth().stacks.map(({ stackName }) => stackName)).toEqual(["Tables", "Escapement-a", "Escapement-b"]);
});
