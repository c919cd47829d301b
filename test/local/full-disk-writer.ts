import { DynamoDBClient, PutItemCommand } from "@aws-sdk/client-dynamodb";
import { openEmbeddedDynamo } from "../../lib/local/embedded-table.ts";
import { createLedger, localClient } from "./ledger.ts";

// An embedded table as a process of its own, whose files cannot grow without end: `full-disk-writer.ts DIR`. It puts 20
// entries of 100 KB, and prints of each whether it was acknowledged.
const [dir = ""] = process.argv.slice(2);
const { endpoint } = await openEmbeddedDynamo({ dir });
await createLedger(localClient(endpoint));
const credentials = { accessKeyId: "a", secretAccessKey: "b" };
// The SDK would try again, and succeed.
const client = new DynamoDBClient({ endpoint, region: "local", credentials, maxAttempts: 1 });
for (let n = 0; n < 20; n++) {
  const Item = { id: { S: String(n) }, text: { S: "x".repeat(100_000) } };
  const put = client.send(new PutItemCommand({ TableName: "entries", Item }));
  console.log(
    await put.then(
      () => `${n} acknowledged`,
      (error: Error) => `${n} refused: ${error.message}`,
    ),
  );
}
process.kill(process.pid, "SIGKILL");
