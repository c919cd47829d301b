import { fork } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { CreateTableCommand, type DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { tableDefinition } from "../../lib/store/index.ts";
import { localClient } from "../local/ledger.ts";
import { EFFECTS_TABLE } from "./handler.ts";
import { TABLE } from "./hosts.ts";

export interface OpenTable {
  readonly endpoint: string;
  /** Reaches it with no proxy in between. */
  readonly client: DynamoDBClient;
  close(): void;
}

/** The embedded table in a process of its own, with Escapement's table and one for the handlers' effects. */
export async function openTable(dir: string): Promise<OpenTable> {
  const child = fork(join(import.meta.dirname, "table.ts"), [dir], { execArgv: ["--import", "tsx"] });
  const endpoint = String((await once(child, "message"))[0]);
  const client = localClient(endpoint);
  await client.send(new CreateTableCommand(tableDefinition(TABLE)));
  await client.send(new CreateTableCommand(tableDefinition(EFFECTS_TABLE)));
  return {
    endpoint,
    client,
    close() {
      client.destroy();
      child.kill();
    },
  };
}
