import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { readAssembly } from "../../lib/local/assembly.ts";
import { schedule, writeAssembly, writeJson } from "./assembly-fixture.ts";
import { tempFolder } from "./temp-folder.ts";

const source = "export const handler = async () => {};";
const ordersTable = {
  Type: "AWS::DynamoDB::GlobalTable",
  Properties: {
    AttributeDefinitions: [{ AttributeName: "pk", AttributeType: "S" }],
    KeySchema: [{ AttributeName: "pk", KeyType: "HASH" }],
    Replicas: [{ Region: { Ref: "AWS::Region" } }],
  },
};

describe("what the cloud assembly says of a function", () => {
  test("its references are resolved for an account and a region that are marked local", () => {
    const environment = {
      ORDERS: { Ref: "Orders" },
      ORDERS_ARN: { "Fn::GetAtt": ["Orders", "Arn"] },
      JOINED: { "Fn::Join": ["-", ["a", { Ref: "AWS::StackName" }]] },
      SUBSTITUTED: { "Fn::Sub": `\${AWS::Region}/\${Orders}/\${Orders.Arn}/\${!literal}` },
      SELECTED: { "Fn::Select": [1, { "Fn::Split": [",", "x,y"] }] },
      NONE: { Ref: "AWS::NoValue" },
    };
    const [fn] = readAssembly(writeAssembly({ bill: { source, environment } }, { Orders: ordersTable })).functions;
    expect(fn?.environment).toEqual({
      ORDERS: "Shop-Orders",
      ORDERS_ARN: "arn:aws:dynamodb:local:000000000000:table/Shop-Orders",
      JOINED: "a-Shop",
      SUBSTITUTED: `local/Shop-Orders/arn:aws:dynamodb:local:000000000000:table/Shop-Orders/\${literal}`,
      SELECTED: "y",
    });
  });

  test("without settings it has Lambda's defaults", () => {
    const properties = { Timeout: undefined };
    const [fn] = readAssembly(writeAssembly({ bill: { source, properties } })).functions;
    expect(fn).toMatchObject({ timeoutMs: 3_000, memoryMb: 128, asyncPolicy: { maxRetries: 2, maxAgeMs: 21_600_000 } });
  });

  test("its event-invoke config bounds retries and age, and names where the failed ones go", () => {
    const dir = writeAssembly(
      { bill: { source, properties: { MemorySize: 256 } } },
      {
        Failed: { Type: "AWS::SQS::Queue" },
        Config: {
          Type: "AWS::Lambda::EventInvokeConfig",
          Properties: {
            FunctionName: { Ref: "bill" },
            MaximumRetryAttempts: 0,
            MaximumEventAgeInSeconds: 60,
            DestinationConfig: { OnFailure: { Destination: { "Fn::GetAtt": ["Failed", "Arn"] } } },
          },
        },
      },
    );
    expect(readAssembly(dir).functions[0]).toMatchObject({
      memoryMb: 256,
      asyncPolicy: { maxRetries: 0, maxAgeMs: 60_000, destination: "arn:aws:sqs:local:000000000000:Shop-Failed" },
    });
  });

  test("what another stack exports is found by its import", () => {
    const environment = { ORDERS: { "Fn::ImportValue": "data:orders" } };
    const dir = writeAssembly({ bill: { source, environment } });
    writeJson(join(dir, "Data.template.json"), {
      Resources: { Orders: ordersTable },
      Outputs: { Orders: { Value: { Ref: "Orders" }, Export: { Name: "data:orders" } } },
    });
    addToManifest(dir, {
      Data: { type: "aws:cloudformation:stack", properties: { templateFile: "Data.template.json" } },
    });
    expect(readAssembly(dir).functions[0]?.environment).toEqual({ ORDERS: "Data-Orders" });
  });

  test("a nested stack's function and outputs are read like its parent's", () => {
    const dir = writeAssembly(
      { bill: { source, environment: { ORDERS: { "Fn::GetAtt": ["Inner", "Outputs.Orders"] } } } },
      {
        Inner: {
          Type: "AWS::CloudFormation::Stack",
          Properties: {
            TemplateURL: { "Fn::Join": ["", ["https://s3.", { Ref: "AWS::URLSuffix" }, "/assets/inner.json"]] },
            Parameters: { prefix: "eu" },
          },
        },
      },
    );
    writeJson(join(dir, "inner.template.json"), {
      Parameters: { prefix: { Type: "String" } },
      Resources: { Orders: { ...ordersTable, Properties: { TableName: { "Fn::Sub": `\${prefix}-orders` } } } },
      Outputs: { Orders: { Value: { Ref: "Orders" } } },
    });
    writeJson(join(dir, "Inner.assets.json"), {
      files: { inner: { source: { path: "inner.template.json" }, destinations: { x: { objectKey: "inner.json" } } } },
    });
    addToManifest(dir, { "Inner.assets": { type: "cdk:asset-manifest", properties: { file: "Inner.assets.json" } } });
    const assembly = readAssembly(dir);
    expect(assembly.functions[0]?.environment).toEqual({ ORDERS: "eu-orders" });
    expect(assembly.tables.map(({ name }) => name)).toEqual(["eu-orders"]);
  });
});

describe("what the cloud assembly says of schedules", () => {
  test("name, zone, limits, state and input are read, one by one", () => {
    const input = '{"escapement":{"job":"bill","schedule":"weekly","scheduledTime":"<aws.scheduler.scheduled-time>"}}';
    const dir = writeAssembly(
      { bill: { source } },
      {
        Weekly: schedule({
          Name: "bill.weekly",
          GroupName: "Shop",
          ScheduleExpression: "cron(0 9 ? * MON *)",
          ScheduleExpressionTimezone: "Europe/Berlin",
          StartDate: "2030-01-01T00:00:00.000Z",
          State: "DISABLED",
          FlexibleTimeWindow: { Mode: "FLEXIBLE", MaximumWindowInMinutes: 5 },
          Target: {
            Arn: { "Fn::GetAtt": ["bill", "Arn"] },
            Input: input,
            RetryPolicy: { MaximumRetryAttempts: 5, MaximumEventAgeInSeconds: 600 },
            DeadLetterConfig: { Arn: "arn:aws:sqs:eu-central-1:1:failed" },
          },
        }),
      },
    );
    expect(readAssembly(dir).schedules).toEqual([
      {
        id: "Shop/bill.weekly",
        arn: "arn:aws:scheduler:local:000000000000:schedule/Shop/bill.weekly",
        job: "bill",
        name: "weekly",
        spec: {
          expression: "cron(0 9 ? * MON *)",
          timeZone: "Europe/Berlin",
          start: "2030-01-01T00:00:00.000Z",
          flexibleWindowMinutes: 5,
        },
        enabled: false,
        isWatchdogs: false,
        functionName: "bill",
        input,
        delivery: { maxRetries: 5, maxAgeMs: 600_000, destination: "arn:aws:sqs:eu-central-1:1:failed" },
      },
    ]);
  });

  test("one whose target does not run here is named in a warning", () => {
    const target = { Arn: "arn:aws:states:eu-central-1:123456789012:stateMachine:pay" };
    const more = { Pay: schedule({ Name: "pay", ScheduleExpression: "rate(1 day)", Target: target }) };
    const { schedules, warnings } = readAssembly(writeAssembly({}, more));
    expect(schedules).toEqual([]);
    expect(warnings).toEqual([expect.stringContaining("The schedule default/pay (Shop/Pay) is not fired here")]);
  });
});

describe("what cannot run here", () => {
  test.each([
    ["AWS::SQS::Queue", "Orders"],
    ["AWS::StepFunctions::StateMachine", "Flow"],
    ["AWS::ApiGateway::RestApi", "Api"],
    ["AWS::ApiGatewayV2::Api", "HttpApi"],
  ])("is named in a warning: %s", (Type, id) => {
    const { warnings } = readAssembly(writeAssembly({}, { [id]: { Type } }));
    expect(warnings).toEqual([`Shop/${id} (${Type}) does not run here: calls to it from a function fail.`]);
  });

  test("is named in a warning; what only gives permission or watches is not", () => {
    const { warnings } = readAssembly(
      writeAssembly(
        { bill: { source }, old: { source, properties: { Runtime: "python3.13" } } },
        {
          Topic: { Type: "AWS::SNS::Topic" },
          Role: { Type: "AWS::IAM::Role" },
          Alarm: { Type: "AWS::CloudWatch::Alarm" },
        },
      ),
    );
    expect(warnings).toEqual([
      "The function old (Shop/old) does not run here: only Node.js functions bundled as a file asset do.",
      "Shop/Topic (AWS::SNS::Topic) does not run here: calls to it from a function fail.",
    ]);
  });

  test.each([
    ["an empty folder", () => tempFolder(), /holds no cloud assembly: there is no manifest.json.*npx cdk synth/],
    [
      "an assembly whose code is gone",
      () => {
        const dir = writeAssembly({ bill: { source } });
        rmSync(join(dir, "asset.bill"), { recursive: true });
        return dir;
      },
      /The code of the function bill \(.*asset.bill\) is not there/,
    ],
    [
      "a manifest that cannot be read",
      () => {
        const dir = tempFolder();
        mkdirSync(join(dir, "manifest.json"));
        return dir;
      },
      /manifest.json cannot be read/,
    ],
    [
      "an input that is no JSON",
      () => {
        const target = { Arn: { "Fn::GetAtt": ["bill", "Arn"] }, Input: "{oops" };
        const more = { Bad: schedule({ Name: "bad", ScheduleExpression: "rate(1 day)", Target: target }) };
        return writeAssembly({ bill: { source } }, more);
      },
      /The input of the schedule default\/bad is not JSON/,
    ],
    [
      "an assembly that lacks what only an account can tell",
      () => {
        const dir = tempFolder();
        writeJson(join(dir, "manifest.json"), { missing: [{ key: "vpc-provider:account=1" }] });
        return dir;
      },
      /looks up what only an account can tell: vpc-provider:account=1\. "npx cdk synth" with credentials/,
    ],
    [
      "what a construct marks as an error",
      () => {
        const dir = writeAssembly({ bill: { source } });
        writeJson(join(dir, "notes.json"), { "/Shop/Bill": [{ type: "aws:cdk:error", data: "has no alarm" }] });
        addToManifest(dir, { Other: { type: "none", additionalMetadataFile: "notes.json" } });
        return dir;
      },
      /^The CDK app marks as an error:\nShop\/Bill: has no alarm$/,
    ],
  ])("%s is refused in words", (_case, makeDir, message) => {
    const dir = makeDir();
    expect(() => readAssembly(dir)).toThrow(expect.objectContaining({ code: "BAD_ASSEMBLY", exitCode: 2 }));
    expect(() => readAssembly(dir)).toThrow(message);
  });
});

function addToManifest(dir: string, artifacts: Record<string, unknown>): void {
  writeJson(join(dir, "manifest.json"), {
    artifacts: {
      Shop: { type: "aws:cloudformation:stack", properties: { templateFile: "Shop.template.json" } },
      "Shop.assets": { type: "cdk:asset-manifest", properties: { file: "Shop.assets.json" } },
      ...artifacts,
    },
  });
}
