import { mkdirSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { createDynamoFront, type DrawFault } from "./dynamo-front.ts";
import { RunnerError } from "./errors.ts";
import { HOLDS_NOTHING, lockFolder } from "./folder-lock.ts";
import { guardRequests } from "./guard-requests.ts";
import { readJson, writeJson } from "./json-file.ts";
import { listen, ownHosts } from "./listen.ts";

export interface EmbeddedDynamoOptions {
  readonly dir: string;
  /** @default any free one */
  readonly port?: number;
  /** Epoch milliseconds: the `Date` of its answers. @default Date.now */
  readonly clock?: () => number;
  /** What befalls a request. @default nothing */
  readonly drawFault?: DrawFault;
}

export interface EmbeddedDynamo {
  /** For the SDK's `endpoint`; any region and credentials do. */
  readonly endpoint: string;
  /** Ends the requests under way, then lets go of the folder. */
  close(): Promise<void>;
}

/** How long a folder is waited for that another process has open: a command that reads it is done sooner. */
const FOLDER_WAIT_MS = 5_000;
/** How long requests under way are waited for at the end. One reads 1 MB at most. */
const CLOSE_WAIT_MS = 10_000;

/**
 * Opens a DynamoDB on 127.0.0.1 that keeps its tables in `dir`; what it acknowledged survives `kill -9`.
 *
 * It has no streams and no backups, and its items do not expire.
 *
 * @throws RunnerError FOLDER_IN_USE after 5 seconds, FOLDER_BROKEN, PORT_IN_USE
 */
export async function openEmbeddedDynamo(options: EmbeddedDynamoOptions): Promise<EmbeddedDynamo> {
  const { dir, port = 0, ...more } = options;
  const giveBack = await takeFolder(dir);
  try {
    await checkPort(port);
    const front = createDynamoFront({ path: dir, ...more });
    const server = createServer(front.listener);
    const endpoint = await listen(server, port, portOption);
    const endRequests = guardRequests(server, ownHosts(endpoint));
    return {
      endpoint,
      async close() {
        await Promise.race([endRequests(), sleep(CLOSE_WAIT_MS, undefined, { ref: false })]);
        await new Promise<void>((resolve) => {
          server.close(() => resolve());
          server.closeAllConnections();
        });
        await front.close();
        await giveBack();
      },
    };
  } catch (error) {
    await giveBack();
    throw error;
  }
}

const portOption = "--dynamo-port";

/**
 * Dynalite opens its folder late. So whoever opens one holds a lock beside it from before until after, and sees first
 * that it can be opened.
 */
async function takeFolder(dir: string): Promise<() => Promise<void>> {
  mkdirSync(dir, { recursive: true, mode: 0o700 });
  const giveBack = await lockPatiently(dir);
  try {
    const close = await lockFolder(dir, "start with --fresh; what it holds is lost then.");
    if (!close) throw folderInUse(dir);
    await close();
    return giveBack;
  } catch (error) {
    await giveBack();
    throw error;
  }
}

async function lockPatiently(dir: string): Promise<() => Promise<void>> {
  const untilMs = performance.now() + FOLDER_WAIT_MS;
  do {
    const giveBack = await lockFolder(`${dir}.lock`, HOLDS_NOTHING);
    if (giveBack) {
      noteHolder(dir);
      return giveBack;
    }
    await sleep(50);
  } while (performance.now() < untilMs);
  throw folderInUse(dir);
}

const holderFile = (dir: string) => join(`${dir}.lock`, "holder.json");

/** For who finds the folder locked. On a full disk that one is told less. */
function noteHolder(dir: string): void {
  try {
    writeJson(holderFile(dir), { pid: process.pid });
  } catch {
    // The lock holds all the same.
  }
}

function folderInUse(dir: string): RunnerError {
  const message = `${dir} is open in another process${holderWords(dir)}: a dashboard, a command that reads it, or a runner that starts or stops. Try again when that has ended.`;
  return new RunnerError("FOLDER_IN_USE", message, { exitCode: 1 });
}

function holderWords(dir: string): string {
  try {
    const { pid } = readJson(holderFile(dir)) as { pid: unknown };
    return typeof pid === "number" ? ` (${pid})` : "";
  } catch {
    return "";
  }
}

/** A port that is taken is found out before the folder is opened. */
async function checkPort(port: number): Promise<void> {
  const probe = createServer();
  await listen(probe, port, portOption);
  await new Promise((resolve) => probe.close(resolve));
}
