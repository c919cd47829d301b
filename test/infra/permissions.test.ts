import { isDeepStrictEqual } from "node:util";
import { Stack } from "aws-cdk-lib";
import { Match, Template } from "aws-cdk-lib/assertions";
import { AttributeType, TableV2 } from "aws-cdk-lib/aws-dynamodb";
import { EventBus } from "aws-cdk-lib/aws-events";
import { beforeAll, describe, expect, test } from "vitest";
import { ScheduledFunctionsStack } from "../../lib/infra/index.ts";
import { aJob, anApp, aStack } from "./fleet.ts";
import { allows, type Statement } from "./policy.ts";

const partition = { Ref: "AWS::Partition" };
const region = { Ref: "AWS::Region" };
const account = { Ref: "AWS::AccountId" };

describe("permissions", () => {
  let template: Template;
  beforeAll(() => {
    const stack = aStack([
      aJob("nightly", { locks: ["billing-db"] }),
      aJob("hourly"),
      aJob("free", { overlap: "allow" }),
    ]);
    const orders = new TableV2(stack, "Orders", { partitionKey: { name: "pk", type: AttributeType.STRING } });
    orders.grantReadData(stack.fleet.job("nightly"));
    stack.fleet.job("nightly").addEnvironment("ORDERS_TABLE", orders.tableName);
    template = Template.fromStack(stack);
  });

  /** The statements of the policy that belongs to a role. */
  const statementsOf = (role: string): Statement[] => {
    const policies = template.findResources("AWS::IAM::Policy", {
      Properties: { Roles: [{ Ref: Match.stringLikeRegexp(`^Fleet${role}`) }] },
    });
    expect(Object.keys(policies)).toHaveLength(1);
    return Object.values(policies)[0]?.["Properties"].PolicyDocument.Statement;
  };
  const attribute = (id: string) => ({ "Fn::GetAtt": [expect.stringMatching(`^${id}`), "Arn"] });

  test("a job reads and writes its own partition of the table and the locks that it names, with the actions of a run and no other", () => {
    expect(statementsOf("FunctionsnightlyRole")).toContainEqual({
      Effect: "Allow",
      Action: [
        "dynamodb:ConditionCheckItem",
        "dynamodb:GetItem",
        "dynamodb:PutItem",
        "dynamodb:Query",
        "dynamodb:UpdateItem",
      ],
      Resource: attribute("FleetRunTable"),
      Condition: {
        "ForAllValues:StringEquals": {
          "dynamodb:LeadingKeys": ["Escapement-dev#job#nightly", "Escapement-dev#lock#billing-db"],
        },
      },
    });
  });

  const named = (...parts: string[]) => ({
    "Fn::Join": ["", ["arn:", partition, `:${parts[0]}:`, region, ":", account, `:${parts[1]}`]],
  });

  /** X-Ray's actions have no resource but the account's. */
  const traces = { Effect: "Allow", Action: ["xray:PutTelemetryRecords", "xray:PutTraceSegments"], Resource: "*" };

  describe("where a bus is told how runs end", () => {
    const app = anApp();
    const bus = EventBus.fromEventBusArn(
      new Stack(app, "Buses"),
      "Bus",
      "arn:aws:events:eu:123456789012:event-bus/ends",
    );
    const jobs = [aJob("nightly")];
    const told = Template.fromStack(
      new ScheduledFunctionsStack(app, "Escapement-dev", { stage: "dev", jobs, runEventBus: bus, tracing: false }),
    );
    const statements = Object.values(
      told.findResources("AWS::IAM::Policy", {
        Properties: { Roles: [{ Ref: Match.stringLikeRegexp("^FleetFunctionsnightlyRole") }] },
      }),
    ).flatMap(({ Properties }): Statement[] => Properties.PolicyDocument.Statement);
    /** One request can bring several events. */
    const maySend = (sources: readonly string[], detailTypes: readonly string[]) =>
      allows(statements, {
        action: "events:PutEvents",
        resource: bus.eventBusArn,
        context: { "events:source": sources, "events:detail-type": detailTypes },
      });

    test.each(["Run Succeeded", "Run Failed", "Run Timed Out", "Run Cancelled"])("a job tells it: %s", (detailType) => {
      expect(maySend(["escapement"], [detailType])).toBe(true);
    });

    test("a job cannot ask it for a run of another job, not even beside the end of its own", () => {
      expect(maySend(["escapement"], ["Run Requested"])).toBe(false);
      expect(maySend(["escapement"], ["Run Succeeded", "Run Requested"])).toBe(false);
    });

    test("a job speaks as escapement alone, and never without a source and a type", () => {
      expect(maySend(["shop"], ["Run Succeeded"])).toBe(false);
      expect(maySend(["escapement", "shop"], ["Run Succeeded"])).toBe(false);
      expect(maySend([], ["Run Succeeded"])).toBe(false);
      expect(maySend(["escapement"], [])).toBe(false);
    });

    test("a job knows which, and sends no traces where they are switched off", () => {
      told.hasResourceProperties("AWS::Lambda::Function", {
        FunctionName: "Escapement-dev_nightly",
        Environment: { Variables: { ESCAPEMENT_EVENT_BUS: bus.eventBusArn } },
      });
      expect(JSON.stringify(statements)).not.toContain("xray:");
      expect(JSON.stringify(template)).not.toContain("events:PutEvents");
    });
  });

  test("a job writes its own logs, traces and dead letters, and starts the next run of its own queue", () => {
    const statements = statementsOf("FunctionshourlyRole");
    expect(statements.filter(({ Action }) => !JSON.stringify(Action).includes("dynamodb:"))).toEqual([
      {
        Effect: "Allow",
        Action: ["logs:CreateLogStream", "logs:PutLogEvents"],
        Resource: attribute("FleetFunctionshourlyLogs"),
      },
      { Effect: "Allow", Action: "sqs:SendMessage", Resource: attribute("FleetDeadLetterQueue") },
      traces,
      {
        Effect: "Allow",
        Action: "lambda:InvokeFunction",
        Resource: named("lambda", "function:Escapement-dev_hourly"),
      },
    ]);
    expect(
      Object.values(template.findResources("AWS::IAM::Role", { Properties: { ManagedPolicyArns: Match.anyValue() } })),
    ).toEqual([]);
  });

  test("a job that takes no lock has no queue to go on with, and invokes nothing", () => {
    expect(statementsOf("FunctionsfreeRole").flatMap(({ Action }) => Action)).not.toContain("lambda:InvokeFunction");
  });

  test("a job has what the app grants it besides", () => {
    expect(statementsOf("FunctionsnightlyRole")).toContainEqual(
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
                "aws:SourceArn": named("scheduler", "schedule-group/Escapement-dev"),
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
        Resource: ["free", "hourly", "nightly"].map((job) => attribute(`FleetFunctions${job}Function`)),
      },
    ]);
  });

  test("the dispatcher invokes the functions of this fleet alone", () => {
    expect(statementsOf("DispatcherRole")).toContainEqual({
      Effect: "Allow",
      Action: "lambda:InvokeFunction",
      Resource: named("lambda", "function:Escapement-dev_*"),
    });
  });

  test("the watchdog looks at the jobs of this fleet, asks for its schedules, and starts its jobs", () => {
    const statements = statementsOf("WatchdogRole");
    expect(statements).toContainEqual({
      Effect: "Allow",
      Action: ["dynamodb:GetItem", "dynamodb:PutItem", "dynamodb:Query", "dynamodb:UpdateItem"],
      Resource: attribute("FleetRunTable"),
      Condition: {
        "ForAllValues:StringLike": { "dynamodb:LeadingKeys": ["Escapement-dev#job#*", "Escapement-dev#fleet"] },
      },
    });
    const rest = statements.filter(({ Condition }) => Condition === undefined);
    expect(rest.map(({ Action, Resource }) => [Action, arnEnd(Resource)])).toEqual(
      expect.arrayContaining([
        ["lambda:InvokeFunction", ":function:Escapement-dev_*"],
        ["scheduler:GetSchedule", ":schedule/Escapement-dev/*"],
      ]),
    );
  });

  test("CD-15: no policy allows all actions, and only those for the whole fleet act on more than named resources", () => {
    const policies = {
      ...template.findResources("AWS::IAM::Policy"),
      ...template.findResources("AWS::IAM::ManagedPolicy"),
    };
    const wide = Object.entries(policies).flatMap(([id, { Properties }]) => {
      const statements: Statement[] = Properties.PolicyDocument.Statement;
      expect(JSON.stringify(statements.map(({ Action }) => Action))).not.toContain("*");
      const others = statements.filter(
        ({ Resource, Action }) => !isDeepStrictEqual({ Effect: "Allow", Action, Resource }, traces),
      );
      return others.some(({ Resource }) => JSON.stringify(Resource).includes("*")) ? [id.slice(0, -8)] : [];
    });
    expect(Object.keys(policies)).toHaveLength(9);
    expect(wide.sort()).toEqual([
      "FleetDispatcherRoleDefaultPolicy",
      "FleetOperatorPoliciesOperate",
      "FleetOperatorPoliciesRead",
      "FleetWatchdogRoleDefaultPolicy",
    ]);
  });
});

/** What comes after the account in an ARN. */
function arnEnd(resource: unknown): unknown {
  return (resource as { "Fn::Join"?: [string, unknown[]] })["Fn::Join"]?.[1].at(-1);
}

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
