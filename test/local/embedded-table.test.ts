import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { CreateTableCommand, DynamoDBClient, GetItemCommand, PutItemCommand } from "@aws-sdk/client-dynamodb";
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

test("a folder that is open already is refused", async () => {
  const dir = tempFolder();
  const first = await openEmbeddedDynamo({ dir });
  onTestFinished(() => first.close());
  await client(first.endpoint).send(createOrders);
  await expect(openEmbeddedDynamo({ dir })).rejects.toMatchObject({
    code: "FOLDER_IN_USE",
    message: `${dir} is open in another process. End that one first.`,
  });
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
