import {
  DescribeContinuousBackupsCommand,
  DescribeTimeToLiveCommand,
  UpdateTimeToLiveCommand,
} from "@aws-sdk/client-dynamodb";
import {
  type DynamoDBDocumentClient,
  GetCommand,
  PutCommand,
  QueryCommand,
  TransactGetCommand,
  TransactWriteCommand,
  type TransactWriteCommandInput,
  UpdateCommand,
} from "@aws-sdk/lib-dynamodb";
import { describe, expect, test } from "vitest";
import { openFront } from "./front.ts";

type Items = NonNullable<TransactWriteCommandInput["TransactItems"]>;

const MINUTE_MS = 60_000;

function write(db: DynamoDBDocumentClient, items: Items, token?: string) {
  return db.send(new TransactWriteCommand({ TransactItems: items, ClientRequestToken: token }));
}

async function account(db: DynamoDBDocumentClient, id: string) {
  return (await db.send(new GetCommand({ TableName: "accounts", Key: { id } }))).Item;
}

const put = (id: string, more = {}) => ({ Put: { TableName: "accounts", Item: { id, ...more } } });
const add = (id: string, cents: number) => ({
  Update: {
    TableName: "accounts",
    Key: { id },
    UpdateExpression: "ADD cents :cents",
    ExpressionAttributeValues: { ":cents": cents },
  },
});

describe("a transaction", () => {
  test("writes, updates and deletes in several tables, indexes included", async () => {
    const { db } = await openFront();
    await db.send(new PutCommand({ TableName: "accounts", Item: { id: "old" } }));
    await write(db, [
      add("ann", 500),
      { Delete: { TableName: "accounts", Key: { id: "old" } } },
      { Put: { TableName: "entries", Item: { id: "e1", day: "2026-05-01" } } },
    ]);
    expect(await account(db, "ann")).toEqual({ id: "ann", cents: 500 });
    expect(await account(db, "old")).toBeUndefined();
    const ofDay = new QueryCommand({
      TableName: "entries",
      IndexName: "by-day",
      KeyConditionExpression: "#day = :day",
      ExpressionAttributeNames: { "#day": "day" },
      ExpressionAttributeValues: { ":day": "2026-05-01" },
    });
    expect((await db.send(ofDay)).Items).toEqual([{ id: "e1", day: "2026-05-01" }]);
  });

  test("changes nothing when one condition does not hold, and says which, with the item where it is asked for", async () => {
    const { db } = await openFront();
    await db.send(new PutCommand({ TableName: "accounts", Item: { id: "ann", cents: 3 } }));
    const check = {
      TableName: "accounts",
      Key: { id: "ann" },
      ConditionExpression: "cents > :five",
      ExpressionAttributeValues: { ":five": 5 },
    };
    const asked = { ...check, ReturnValuesOnConditionCheckFailure: "ALL_OLD" as const };
    await expect(write(db, [put("bob"), { ConditionCheck: asked }])).rejects.toMatchObject({
      name: "TransactionCanceledException",
      message: expect.stringContaining("[None, ConditionalCheckFailed]"),
      CancellationReasons: [
        { Code: "None" },
        { Code: "ConditionalCheckFailed", Message: "The conditional request failed", Item: { id: { S: "ann" } } },
      ],
    });
    expect(await account(db, "bob")).toBeUndefined();
    const silent = await write(db, [{ ConditionCheck: check }]).catch((error) => error);
    expect(silent.CancellationReasons[0]).not.toHaveProperty("Item");
  });

  test("is cancelled by an item that cannot be updated as asked", async () => {
    const { db } = await openFront();
    await db.send(new PutCommand({ TableName: "accounts", Item: { id: "ann", cents: "many" } }));
    await expect(write(db, [put("bob"), add("ann", 1)])).rejects.toMatchObject({
      CancellationReasons: [
        { Code: "None" },
        { Code: "ValidationError", Message: "An operand in the update expression has an incorrect data type" },
      ],
    });
    expect(await account(db, "bob")).toBeUndefined();
  });

  test.for<[string, Items]>([
    ["no item", []],
    ["101 items", Array.from({ length: 101 }, (_, n) => put(`a${n}`))],
    ["an item twice", [put("ann"), add("ann", 1)]],
    ["an item of two kinds", [{ ...put("ann"), ...add("ann", 1) }]],
    ["a check without a condition", [{ ConditionCheck: { TableName: "accounts", Key: { id: "a" } } } as never]],
    ["more than 4 MB", Array.from({ length: 13 }, (_, n) => put(`a${n}`, { text: "x".repeat(350_000) }))],
  ])("with %s is refused", async ([, items]) => {
    const { db } = await openFront();
    await expect(write(db, items)).rejects.toMatchObject({ name: "ValidationException" });
    expect(await account(db, "a0")).toBeUndefined();
  });

  test("takes 100 items", async () => {
    const { db } = await openFront();
    await write(
      db,
      Array.from({ length: 100 }, (_, n) => put(`a${n}`)),
    );
    expect(await account(db, "a99")).toEqual({ id: "a99" });
  });

  test("in a table that is not there is refused as such", async () => {
    const { db } = await openFront();
    const nowhere = { Put: { TableName: "nowhere", Item: { id: "a" } } };
    await expect(write(db, [nowhere])).rejects.toMatchObject({ name: "ResourceNotFoundException" });
  });

  test("with a token is done once within 10 minutes", async () => {
    const { db, clock } = await openFront();
    await write(db, [add("ann", 500)], "token-1");
    clock.nowMs += 10 * MINUTE_MS - 1;
    await write(db, [add("ann", 500)], "token-1");
    expect(await account(db, "ann")).toEqual({ id: "ann", cents: 500 });
    await expect(write(db, [add("ann", 600)], "token-1")).rejects.toMatchObject({
      name: "IdempotentParameterMismatchException",
    });
    clock.nowMs += 1;
    await write(db, [add("ann", 500)], "token-1");
    expect(await account(db, "ann")).toEqual({ id: "ann", cents: 1000 });
  });

  test("that was cancelled does not use its token up", async () => {
    const { db } = await openFront();
    const ifThere = { ...add("ann", 1).Update, ConditionExpression: "attribute_exists(id)" };
    await expect(write(db, [{ Update: ifThere }], "token-1")).rejects.toMatchObject({
      name: "TransactionCanceledException",
    });
    await db.send(new PutCommand({ TableName: "accounts", Item: { id: "ann" } }));
    await write(db, [{ Update: ifThere }], "token-1");
    expect(await account(db, "ann")).toEqual({ id: "ann", cents: 1 });
  });

  test("is read whole: 40 transfers among single writes never change the sum", async () => {
    const { db } = await openFront();
    const read = new TransactGetCommand({
      TransactItems: ["ann", "bob", "nobody"].map((id) => ({ Get: { TableName: "accounts", Key: { id } } })),
    });
    await write(db, [add("ann", 0), add("bob", 0)]);
    const single = { ...add("ann", 0).Update, UpdateExpression: "SET touched = :cents" };
    const results = await Promise.all(
      Array.from({ length: 40 }, async () => {
        await Promise.all([write(db, [add("ann", -1), add("bob", 1)]), db.send(new UpdateCommand(single))]);
        const { Responses } = await db.send(read);
        return [(Responses?.[0]?.Item?.["cents"] ?? 0) + (Responses?.[1]?.Item?.["cents"] ?? 0), Responses?.[2]];
      }),
    );
    expect(results).toEqual(Array(40).fill([0, {}]));
    expect(await account(db, "bob")).toEqual({ id: "bob", cents: 40 });
  });
});

test("a failed condition of a single write returns the item where it is asked for", async () => {
  const { db } = await openFront();
  await db.send(new PutCommand({ TableName: "accounts", Item: { id: "ann", cents: 3 } }));
  const ifNew = {
    TableName: "accounts",
    Item: { id: "ann" },
    ConditionExpression: "attribute_not_exists(id)",
    ReturnValuesOnConditionCheckFailure: "ALL_OLD",
  } as const;
  await expect(db.send(new PutCommand(ifNew))).rejects.toMatchObject({
    name: "ConditionalCheckFailedException",
    Item: { id: { S: "ann" }, cents: { N: "3" } },
  });
  const silent = await db
    .send(new PutCommand({ ...ifNew, ReturnValuesOnConditionCheckFailure: "NONE" }))
    .catch((error) => error);
  expect(silent).toMatchObject({ name: "ConditionalCheckFailedException", Item: undefined });
});

test("a table remembers what its items expire by, and answers for its backups", async () => {
  const { client } = await openFront();
  const table = { TableName: "accounts" };
  const describeTtl = new DescribeTimeToLiveCommand(table);
  expect((await client.send(describeTtl)).TimeToLiveDescription).toEqual({ TimeToLiveStatus: "DISABLED" });
  const enable = new UpdateTimeToLiveCommand({
    ...table,
    TimeToLiveSpecification: { AttributeName: "ttl", Enabled: true },
  });
  await client.send(enable);
  expect((await client.send(describeTtl)).TimeToLiveDescription).toEqual({
    TimeToLiveStatus: "ENABLED",
    AttributeName: "ttl",
  });
  await expect(client.send(enable)).rejects.toMatchObject({ message: "TimeToLive is already enabled" });
  const backups = await client.send(new DescribeContinuousBackupsCommand(table));
  expect(backups.ContinuousBackupsDescription).toMatchObject({
    PointInTimeRecoveryDescription: { PointInTimeRecoveryStatus: "DISABLED" },
  });
});
