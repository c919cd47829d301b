import type { CreateTableCommandInput } from "@aws-sdk/client-dynamodb";
import { PARTITION_KEY, SORT_KEY } from "./keys.ts";

/** The table as `CreateTable` takes it. Expiry is switched on by a call of its own. */
export function tableDefinition(tableName: string): CreateTableCommandInput {
  return {
    TableName: tableName,
    BillingMode: "PAY_PER_REQUEST",
    AttributeDefinitions: [
      { AttributeName: PARTITION_KEY, AttributeType: "S" },
      { AttributeName: SORT_KEY, AttributeType: "S" },
    ],
    KeySchema: [
      { AttributeName: PARTITION_KEY, KeyType: "HASH" },
      { AttributeName: SORT_KEY, KeyType: "RANGE" },
    ],
  };
}
