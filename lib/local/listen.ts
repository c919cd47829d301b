import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import { RunnerError } from "./errors.ts";

/**
 * Opens the server on this machine alone.
 *
 * @param port 0 takes any free one
 * @returns its URL
 * @throws RunnerError PORT_IN_USE
 */
export async function listen(server: Server, port: number, option: string): Promise<string> {
  await new Promise<void>((resolve, reject) => {
    server.once("error", (error: NodeJS.ErrnoException) => {
      const busy = error.code === "EADDRINUSE" || error.code === "EACCES";
      reject(busy ? portInUse(port, option, error) : error);
    });
    server.listen(port, "127.0.0.1", resolve);
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

function portInUse(port: number, option: string, cause: NodeJS.ErrnoException): RunnerError {
  const what = cause.code === "EACCES" ? "may not be opened by this user" : "is in use by another program";
  return new RunnerError(
    "PORT_IN_USE",
    `Port ${port} on 127.0.0.1 ${what}. Choose another with ${option}, or leave it out to get a free one.`,
    {
      exitCode: 1,
      cause,
    },
  );
}
