import { fork } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { DynamoDBDocumentClient, GetCommand, QueryCommand } from "@aws-sdk/lib-dynamodb";
import { expect, test } from "vitest";
import { openEmbeddedDynamo } from "../../lib/local/embedded-table.ts";
import { localClient } from "./ledger.ts";
import { tempFolder } from "./temp-folder.ts";

/** More on request, for a longer look. */
const KILLS = Number(process.env["TRANSACTION_KILLS"] ?? 8);

test(`a transaction is whole or absent after kill -9, ${KILLS} times`, {
  timeout: 60_000 + KILLS * 10_000,
}, async () => {
  const dir = tempFolder();
  let last = 0;
  for (let kill = 0; kill < KILLS; kill++) {
    // At a moment of its own each time; a transaction takes some ten milliseconds.
    const acknowledged = await writeUntilKilled(dir, last + 1, (kill * 7) % 23);
    const { count, entries, newest } = await look(dir);
    expect(count).toBe(newest);
    expect(entries).toBe(20 * newest);
    expect(newest).toBeGreaterThanOrEqual(acknowledged);
    // One at most was under way when the process died.
    expect(newest).toBeLessThanOrEqual(acknowledged + 1);
    last = newest;
  }
});

/** Kills the writer so long after its second acknowledgement; answers the last one. */
async function writeUntilKilled(dir: string, first: number, afterMs: number): Promise<number> {
  const writer = fork(join(import.meta.dirname, "transactions-writer.ts"), [dir, String(first)], {
    execArgv: ["--import", "tsx"],
    stdio: ["ignore", "pipe", "inherit", "ipc"],
  });
  let acknowledged = first - 1;
  createInterface({ input: writer.stdout as NonNullable<typeof writer.stdout> }).on("line", (line) => {
    acknowledged = Number(line);
    if (acknowledged === first + 1) setTimeout(() => writer.kill("SIGKILL"), afterMs);
  });
  await once(writer, "close");
  return acknowledged;
}

async function look(dir: string) {
  const dynamo = await openEmbeddedDynamo({ dir });
  const client = localClient(dynamo.endpoint);
  try {
    const db = DynamoDBDocumentClient.from(client);
    const { Item } = await db.send(new GetCommand({ TableName: "accounts", Key: { id: "ann" } }));
    const byDay = {
      TableName: "entries",
      IndexName: "by-day",
      KeyConditionExpression: "#day = :day",
      ExpressionAttributeNames: { "#day": "day" },
      ExpressionAttributeValues: { ":day": "2026-05-01" },
      Select: "COUNT",
    } as const;
    let entries = 0;
    let ExclusiveStartKey: Record<string, unknown> | undefined;
    do {
      const page = await db.send(new QueryCommand({ ...byDay, ExclusiveStartKey }));
      entries += page.Count ?? 0;
      ExclusiveStartKey = page.LastEvaluatedKey;
    } while (ExclusiveStartKey);
    return { count: Item?.["count"] as number, newest: Item?.["last"] as number, entries };
  } finally {
    client.destroy();
    await dynamo.close();
  }
}
