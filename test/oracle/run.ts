import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { isDeepStrictEqual } from "node:util";
import {
  CreateTableCommand,
  DeleteItemCommand,
  DynamoDBClient,
  PutItemCommand,
  ScanCommand,
  TransactWriteItemsCommand,
  UpdateItemCommand,
} from "@aws-sdk/client-dynamodb";
import { createDynamoFront } from "../../lib/local/dynamo-front.ts";
import { randomFrom } from "../simulation/random.ts";
import { startMoto } from "./moto.ts";
import { type OracleRequest, randomRequest, TABLES } from "./requests.ts";

// Sends the same random requests to our embedded DynamoDB and to moto, and compares what both answer and hold.
// ORACLE_SEED replays; ORACLE_REQUESTS says how many. Where moto is known to differ from DynamoDB, only what DynamoDB's
// documentation says is compared:
//  - moto words its messages otherwise, and fills in empty lists: compared are the error's name, the reasons' codes and items.
//  - moto answers a reason `ValidationError` by the name of its own exception: no request here runs into one.
//  - moto ignores ClientRequestToken: tokens are tested without it, in test/local/transactions.test.ts.

const seed = Number(process.env["ORACLE_SEED"] ?? Date.now() % 1_000_000);
const count = Number(process.env["ORACLE_REQUESTS"] ?? 1_500);

const moto = await startMoto();
if ("missing" in moto) console.log(`skipped: ${moto.missing}`);
else {
  const front = createDynamoFront();
  const server = createServer(front.listener).listen(0, "127.0.0.1");
  await once(server, "listening");
  const ours = clientFor(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  const theirs = clientFor(moto.endpoint);
  try {
    process.exitCode = (await compare(ours, theirs)) ? 0 : 1;
  } finally {
    await moto.stop();
    server.close();
    server.closeAllConnections();
    ours.destroy();
    theirs.destroy();
    await front.close();
  }
}

async function compare(...clients: DynamoDBClient[]): Promise<boolean> {
  for (const client of clients) for (const name of TABLES) await client.send(createTable(name));
  const random = randomFrom(seed);
  const outcomes = new Map<string, number>();
  for (let number = 1; number <= count; number++) {
    const request = randomRequest(random);
    const [ours, theirs] = await Promise.all(clients.map((client) => outcomeOf(client, request)));
    const [here, there] = await Promise.all(clients.map(contents));
    if (!isDeepStrictEqual(ours, theirs) || !isDeepStrictEqual(here, there)) {
      const shown = JSON.stringify({ request, ours, theirs, here, there }, undefined, 2);
      console.error(`Request ${number} of seed ${seed} differs (ORACLE_SEED=${seed} replays):\n${shown}`);
      return false;
    }
    const kind = `${request.alone ? "alone" : "transaction"}: ${ours?.name}`;
    outcomes.set(kind, (outcomes.get(kind) ?? 0) + 1);
  }
  console.log(`${count} requests of seed ${seed}: same outcomes and same items`, Object.fromEntries(outcomes));
  return true;
}

interface Outcome {
  readonly name: string;
  readonly item?: unknown;
  readonly reasons?: unknown;
}

async function outcomeOf(client: DynamoDBClient, request: OracleRequest): Promise<Outcome> {
  try {
    await send(client, request);
    return { name: "done" };
  } catch (error) {
    const { name, Item, CancellationReasons } = error as Error & { Item?: unknown; CancellationReasons?: Reason[] };
    const reasons = CancellationReasons?.map(({ Code, Item }) => ({ code: Code, item: Item }));
    return { name, item: Item, reasons };
  }
}

interface Reason {
  readonly Code?: string;
  readonly Item?: unknown;
}

function send(client: DynamoDBClient, { alone, items }: OracleRequest): Promise<unknown> {
  if (!alone) return client.send(new TransactWriteItemsCommand({ TransactItems: [...items] }));
  const [{ Put, Update, Delete } = {}] = items;
  if (Put) return client.send(new PutItemCommand(Put));
  if (Update) return client.send(new UpdateItemCommand(Update));
  if (Delete) return client.send(new DeleteItemCommand(Delete));
  throw new TypeError("a condition is checked in a transaction only");
}

async function contents(client: DynamoDBClient): Promise<object[]> {
  const tables = TABLES.map(async (TableName) => {
    const { Items = [] } = await client.send(new ScanCommand({ TableName, ConsistentRead: true }));
    return Items.sort((one, other) => String(one["id"]?.S).localeCompare(String(other["id"]?.S)));
  });
  return Promise.all(tables);
}

function createTable(TableName: string): CreateTableCommand {
  return new CreateTableCommand({
    TableName,
    BillingMode: "PAY_PER_REQUEST",
    AttributeDefinitions: [{ AttributeName: "id", AttributeType: "S" }],
    KeySchema: [{ AttributeName: "id", KeyType: "HASH" }],
  });
}

function clientFor(endpoint: string): DynamoDBClient {
  return new DynamoDBClient({ endpoint, region: "us-east-1", credentials: { accessKeyId: "a", secretAccessKey: "b" } });
}
