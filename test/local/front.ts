import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { DynamoDBDocumentClient } from "@aws-sdk/lib-dynamodb";
import { onTestFinished } from "vitest";
import { createDynamoFront } from "../../lib/local/dynamo-front.ts";
import { createLedger, localClient } from "./ledger.ts";

/** The ledger's tables in memory, with a clock that is set by hand. */
export async function openFront() {
  const clock = { nowMs: Date.parse("2026-05-01T00:00:00Z") };
  const front = createDynamoFront({ clock: () => clock.nowMs });
  const server = createServer(front.listener);
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const client = localClient(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  onTestFinished(async () => {
    client.destroy();
    server.close();
    server.closeAllConnections();
    await front.close();
  });
  await createLedger(client);
  return { clock, client, db: DynamoDBDocumentClient.from(client) };
}
