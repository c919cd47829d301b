import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { ScanCommand } from "@aws-sdk/client-dynamodb";
import { expect, onTestFinished, test } from "vitest";
import { openEmbeddedDynamo } from "../../lib/local/embedded-table.ts";
import { localClient } from "./ledger.ts";
import { tempFolder } from "./temp-folder.ts";

test("a write that the disk refuses is refused, the next ones succeed when they fit, and all that was acknowledged is kept", async () => {
  const dir = tempFolder();
  // LevelDB's log reaches the limit of 512 KB with the fifth or sixth entry; its other files stay small.
  const limited = `trap '' XFSZ; ulimit -f 1024; exec "$0" --import tsx "$@"`;
  const writer = join(import.meta.dirname, "full-disk-writer.ts");
  const child = spawn("sh", ["-c", limited, process.execPath, writer, dir], { stdio: ["ignore", "pipe", "inherit"] });
  const [printed] = await Promise.all([text(child.stdout), once(child, "close")]);
  const lines = printed.trim().split("\n");
  const acknowledged = lines.filter((line) => line.endsWith(" acknowledged")).map((line) => line.split(" ")[0]);
  const refused = lines.filter((line) => !line.endsWith(" acknowledged"));
  expect(refused[0]).toMatch(/refused: IO error: .*File too large/);
  expect(acknowledged.length + refused.length).toBe(20);
  expect(acknowledged.length).toBeGreaterThan(10);

  const dynamo = await openEmbeddedDynamo({ dir });
  const client = localClient(dynamo.endpoint);
  onTestFinished(async () => {
    client.destroy();
    await dynamo.close();
  });
  const ids = new Set<string | undefined>();
  let ExclusiveStartKey: ScanCommand["input"]["ExclusiveStartKey"];
  do {
    const page = await client.send(new ScanCommand({ TableName: "entries", ExclusiveStartKey }));
    for (const item of page.Items ?? []) ids.add(item["id"]?.S);
    ExclusiveStartKey = page.LastEvaluatedKey;
  } while (ExclusiveStartKey);
  expect(acknowledged.filter((id) => !ids.has(id))).toEqual([]);
});
