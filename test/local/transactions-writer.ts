import { DynamoDBDocumentClient, TransactWriteCommand } from "@aws-sdk/lib-dynamodb";
import { openEmbeddedDynamo } from "../../lib/local/embedded-table.ts";
import { createLedger, localClient } from "./ledger.ts";

// An embedded table as a process of its own, which writes to itself without end: `transactions-writer.ts DIR FIRST`.
// Transaction n puts 20 entries, 400 KB, and counts itself on the account; its number is a line once it is acknowledged.
const [dir = "", first = ""] = process.argv.slice(2);
const { endpoint } = await openEmbeddedDynamo({ dir });
const client = localClient(endpoint);
if (first === "1") await createLedger(client);
const db = DynamoDBDocumentClient.from(client);

for (let n = Number(first); ; n++) {
  await db.send(
    new TransactWriteCommand({
      TransactItems: [
        ...Array.from({ length: 20 }, (_, part) => ({
          Put: { TableName: "entries", Item: { id: `e${n}-${part}`, day: "2026-05-01", text: "x".repeat(20_000) } },
        })),
        {
          Update: {
            TableName: "accounts",
            Key: { id: "ann" },
            UpdateExpression: "ADD #count :one SET #last = :n",
            ExpressionAttributeNames: { "#count": "count", "#last": "last" },
            ExpressionAttributeValues: { ":one": 1, ":n": n },
          },
        },
      ],
    }),
  );
  console.log(n);
}
