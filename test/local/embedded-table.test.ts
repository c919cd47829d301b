import { mkdirSync, writeFileSync } from "node:fs";
import { request } from "node:http";
import { join } from "node:path";
import {
  CreateTableCommand,
  DynamoDBClient,
  GetItemCommand,
  PutItemCommand,
  ScanCommand,
} from "@aws-sdk/client-dynamodb";
import { expect, onTestFinished, test } from "vitest";
import { openEmbeddedDynamo } from "../../lib/local/index.ts";
import { tempFolder } from "./temp-folder.ts";

test("what it acknowledged is there when it is opened again", async () => {
  const dir = tempFolder();
  const first = await openEmbeddedDynamo({ dir });
  const writer = client(first.endpoint);
  await writer.send(createOrders);
  await writer.send(new PutItemCommand({ TableName: "orders", Item: { id: { S: "a" } } }));
  await first.close();
  const second = await openEmbeddedDynamo({ dir });
  onTestFinished(() => second.close());
  const found = await client(second.endpoint).send(
    new GetItemCommand({ TableName: "orders", Key: { id: { S: "a" } } }),
  );
  expect(found.Item).toEqual({ id: { S: "a" } });
});

test("LD-14: of 200 conditional writes at once exactly one is applied; the others are refused as DynamoDB does", async () => {
  const dynamo = await openEmbeddedDynamo({ dir: tempFolder() });
  onTestFinished(() => dynamo.close());
  const writer = client(dynamo.endpoint);
  await writer.send(createOrders);
  const results = await Promise.allSettled(
    Array.from({ length: 200 }, (_, number) =>
      writer.send(
        new PutItemCommand({
          TableName: "orders",
          Item: { id: { S: "a" }, by: { N: String(number) } },
          ConditionExpression: "attribute_not_exists(id)",
        }),
      ),
    ),
  );
  const refused = results.filter((result) => result.status === "rejected");
  expect(refused.length).toBe(199);
  expect(new Set(refused.map((result) => (result.reason as Error).name))).toEqual(
    new Set(["ConditionalCheckFailedException"]),
  );
});

test("a web page is refused", async () => {
  const dynamo = await openEmbeddedDynamo({ dir: tempFolder() });
  onTestFinished(() => dynamo.close());
  const answer = await fetch(dynamo.endpoint, { method: "OPTIONS", headers: { Origin: "https://evil.example" } });
  expect(answer.status).toBe(403);
  expect(answer.headers.get("access-control-allow-origin")).toBeNull();
});

test("another host's name is refused, by which a web page could reach it", async () => {
  const dynamo = await openEmbeddedDynamo({ dir: tempFolder() });
  onTestFinished(() => dynamo.close());
  const { port } = new URL(dynamo.endpoint);
  const ask = (Host: string) =>
    new Promise((resolve) => {
      request(dynamo.endpoint, { headers: { Host } }, (response) => resolve(response.statusCode)).end();
    });
  expect(await ask("evil.example")).toBe(403);
  expect(await ask(`evil.example:${port}`)).toBe(403);
  expect(await ask(`localhost:${port}`)).toBe(200);
});

test("a folder that stays open elsewhere is refused, with the process that has it", async () => {
  const dir = tempFolder();
  const first = await openEmbeddedDynamo({ dir });
  onTestFinished(() => first.close());
  await expect(openEmbeddedDynamo({ dir })).rejects.toMatchObject({
    code: "FOLDER_IN_USE",
    message: `${dir} is open in another process (${process.pid}): a dashboard, a command that reads it, or a runner that starts or stops. Try again when that has ended.`,
  });
});

test("a folder that is open elsewhere for a moment is waited for, by however many", async () => {
  const dir = tempFolder();
  const readAndClose = async () => {
    const dynamo = await openEmbeddedDynamo({ dir });
    await fetch(dynamo.endpoint);
    await dynamo.close();
  };
  await Promise.all(Array.from({ length: 5 }, readAndClose));
});

test("it closes in the midst of requests, also of those whose clients have gone, and breaks none of them", async () => {
  const dir = tempFolder();
  const first = await openEmbeddedDynamo({ dir });
  const writer = client(first.endpoint);
  await writer.send(createOrders);
  for (let number = 0; number < 40; number += 1) {
    const Item = { id: { S: String(number) }, text: { S: "x".repeat(10_000) } };
    await writer.send(new PutItemCommand({ TableName: "orders", Item }));
  }
  const gone = new AbortController();
  const scan = (abortSignal?: AbortSignal) =>
    client(first.endpoint).send(new ScanCommand({ TableName: "orders" }), { ...(abortSignal && { abortSignal }) });
  const abandoned = Array.from({ length: 10 }, () => scan(gone.signal));
  const waitedFor = Array.from({ length: 30 }, () => scan());
  await Promise.race(waitedFor);
  gone.abort();
  const results = Promise.allSettled([...abandoned, ...waitedFor]);
  await first.close();
  await results;
  const second = await openEmbeddedDynamo({ dir });
  onTestFinished(() => second.close());
  expect((await client(second.endpoint).send(new ScanCommand({ TableName: "orders" }))).Count).toBe(40);
});

test("a client that goes away in the midst of a request ends nothing", async () => {
  const dynamo = await openEmbeddedDynamo({ dir: tempFolder() });
  onTestFinished(() => dynamo.close());
  const half = request(dynamo.endpoint, { method: "POST", headers: { "Content-Length": "100" } });
  const broken = new Promise((resolve) => half.once("error", resolve));
  await new Promise<void>((resolve) => half.write("{", () => resolve()));
  // By an answer to a later request the first one has arrived.
  await fetch(dynamo.endpoint);
  half.destroy(new Error("gone"));
  await broken;
  expect((await fetch(dynamo.endpoint)).status).toBe(200);
});

test("a damaged folder is named, with the way out", async () => {
  const dir = join(tempFolder(), "dynamodb");
  mkdirSync(dir);
  writeFileSync(join(dir, "CURRENT"), "MANIFEST-000099\n");
  await expect(openEmbeddedDynamo({ dir })).rejects.toMatchObject({
    code: "FOLDER_BROKEN",
    exitCode: 1,
    message: expect.stringMatching(/dynamodb cannot be opened: .* start with --fresh/),
  });
});

const createOrders = new CreateTableCommand({
  TableName: "orders",
  AttributeDefinitions: [{ AttributeName: "id", AttributeType: "S" }],
  KeySchema: [{ AttributeName: "id", KeyType: "HASH" }],
  BillingMode: "PAY_PER_REQUEST",
});

function client(endpoint: string): DynamoDBClient {
  const made = new DynamoDBClient({
    endpoint,
    region: "local",
    credentials: { accessKeyId: "a", secretAccessKey: "b" },
  });
  onTestFinished(() => made.destroy());
  return made;
}
