import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { CreateTableCommand, type DynamoDBClient, GetItemCommand } from "@aws-sdk/client-dynamodb";
import { marshall, unmarshall } from "@aws-sdk/util-dynamodb";
import dynalite from "dynalite";
import { createDynamoClient } from "../../lib/store/client.ts";
import { tableDefinition } from "../../lib/store/table.ts";

export const TABLE_NAME = "runs";

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
 * A real table in memory, on a free port.
 * @param options.returnsItem as the real DynamoDB does with a failed condition and dynalite does not
 */
export async function openTestTable(options: { returnsItem: boolean }): Promise<TestTable> {
  const server = dynalite({ createTableMs: 0, deleteTableMs: 0 });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const client = testClient(endpoint);
  const onlooker = testClient(endpoint);
  await onlooker.send(new CreateTableCommand(tableDefinition(TABLE_NAME)));

  let requests: string[] = [];
  let losesReply = false;
  client.middlewareStack.add(
    (next, context) => async (args) => {
      requests.push(String(context.commandName).replace("Command", ""));
      const loses = losesReply;
      losesReply = false;
      const result = await next(args);
      if (loses) throw Object.assign(new Error("socket hang up"), { code: "ECONNRESET" });
      return result;
    },
    { step: "deserialize", priority: "low", name: "watch" },
  );
  if (options.returnsItem) returnItems(client, onlooker);

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
      server.closeAllConnections();
      await new Promise((closed) => server.close(closed));
    },
  };
}

export function testClient(endpoint: string): DynamoDBClient {
  return createDynamoClient({
    endpoint,
    region: "us-east-1",
    credentials: { accessKeyId: "test", secretAccessKey: "test" },
  });
}

/** Does for a failed condition what `ReturnValuesOnConditionCheckFailure: ALL_OLD` asks for. */
function returnItems(client: DynamoDBClient, onlooker: DynamoDBClient): void {
  client.middlewareStack.add(
    (next) => async (args) => {
      try {
        return await next(args);
      } catch (error) {
        const input = args.input as { Item?: Record<string, never>; Key?: Record<string, never>; TableName: string };
        if (!(error instanceof Error) || error.name !== "ConditionalCheckFailedException") throw error;
        const { pk, sk } = input.Key ?? input.Item ?? {};
        const Key = { pk: pk ?? { S: "" }, sk: sk ?? { S: "" } };
        const { Item } = await onlooker.send(new GetItemCommand({ TableName: input.TableName, Key }));
        throw Object.assign(error, { Item });
      }
    },
    { step: "initialize", name: "returnItem" },
  );
}
