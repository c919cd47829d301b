import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { CreateTableCommand, type DynamoDBClient, GetItemCommand } from "@aws-sdk/client-dynamodb";
import { marshall, unmarshall } from "@aws-sdk/util-dynamodb";
import { createDynamoFront } from "../../lib/local/dynamo-front.ts";
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
 * @param options.returnsItem with a failed condition, as the real DynamoDB does and some emulators do not
 */
export async function openTestTable(options: { returnsItem: boolean }): Promise<TestTable> {
  const front = createDynamoFront();
  const server = createServer(front.listener);
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
      server.closeAllConnections();
      await new Promise((closed) => server.close(closed));
      await front.close();
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

function askForNoItem(client: DynamoDBClient): void {
  client.middlewareStack.add(
    (next) => (args) =>
      next({ ...args, input: { ...args.input, ReturnValuesOnConditionCheckFailure: "NONE" } as never }),
    { step: "initialize", name: "askForNoItem" },
  );
}
