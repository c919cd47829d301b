import { mkdirSync } from "node:fs";
import { createServer } from "node:http";
import { createDynamoFront } from "./dynamo-front.ts";
import { RunnerError } from "./errors.ts";
import { lockFolder } from "./folder-lock.ts";
import { listen } from "./listen.ts";

export interface EmbeddedDynamo {
  /** For the SDK's `endpoint`; any region and credentials do. */
  readonly endpoint: string;
  close(): Promise<void>;
}

/**
 * Opens a DynamoDB on 127.0.0.1 that keeps its tables in `dir`; what it acknowledged survives `kill -9`.
 *
 * It has no streams and no backups, and its items do not expire.
 *
 * @param options.port any free one when left out
 * @throws RunnerError FOLDER_IN_USE, FOLDER_BROKEN, PORT_IN_USE
 */
export async function openEmbeddedDynamo(options: { dir: string; port?: number }): Promise<EmbeddedDynamo> {
  const { dir, port = 0 } = options;
  await checkFolder(dir);
  await checkPort(port);
  const front = createDynamoFront({ path: dir });
  const server = createServer(front.listener);
  const endpoint = await listen(server, port, portOption);
  return {
    endpoint,
    async close() {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
      await front.close();
    },
  };
}

const portOption = "--dynamo-port";

/** dynalite opens its folder late, and ends the process when it cannot; so see first that it can. */
async function checkFolder(dir: string): Promise<void> {
  mkdirSync(dir, { recursive: true, mode: 0o700 });
  const unlock = await lockFolder(dir);
  if (!unlock) {
    throw new RunnerError("FOLDER_IN_USE", `${dir} is open in another process. End that one first.`, { exitCode: 1 });
  }
  await unlock();
}

/** dynalite lets go of its folder only when it has listened; so see first that it will. */
async function checkPort(port: number): Promise<void> {
  const probe = createServer();
  await listen(probe, port, portOption);
  await new Promise((resolve) => probe.close(resolve));
}
