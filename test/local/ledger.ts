import { CreateTableCommand, DynamoDBClient } from "@aws-sdk/client-dynamodb";

export function localClient(endpoint: string): DynamoDBClient {
  return new DynamoDBClient({ endpoint, region: "local", credentials: { accessKeyId: "a", secretAccessKey: "b" } });
}

/** Two tables, `accounts` and `entries`, the latter with an index by day. */
export async function createLedger(client: DynamoDBClient): Promise<void> {
  const accounts = {
    TableName: "accounts",
    BillingMode: "PAY_PER_REQUEST",
    AttributeDefinitions: [{ AttributeName: "id", AttributeType: "S" }],
    KeySchema: [{ AttributeName: "id", KeyType: "HASH" }],
  } as const;
  const byDay = {
    IndexName: "by-day",
    KeySchema: [{ AttributeName: "day", KeyType: "HASH" }],
    Projection: { ProjectionType: "ALL" },
  } as const;
  await client.send(new CreateTableCommand(accounts as never));
  await client.send(
    new CreateTableCommand({
      ...accounts,
      TableName: "entries",
      AttributeDefinitions: [...accounts.AttributeDefinitions, { AttributeName: "day", AttributeType: "S" }],
      GlobalSecondaryIndexes: [byDay],
    } as never),
  );
}
