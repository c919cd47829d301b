import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import {
  type AttributeValue,
  CreateTableCommand,
  DeleteItemCommand,
  type DynamoDBClient,
  GetItemCommand,
  paginateScan,
} from "@aws-sdk/client-dynamodb";
import { marshall, unmarshall } from "@aws-sdk/util-dynamodb";
import { createDynamoFront } from "../../lib/local/dynamo-front.ts";
import { createDynamoClient } from "../../lib/store/client.ts";
import { tableDefinition } from "../../lib/store/table.ts";
import { type Access, accessesOf } from "./access.ts";

export type { Access };

/** A deployed table for the tests to use, and to empty, in place of one in memory (`npm run test:deploy`). */
const deployedTable = process.env["ESCAPEMENT_TEST_TABLE"];
export const TABLE_NAME = deployedTable ?? "runs";

let recorded: Access[] | undefined;

/** From now on, what every request of the tests' clients needs a right to, in this list. */
export function recordRequests(): readonly Access[] {
  recorded = [];
  return recorded;
}

export interface TestTable {
  readonly endpoint: string;
  /** What was sent since the last look, retries included: "UpdateItem", … */
  takeRequests(): string[];
  /** The next request is applied, and its reply lost: the SDK sends it again. */
  loseNextReply(): void;
  readonly client: DynamoDBClient;
  /** An item as it stands in the table; undefined when there is none. */
  item(pk: string, sk: string): Promise<Record<string, unknown> | undefined>;
  close(): Promise<void>;
}

/**
 * A real table, empty: in memory, on a free port, unless there is a deployed one.
 * @param options.returnsItem with a failed condition, as the real DynamoDB does and some emulators do not
 */
export async function openTestTable(options: { returnsItem: boolean }): Promise<TestTable> {
  const { endpoint, close } = await (deployedTable ? useDeployedTable() : serveTable());
  const client = testClient(endpoint);
  const onlooker = testClient(endpoint);

  let requests: string[] = [];
  let losesReply = false;
  client.middlewareStack.add(
    (next, context) => async (args) => {
      const name = String(context.commandName).replace("Command", "");
      requests.push(name);
      recorded?.push(...accessesOf(name, args.input));
      const loses = losesReply;
      losesReply = false;
      const result = await next(args);
      if (loses) throw Object.assign(new Error("socket hang up"), { code: "ECONNRESET" });
      return result;
    },
    { step: "deserialize", priority: "low", name: "watch" },
  );
  if (!options.returnsItem) askForNoItem(client);

  return {
    endpoint,
    client,
    takeRequests() {
      const taken = requests;
      requests = [];
      return taken;
    },
    loseNextReply() {
      losesReply = true;
    },
    async item(pk, sk) {
      const { Item } = await onlooker.send(new GetItemCommand({ TableName: TABLE_NAME, Key: marshall({ pk, sk }) }));
      return Item && unmarshall(Item);
    },
    async close() {
      client.destroy();
      onlooker.destroy();
      await close();
    },
  };
}

async function serveTable() {
  const front = createDynamoFront();
  const server = createServer(front.listener);
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const client = testClient(endpoint);
  await client.send(new CreateTableCommand(tableDefinition(TABLE_NAME)));
  client.destroy();
  const close = async () => {
    server.closeAllConnections();
    await new Promise((closed) => server.close(closed));
    await front.close();
  };
  return { endpoint, close };
}

async function useDeployedTable() {
  const endpoint = process.env["AWS_ENDPOINT_URL"] ?? "";
  const client = testClient(endpoint);
  for await (const { Items = [] } of paginateScan({ client }, { TableName: TABLE_NAME, ConsistentRead: true })) {
    for (const { pk, sk } of Items) {
      await client.send(
        new DeleteItemCommand({ TableName: TABLE_NAME, Key: { pk, sk } as Record<string, AttributeValue> }),
      );
    }
  }
  client.destroy();
  return { endpoint, close: async () => {} };
}

export function testClient(endpoint: string): DynamoDBClient {
  return createDynamoClient({
    endpoint,
    region: "us-east-1",
    credentials: { accessKeyId: "test", secretAccessKey: "test" },
  });
}

function askForNoItem(client: DynamoDBClient): void {
  client.middlewareStack.add(
    (next) => (args) =>
      next({ ...args, input: { ...args.input, ReturnValuesOnConditionCheckFailure: "NONE" } as never }),
    { step: "initialize", name: "askForNoItem" },
  );
}
