import { mkdirSync } from "node:fs";
import { createServer, type RequestListener, type Server } from "node:http";
import dynalite from "dynalite";
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
 * It has no transactions, streams or expiry of items by TTL, and returns no item with a failed condition.
 *
 * @param options.port any free one when left out
 * @throws RunnerError FOLDER_IN_USE, FOLDER_BROKEN, PORT_IN_USE
 */
export async function openEmbeddedDynamo(options: { dir: string; port?: number }): Promise<EmbeddedDynamo> {
  const { dir, port = 0 } = options;
  await checkFolder(dir);
  await checkPort(port);
  const server = dynalite({ path: dir, createTableMs: 0, deleteTableMs: 0 });
  refuseBrowsers(server);
  const endpoint = await listen(server, port, portOption);
  return {
    endpoint,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

const portOption = "--dynamo-port";

/** dynalite answers every web page that asks. No SDK sends an Origin; a page cannot leave it out. */
function refuseBrowsers(server: Server): void {
  const [answer] = server.listeners("request") as RequestListener[];
  server.removeAllListeners("request");
  server.on("request", (request, response) => {
    if (request.headers.origin === undefined) answer?.(request, response);
    else response.writeHead(403).end();
  });
}

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
