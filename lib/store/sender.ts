import {
  type DynamoDBClient,
  GetItemCommand,
  PutItemCommand,
  QueryCommand,
  UpdateItemCommand,
} from "@aws-sdk/client-dynamodb";
import { unmarshall } from "@aws-sdk/util-dynamodb";
import { type Attributes, toAttributes, toItem } from "./attributes.ts";
import { transactUpdate } from "./audited-update.ts";
import { timeOfAnswer } from "./client.ts";
import { isConditionFailure, toStoreError } from "./errors.ts";
import { Expressions } from "./expressions.ts";
import type { Key } from "./keys.ts";
import type { Get, Put, Query, Request, Result, Update } from "./request.ts";

export interface TableOptions {
  /** From `createDynamoClient`. */
  readonly client: DynamoDBClient;
  readonly tableName: string;
  /** The stack's name, which all its keys begin with. */
  readonly fleet: string;
  /** Epoch milliseconds. @default Date.now */
  readonly clock?: (() => number) | undefined;
}

type Answer = Omit<Result, "nowMs" | "applied"> & { readonly output: object; readonly applied?: false };

/**
 * Sends one request. A condition that does not hold is a result; whatever else fails is a `StoreError`.
 * @throws StoreError
 */
export async function send(request: Request, options: TableOptions): Promise<Result> {
  const { client, tableName, clock = Date.now } = options;
  try {
    const { output, ...answer } = await sendTo(client, tableName, request);
    return { applied: true, ...answer, nowMs: timeOfAnswer(output, clock()) };
  } catch (error) {
    if (!isConditionFailure(error)) throw toStoreError(error, `${request.kind} ${subjectOf(request)}`, tableName);
    const nowMs = timeOfAnswer(error, clock());
    if (error.Item) return { applied: false, nowMs, item: toItem(error.Item as Attributes) };
    // A store that does not return the item, or there is none.
    const { item } = await send({ kind: "get", key: keyOf(request) }, options);
    return { applied: false, nowMs, item };
  }
}

/** All pages of a query, as they are asked for. */
export async function* pages(query: Query, options: TableOptions): AsyncGenerator<Result> {
  let after: string | undefined;
  do {
    const page = await send({ ...query, after }, options);
    yield page;
    after = page.after;
  } while (after !== undefined);
}

function sendTo(client: DynamoDBClient, tableName: string, request: Request): Promise<Answer> {
  switch (request.kind) {
    case "get":
      return get(client, tableName, request);
    case "query":
      return query(client, tableName, request);
    case "update":
      return request.beside ? transactUpdate(client, tableName, request) : update(client, tableName, request);
    case "put":
      return put(client, tableName, request);
  }
}

async function get(client: DynamoDBClient, tableName: string, { key }: Get): Promise<Answer> {
  const output = await client.send(
    new GetItemCommand({ TableName: tableName, Key: toAttributes(key), ConsistentRead: true }),
  );
  return { output, item: toItem(output.Item) };
}

async function query(client: DynamoDBClient, tableName: string, request: Query): Promise<Answer> {
  const { pk, from, to, descending, limit, after, filter } = request;
  const text = new Expressions();
  const range = `${text.name("pk")} = ${text.value(pk)} AND ${text.name("sk")} BETWEEN ${text.value(from)} AND ${text.value(to)}`;
  const output = await client.send(
    new QueryCommand({
      TableName: tableName,
      KeyConditionExpression: range,
      FilterExpression: filter && text.condition(filter),
      ExpressionAttributeNames: text.names,
      ExpressionAttributeValues: toAttributes(text.values),
      ExclusiveStartKey: after === undefined ? undefined : toAttributes({ pk, sk: after }),
      ScanIndexForward: !descending,
      Limit: limit,
      ConsistentRead: true,
    }),
  );
  return {
    output,
    items: output.Items?.map((item) => unmarshall(item)) ?? [],
    after: output.LastEvaluatedKey?.["sk"]?.S,
  };
}

async function update(client: DynamoDBClient, tableName: string, request: Update): Promise<Answer> {
  const text = new Expressions();
  const output = await client.send(
    new UpdateItemCommand({
      TableName: tableName,
      Key: toAttributes(request.key),
      UpdateExpression: text.update(request),
      ConditionExpression: request.condition && text.condition(request.condition),
      ExpressionAttributeNames: text.names,
      ExpressionAttributeValues: Object.keys(text.values).length > 0 ? toAttributes(text.values) : undefined,
      ReturnValues: "ALL_NEW",
      ReturnValuesOnConditionCheckFailure: "ALL_OLD",
    }),
  );
  return { output, item: toItem(output.Attributes) };
}

async function put(client: DynamoDBClient, tableName: string, { item, condition }: Put): Promise<Answer> {
  const text = new Expressions();
  const output = await client.send(
    new PutItemCommand({
      TableName: tableName,
      Item: toAttributes(item),
      ConditionExpression: text.condition(condition),
      ExpressionAttributeNames: text.names,
      ExpressionAttributeValues: Object.keys(text.values).length > 0 ? toAttributes(text.values) : undefined,
      ReturnValuesOnConditionCheckFailure: "ALL_OLD",
    }),
  );
  return { output };
}

function keyOf(request: Request): Key {
  if (request.kind === "put") return { pk: request.item.pk, sk: request.item.sk };
  if (request.kind === "query") return { pk: request.pk, sk: request.from };
  return request.key;
}

function subjectOf(request: Request): string {
  const { pk, sk } = keyOf(request);
  return `${pk} / ${sk}`;
}
