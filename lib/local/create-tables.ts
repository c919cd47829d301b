import {
  CreateTableCommand,
  type CreateTableCommandInput,
  DescribeTableCommand,
  DynamoDBClient,
  ResourceNotFoundException,
  waitUntilTableExists,
} from "@aws-sdk/client-dynamodb";
import type { TableDefinition } from "./definitions.ts";
import { RunnerError } from "./errors.ts";
import { LOCAL_REGION } from "./place.ts";

/**
 * Creates the tables that are not there yet.
 *
 * @throws RunnerError TABLE_CHANGED where a table is there with another key, which no table can change
 */
export async function createTables(endpoint: string, tables: readonly TableDefinition[]): Promise<void> {
  const client = new DynamoDBClient({
    endpoint,
    region: LOCAL_REGION,
    credentials: { accessKeyId: "local", secretAccessKey: "local" },
  });
  try {
    for (const table of tables) {
      const there = await describe(client, table.name);
      if (!there) await create(client, table);
      else if (keyText(there) !== keyText(table.key)) throw tableChanged(table, keyText(there));
    }
  } finally {
    client.destroy();
  }
}

/** As on AWS, a table is not there yet when its creation is acknowledged. */
async function create(client: DynamoDBClient, table: TableDefinition): Promise<void> {
  await client.send(new CreateTableCommand(createInput(table)));
  await waitUntilTableExists({ client, maxWaitTime: 30, minDelay: 1, maxDelay: 1 }, { TableName: table.name });
}

async function describe(client: DynamoDBClient, name: string): Promise<TableDefinition["key"] | undefined> {
  try {
    const { Table: table } = await client.send(new DescribeTableCommand({ TableName: name }));
    return (table?.KeySchema ?? []) as TableDefinition["key"];
  } catch (error) {
    if (error instanceof ResourceNotFoundException) return undefined;
    throw error;
  }
}

function keyText(key: TableDefinition["key"]): string {
  return key.map((element) => `${element.AttributeName} (${element.KeyType})`).join(", ");
}

function tableChanged(table: TableDefinition, there: string): RunnerError {
  return new RunnerError(
    "TABLE_CHANGED",
    `The table ${table.name} is here with the key ${there}, and the cloud assembly wants ${keyText(table.key)}. A table's key cannot change: give the table another name, or start with --fresh, which drops all tables.`,
    { exitCode: 2 },
  );
}

function createInput(table: TableDefinition): CreateTableCommandInput {
  return {
    TableName: table.name,
    AttributeDefinitions: table.attributes,
    KeySchema: table.key,
    BillingMode: "PAY_PER_REQUEST",
    ...(table.globalIndexes.length > 0 && { GlobalSecondaryIndexes: table.globalIndexes }),
    ...(table.localIndexes.length > 0 && { LocalSecondaryIndexes: table.localIndexes }),
  } as CreateTableCommandInput;
}
