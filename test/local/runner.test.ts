import { readdirSync, renameSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer, request } from "node:http";
import type { AddressInfo } from "node:net";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { InvokeCommand, LambdaClient } from "@aws-sdk/client-lambda";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { findRunner, openEmbeddedDynamo, type Runner, startRunner } from "../../lib/local/index.ts";
import { schedule, writeAssembly } from "./assembly-fixture.ts";
import { ManualClock } from "./manual-clock.ts";
import { post, running } from "./running.ts";
import { tempFolder } from "./temp-folder.ts";

const quick = { source: "export const handler = async (event) => console.log(JSON.stringify(event));" };
const slow = { source: "export const handler = () => new Promise((resolve) => setTimeout(resolve, 400));" };
const importDynamo = `
  import { createRequire } from "node:module";
  const { DynamoDBClient, PutItemCommand, QueryCommand, ScanCommand } = createRequire(import.meta.url)(
    ${JSON.stringify(new URL(import.meta.resolve("@aws-sdk/client-dynamodb")).pathname)}
  );`;
const endless = { source: "export const handler = () => new Promise(() => setInterval(() => {}, 1000));" };

describe("a schedule of the assembly", () => {
  test("LD-01: hands its handler Scheduler's input, the context attributes put in, account and region marked", async () => {
    const clock = new ManualClock("2026-05-01T11:59:30.250Z");
    const input = {
      escapement: {
        job: "fn",
        schedule: "noon",
        scheduledTime: "<aws.scheduler.scheduled-time>",
        scheduleArn: "<aws.scheduler.schedule-arn>",
        executionId: "<aws.scheduler.execution-id>",
        attempt: "<aws.scheduler.attempt-number>",
      },
    };
    const target = { Arn: { "Fn::GetAtt": ["fn", "Arn"] }, Input: JSON.stringify(input) };
    const properties = { Name: "fn.noon", GroupName: "Shop", ScheduleExpression: "cron(0 12 * * ? *)", Target: target };
    const { lines, heard, runner } = await running({ fn: quick }, { clock, resources: { Noon: schedule(properties) } });
    expect(runner.jobs).toEqual([
      {
        job: "fn",
        functionName: "fn",
        schedules: [
          {
            name: "noon",
            spec: { expression: "cron(0 12 * * ? *)", timeZone: "UTC" },
            description: "At 12:00, UTC",
            enabled: true,
            nextMs: Date.parse("2026-05-01T12:00:00Z"),
          },
        ],
      },
    ]);
    await clock.moveTo("2026-05-01T12:00:00Z");
    await heard("finished");
    expect(JSON.parse(lines("fn")[0] as string)).toEqual({
      escapement: {
        job: "fn",
        schedule: "noon",
        scheduledTime: "2026-05-01T12:00:00Z",
        scheduleArn: "arn:aws:scheduler:local:000000000000:schedule/Shop/fn.noon",
        executionId: expect.stringMatching(/^[-0-9a-f]{36}$/),
        attempt: "1",
      },
    });
  });

  test("without an input hands it Scheduler's default event", async () => {
    const clock = new ManualClock("2026-05-01T11:59:30Z");
    const { lines, heard } = await running({ fn: { ...quick, schedule: "cron(0 12 * * ? *)" } }, { clock });
    await clock.moveTo("2026-05-01T12:00:00Z");
    await heard("finished");
    expect(JSON.parse(lines("fn")[0] as string)).toEqual({
      version: "0",
      id: expect.stringMatching(/^[-0-9a-f]{36}$/),
      "detail-type": "Scheduled Event",
      source: "aws.scheduler",
      account: "000000000000",
      time: "2026-05-01T12:00:00Z",
      region: "local",
      resources: ["arn:aws:scheduler:local:000000000000:schedule/default/fn"],
      detail: "{}",
    });
  });

  test("LD-04: that the template disables is named in the runner's file, for those who show it", async () => {
    const off = {
      Type: "AWS::Scheduler::Schedule",
      Properties: {
        Name: "off",
        State: "DISABLED",
        ScheduleExpression: "rate(1 hour)",
        FlexibleTimeWindow: { Mode: "OFF" },
        Target: { Arn: { "Fn::GetAtt": ["fn", "Arn"] } },
      },
    };
    const { info } = await running({ fn: { ...quick, schedule: "cron(0 12 * * ? *)" } }, { resources: { off } });
    expect(info.disabledSchedules).toEqual([{ job: "fn", schedule: "off" }]);
  });

  test("LD-06: that is not valid ends the start with the engine's words", async () => {
    const assemblyDir = writeAssembly({ fn: { ...quick, schedule: "cron(0 12 * * * *)" } });
    await expect(startRunner({ stateDir: tempFolder(), assemblyDir })).rejects.toMatchObject({
      code: "BAD_ASSEMBLY",
      exitCode: 2,
      message: expect.stringMatching(/default\/fn.*cron\(0 12 \* \* \* \*\)/),
    });
  });
});

describe("Lambda's Invoke API", () => {
  test("takes an asynchronous invocation from the AWS SDK, by name and by ARN", async () => {
    const { info, heard, lines } = await running({ fn: quick });
    const credentials = { accessKeyId: info.accessKeyId, secretAccessKey: "any" };
    const client = new LambdaClient({ endpoint: info.url, region: "local", credentials });
    onTestFinished(() => client.destroy());
    for (const FunctionName of ["fn", "arn:aws:lambda:local:000000000000:function:fn:$LATEST"]) {
      const command = new InvokeCommand({
        FunctionName,
        InvocationType: "Event",
        Payload: JSON.stringify({ FunctionName }),
      });
      const { StatusCode, $metadata } = await client.send(command);
      expect(StatusCode).toBe(202);
      await heard("finished", ({ requestId }) => requestId === $metadata.requestId);
      expect(lines("fn").at(-1)).toBe(JSON.stringify({ FunctionName }));
    }
  });

  test.each([
    [
      "another key",
      "fn",
      "{}",
      { Authorization: "AWS4-HMAC-SHA256 Credential=AKIAREAL/2026" },
      403,
      "UnrecognizedClientException",
    ],
    ["an unknown function", "nf", "{}", {}, 404, "ResourceNotFoundException"],
    [
      "another invocation type",
      "fn",
      "{}",
      { "X-Amz-Invocation-Type": "RequestResponse" },
      400,
      "InvalidParameterValueException",
    ],
    ["a payload that is no JSON", "fn", "{", {}, 400, "InvalidRequestContentException"],
    ["a payload beyond 1 MB", "fn", `"${"x".repeat(1024 * 1024)}"`, {}, 413, "RequestTooLargeException"],
  ])("refuses %s", async (_case, name, body, headers, status, type) => {
    const { info, stateDir } = await running({ fn: quick });
    const answer = await post(info, name, body, headers);
    expect([answer.status, answer.headers.get("x-amzn-errortype")]).toEqual([status, type]);
    expect(readdirSync(join(stateDir, "queue"))).toEqual([]);
  });

  test("answers as AWS's fault what this machine does not take, with the reason", async () => {
    const { info, stateDir } = await running({ fn: quick });
    renameSync(join(stateDir, "queue"), join(stateDir, "away"));
    const answer = await post(info, "fn", "{}");
    expect([answer.status, answer.headers.get("x-amzn-errortype")]).toEqual([500, "ServiceException"]);
    expect(await answer.json()).toMatchObject({
      Type: "Service",
      Message: expect.stringMatching(/^The event could not be queued: ENOENT: /),
    });
  });

  test("is not served under another host's name, by which a web page could reach it", async () => {
    const { info } = await running({ fn: quick });
    const status = await new Promise((resolve) => {
      request(info.url, { headers: { Host: "evil.example" } }, (response) => resolve(response.statusCode)).end();
    });
    expect(status).toBe(403);
  });
});

test("LD-12: it makes no schedule anywhere else: what asks for one is refused here, and reaches no account", async () => {
  const source = `
    export const handler = async () => {
      const url = process.env.AWS_ENDPOINT_URL_SCHEDULER + "/schedules/other";
      const answer = await fetch(url, { method: "POST", body: "{}" });
      console.log(url.startsWith("http://127.0.0.1:") + " " + answer.status);
    };`;
  const { finish, lines } = await running({ fn: { source } });
  await finish("fn");
  expect(lines("fn")).toEqual(["true 404"]);
});

describe("the folder", () => {
  test("tells its user alone where the runner is", async () => {
    const { stateDir, info, runner } = await running({ fn: quick });
    expect(statSync(join(stateDir, "runner.json")).mode & 0o777).toBe(0o600);
    expect(info).toMatchObject({ pid: process.pid, url: runner.urls.lambda, dynamoEndpoint: runner.urls.dynamo });
    await runner.abort();
    expect(await findRunner(stateDir)).toBeUndefined();
  });

  test("takes one runner: a second is told which one is there, and disturbs nothing", async () => {
    const { stateDir, runner, finish } = await running({ fn: quick });
    const second = startRunner({ stateDir, assemblyDir: runner.paths.assembly, fresh: true });
    await expect(second).rejects.toMatchObject({
      code: "ALREADY_RUNNING",
      exitCode: 1,
      message: expect.stringContaining(`A runner (process ${process.pid}, since `),
    });
    expect((await finish("fn")).error).toBeUndefined();
  });

  test("of a dead runner is taken over, whatever its runner.json says", async () => {
    const stateDir = tempFolder();
    writeFileSync(join(stateDir, "runner.json"), JSON.stringify({ pid: process.pid, url: "http://127.0.0.1:1" }));
    const { finish } = await running({ fn: quick }, { stateDir });
    expect((await finish("fn")).error).toBeUndefined();
  });

  test("that cannot be made is named", async () => {
    const stateDir = join(tempFolder(), "file", "below");
    writeFileSync(join(stateDir, ".."), "");
    await expect(startRunner({ stateDir, assemblyDir: writeAssembly({}) })).rejects.toMatchObject({
      code: "FOLDER_BROKEN",
      message: expect.stringContaining(stateDir),
    });
  });

  test("starts anew when asked to: what waited is gone", async () => {
    const stateDir = tempFolder();
    const first = await running({ endless }, { stateDir });
    await first.invoke("endless");
    await first.heard("started");
    await first.runner.abort();
    expect(readdirSync(join(stateDir, "queue")).length).toBe(1);
    await running({ endless }, { stateDir, fresh: true });
    expect(readdirSync(join(stateDir, "queue"))).toEqual([]);
  });
});

test.each(["port", "dynamoPort"] as const)("a %s in use is named, with the way out", async (option) => {
  const other = createServer();
  await new Promise<void>((resolve) => other.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    other.close();
  });
  const { port } = other.address() as AddressInfo;
  const start = startRunner({ stateDir: tempFolder(), assemblyDir: writeAssembly({}), [option]: port });
  await expect(start).rejects.toMatchObject({
    code: "PORT_IN_USE",
    exitCode: 1,
    message: expect.stringContaining(`Port ${port} on 127.0.0.1 is in use by another program. Choose another with --`),
  });
});

test("it knows the assembly alone: a table of it is there for the handlers, also at the next start", async () => {
  const stateDir = tempFolder();
  const table = {
    AttributeDefinitions: [{ AttributeName: "id", AttributeType: "S" }],
    KeySchema: [{ AttributeName: "id", KeyType: "HASH" }],
  };
  const resources = { Orders: { Type: "AWS::DynamoDB::Table", Properties: table } };
  const source = `
    ${importDynamo}
    const client = new DynamoDBClient({});
    export const handler = async ({ id }) => {
      await client.send(new PutItemCommand({ TableName: process.env.ORDERS, Item: { id: { S: id } } }));
      const { Count } = await client.send(new ScanCommand({ TableName: process.env.ORDERS }));
      console.log("orders: " + Count);
    };`;
  const fn = { source, environment: { ORDERS: { Ref: "Orders" } } };
  const first = await running({ fn }, { stateDir, resources });
  await first.finish("fn", { id: "a" });
  expect(first.lines("fn")).toEqual(["orders: 1"]);
  await first.runner.abort();
  const second = await running({ fn }, { stateDir, resources });
  await second.finish("fn", { id: "b" });
  expect(second.lines("fn")).toEqual(["orders: 2"]);
  await second.runner.abort();
  const otherKey = {
    ...table,
    KeySchema: [
      { AttributeName: "id", KeyType: "HASH" },
      { AttributeName: "at", KeyType: "RANGE" },
    ],
  };
  const changed = { Orders: { Type: "AWS::DynamoDB::Table", Properties: otherKey } };
  await expect(running({ fn }, { stateDir, resources: changed })).rejects.toMatchObject({
    code: "TABLE_CHANGED",
    message: expect.stringMatching(/Shop-Orders is here with the key id \(HASH\).*wants id \(HASH\), at \(RANGE\)/),
  });
});

test("a disk that refuses for a while, as a full one does, costs no sandbox: everything runs when it takes files again", async () => {
  const clock = new ManualClock("2026-05-01T12:00:00Z");
  const { invoke, heard, told, stateDir } = await running({ fn: quick }, { clock });
  // More than there may be sandboxes at work.
  const ids = await Promise.all(Array.from({ length: 2 * availableParallelism() + 1 }, () => invoke("fn")));
  renameSync(join(stateDir, "queue"), join(stateDir, "away"));
  await clock.moveTo("2026-05-01T12:00:01Z");
  const refused = () => told.filter((event) => event.kind === "warning").map((event) => event.message);
  await vi.waitFor(() => expect(refused().length).toBe(ids.length), 10_000);
  expect(refused()[0]).toMatch(/^fn: ENOENT: .*\. [-\w]{36} is tried again in a minute\.$/);
  renameSync(join(stateDir, "away"), join(stateDir, "queue"));
  await clock.moveTo("2026-05-01T12:02:00Z");
  await Promise.all(ids.map((id) => heard("finished", (event) => event.requestId === id)));
});

describe("the end", () => {
  test("drains: what is under way ends, what waits for a sandbox stays in the queue", async () => {
    const { runner, invoke, heard, told, stateDir } = await running({ slow });
    // Twice the cores at a time, so that half of them wait.
    const limit = 2 * availableParallelism();
    const ids = await Promise.all(Array.from({ length: 2 * limit }, () => invoke("slow")));
    await heard("started");
    await runner.drain(10_000);
    const finished = told.flatMap((event) => (event.kind === "finished" ? event.requestId : []));
    expect(finished.length).toBeLessThanOrEqual(limit);
    const left = readdirSync(join(stateDir, "queue")).map((name) => name.replace(".json", ""));
    expect([...finished, ...left].sort()).toEqual(ids.sort());
  });

  test("aborts what does not end in time; its event stays in the queue", async () => {
    const { runner, invoke, heard, told, stateDir } = await running({ endless });
    const requestId = await invoke("endless");
    await heard("started");
    await runner.drain(50);
    expect(told.some((event) => event.kind === "finished")).toBe(false);
    expect(readdirSync(join(stateDir, "queue"))).toEqual([`${requestId}.json`]);
  });

  test("comes at once when asked a second time", async () => {
    const { runner, invoke, heard } = await running({ endless });
    await invoke("endless");
    await heard("started");
    const drained = runner.drain(60_000);
    await runner.abort();
    await drained;
  });
});

test.each([
  ["once", async (runner: Runner) => runner.drain(0)],
  ["a second time", async (runner: Runner) => void (await Promise.all([runner.drain(60_000), runner.abort()]))],
])(
  "handlers in the midst of queries are cut short when asked %s, and the table closes in good order",
  async (_times, end) => {
    const table = {
      AttributeDefinitions: ["day", "id"].map((AttributeName) => ({ AttributeName, AttributeType: "S" })),
      KeySchema: [
        { AttributeName: "day", KeyType: "HASH" },
        { AttributeName: "id", KeyType: "RANGE" },
      ],
    };
    const source = `
    ${importDynamo}
    const client = new DynamoDBClient({});
    const TableName = process.env.ORDERS;
    const query = new QueryCommand({
      TableName,
      KeyConditionExpression: "#day = :day",
      ExpressionAttributeNames: { "#day": "day" },
      ExpressionAttributeValues: { ":day": { S: "1" } },
    });
    export const handler = async () => {
      for (let id = 100; id < 200; id += 1) {
        const Item = { day: { S: "1" }, id: { S: String(id) }, text: { S: "x".repeat(2_000) } };
        await client.send(new PutItemCommand({ TableName, Item }));
      }
      console.log("reading");
      const read = async () => {
        for (;;) await client.send(query);
      };
      await Promise.all([read(), read(), read(), read()]);
    };`;
    const resources = { Orders: { Type: "AWS::DynamoDB::Table", Properties: table } };
    const fn = { source, environment: { ORDERS: { Ref: "Orders" } } };
    const { runner, invoke, heard, stateDir } = await running({ fn }, { resources });
    await invoke("fn");
    await heard("log", ({ line }) => line === "reading");
    await end(runner);
    const again = await openEmbeddedDynamo({ dir: join(stateDir, "dynamodb") });
    await again.close();
  },
);

describe("without an assembly the CDK app is synthesized", () => {
  test("a failing synth ends the start with the app's own words, and no stack", async () => {
    const dir = tempFolder();
    const app = "console.error('functions/report.ts: the schedule \\\"cron(0 12)\\\" has 2 fields'); process.exit(1)";
    writeFileSync(join(dir, "app.cjs"), app);
    writeFileSync(join(dir, "cdk.json"), JSON.stringify({ app: "node app.cjs" }));
    await expect(startIn(dir)).rejects.toMatchObject({
      code: "SYNTH_FAILED",
      exitCode: 1,
      message: 'The CDK app could not be synthesized.\nfunctions/report.ts: the schedule "cron(0 12)" has 2 fields',
    });
  });
});

/** Starts in a project's folder, as the command line does. */
async function startIn(projectDir: string) {
  const repo = process.cwd();
  symlinkSync(join(repo, "node_modules"), join(projectDir, "node_modules"));
  process.chdir(projectDir);
  onTestFinished(() => process.chdir(repo));
  return startRunner({ stateDir: ".escapement" });
}
