import { DynamoDBDocumentClient, GetCommand, PutCommand, UpdateCommand } from "@aws-sdk/lib-dynamodb";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { guardWrite } from "../../lib/store/index.ts";
import { openTestTable, TABLE_NAME, type TestTable } from "./dynamo.ts";

describe("a guarded update", () => {
  test("sets the token beside what it sets itself, and keeps its own condition, names and values", () => {
    const update = {
      TableName: "orders",
      Key: { id: "a" },
      UpdateExpression: "REMOVE #set SET #total = :total",
      ConditionExpression: "#total < :total OR attribute_not_exists(#total)",
      ExpressionAttributeNames: { "#set": "set", "#total": "total" },
      ExpressionAttributeValues: { ":total": 5 },
    };
    expect(guardWrite(update, "nightly", 7)).toEqual({
      TableName: "orders",
      Key: { id: "a" },
      UpdateExpression: "REMOVE #set SET #fence = :fence, #total = :total",
      ConditionExpression:
        "(#total < :total OR attribute_not_exists(#total)) AND (attribute_not_exists(#fence) OR #fence <= :fence)",
      ExpressionAttributeNames: { "#set": "set", "#total": "total", "#fence": "fence_nightly" },
      ExpressionAttributeValues: { ":total": 5, ":fence": 7 },
    });
  });

  test("takes other aliases where its own are in use", () => {
    const update = {
      UpdateExpression: "ADD #fence :fence",
      ExpressionAttributeNames: { "#fence": "garden" },
      ExpressionAttributeValues: { ":fence": 3 },
    };
    expect(guardWrite(update, "nightly", 7)).toMatchObject({
      UpdateExpression: "SET #fence2 = :fence2 ADD #fence :fence",
      ExpressionAttributeNames: { "#fence": "garden", "#fence2": "fence_nightly" },
      ExpressionAttributeValues: { ":fence": 3, ":fence2": 7 },
    });
  });

  test("leaves what it was given as it is", () => {
    const update = Object.freeze({ UpdateExpression: "REMOVE a" });
    guardWrite(update, "nightly", 7);
    expect(update).toEqual({ UpdateExpression: "REMOVE a" });
  });
});

test("a deletion is not guarded, since the token would go with the item", () => {
  const deletion = { TableName: "orders", Key: { id: "a" }, ConditionExpression: "attribute_exists(id)" };
  expect(() => guardWrite(deletion, "nightly", 7)).toThrowError(expect.objectContaining({ code: "WRITE_INVALID" }));
});

describe("on a table", () => {
  let table: TestTable;
  beforeAll(async () => {
    table = await openTestTable({ returnsItem: true });
  });
  afterAll(() => table.close());

  test("of two runs of a job the older one changes nothing that the newer one has written; of two jobs both do", async () => {
    const db = DynamoDBDocumentClient.from(table.client);
    const Key = { pk: "order", sk: "1" };
    const put = { TableName: TABLE_NAME, Item: { ...Key, by: "put" } };
    const update = (by: string) => ({
      TableName: TABLE_NAME,
      Key,
      UpdateExpression: "set #by = :by",
      ExpressionAttributeNames: { "#by": "by" },
      ExpressionAttributeValues: { ":by": by },
    });
    const refused = { name: "ConditionalCheckFailedException" };

    await db.send(new PutCommand(guardWrite(put, "nightly", 7)));
    await db.send(new UpdateCommand(guardWrite(update("same run"), "nightly", 7)));
    await db.send(new UpdateCommand(guardWrite(update("next run"), "nightly", 8)));
    await expect(db.send(new UpdateCommand(guardWrite(update("late"), "nightly", 7)))).rejects.toMatchObject(refused);
    await expect(db.send(new PutCommand(guardWrite(put, "nightly", 7)))).rejects.toMatchObject(refused);
    await db.send(new UpdateCommand(guardWrite(update("other job"), "hourly", 1)));
    const { Item } = await db.send(new GetCommand({ TableName: TABLE_NAME, Key }));
    expect(Item).toEqual({ ...Key, by: "other job", fence_nightly: 8, fence_hourly: 1 });
  });
});
