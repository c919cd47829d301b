import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import { RunnerError } from "./errors.ts";
import { askRunner } from "./runner-file.ts";

/**
 * Opens the server on this machine alone.
 *
 * @param port 0 takes any free one
 * @returns its URL
 * @throws RunnerError PORT_IN_USE
 */
export async function listen(server: Server, port: number, option: string): Promise<string> {
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, "127.0.0.1", resolve);
  }).catch(async (error: NodeJS.ErrnoException) => {
    const what = await obstacle(port, error);
    if (what === undefined) throw error;
    throw new RunnerError(
      "PORT_IN_USE",
      `Port ${port} on 127.0.0.1 ${what}. Choose another with ${option}, or leave it out to get a free one.`,
      { exitCode: 1, cause: error },
    );
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/**
 * What a request's Host header says when it means this server. A web page can reach 127.0.0.1 by a name of its own; the
 * header gives it away.
 */
export function ownHosts(url: string): string[] {
  const { host, port } = new URL(url);
  return [host, `localhost:${port}`];
}

async function obstacle(port: number, { code }: NodeJS.ErrnoException): Promise<string | undefined> {
  if (code === "EACCES") return "may not be opened by this user";
  if (code !== "EADDRINUSE") return undefined;
  const runner = await askRunner(`http://127.0.0.1:${port}`);
  return runner
    ? `is in use by the local runner of another folder (process ${runner.pid})`
    : "is in use by another program";
}
