import { CreateTableCommand } from "@aws-sdk/client-dynamodb";
import { DynamoDBDocumentClient, GetCommand, PutCommand } from "@aws-sdk/lib-dynamodb";
import { tableDefinition } from "../../lib/store/index.ts";
import { openTestTable } from "../store/dynamo.ts";

type Item = Record<string, unknown>;

/** Tables of the example jobs, and the environment in which their code finds them: each under its variable's name. */
export async function openTables(...names: string[]) {
  const { client, endpoint, close } = await openTestTable({ returnsItem: false });
  for (const name of names) await client.send(new CreateTableCommand(tableDefinition(name)));
  Object.assign(process.env, {
    AWS_ENDPOINT_URL_DYNAMODB: endpoint,
    AWS_REGION: "us-east-1",
    AWS_ACCESS_KEY_ID: "test",
    AWS_SECRET_ACCESS_KEY: "test",
    ...Object.fromEntries(names.map((name) => [name, name])),
  });
  const db = DynamoDBDocumentClient.from(client);
  return {
    close,
    endpoint,
    async put(table: string, item: Item): Promise<void> {
      await db.send(new PutCommand({ TableName: table, Item: item }));
    },
    async get(table: string, pk: string, sk: string): Promise<Item | undefined> {
      return (await db.send(new GetCommand({ TableName: table, Key: { pk, sk } }))).Item;
    },
  };
}
