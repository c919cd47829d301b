import { createServer } from "node:http";
import { getRequestListener } from "@hono/node-server";
import { Hono } from "hono";
import { listen, ownHosts } from "./listen.ts";
import { identityPath } from "./runner-file.ts";

export interface RunnerServer {
  readonly url: string;
  /** Serves these; until then every request is answered with 503. */
  serve(...parts: Hono[]): void;
  close(): void;
}

/**
 * The runner's one HTTP server, on this machine alone. It says who it is and what time it has; all else is served by its parts.
 *
 * @throws RunnerError PORT_IN_USE
 */
export async function openServer(
  port: number,
  identity: { pid: number; startedAt: string },
  nowMs: () => number = Date.now,
): Promise<RunnerServer> {
  const app = new Hono();
  const server = createServer(getRequestListener((request) => app.fetch(request)));
  // An invocation is waited for as long as it takes.
  server.requestTimeout = 0;
  const url = await listen(server, port, "--port");
  const hosts = ownHosts(url);

  app.use(async (c, next) => {
    if (!hosts.includes(c.req.header("Host") ?? "")) return c.json({ message: `The host must be ${hosts[0]}.` }, 403);
    return next();
  });
  app.onError((error, c) => c.json({ __type: "InternalFailure", message: error.message }, 500));
  app.get(identityPath, (c) => c.json({ ...identity, nowMs: nowMs() }));
  return {
    url,
    serve(...parts) {
      for (const part of parts) app.route("/", part);
    },
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}
