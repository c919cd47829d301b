import { createServer } from "node:http";
import { getRequestListener } from "@hono/node-server";
import { Hono } from "hono";
import { listen, ownHosts } from "./listen.ts";
import { identityPath } from "./runner-file.ts";

interface Identity {
  readonly pid: number;
  readonly startedAt: string;
}

export interface RunnerServer {
  readonly url: string;
  /** Serves these, too. */
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
  identity: Identity,
  nowMs: () => number = Date.now,
): Promise<RunnerServer> {
  let app = new Hono();
  const server = createServer(getRequestListener((request) => app.fetch(request)));
  // An invocation is waited for as long as it takes.
  server.requestTimeout = 0;
  const url = await listen(server, port, "--port");
  const hosts = ownHosts(url);
  const whole = (parts: readonly Hono[]) => appOf(() => ({ ...identity, nowMs: nowMs() }), hosts, parts);
  app = whole([]);

  const served: Hono[] = [];
  return {
    url,
    serve(...parts) {
      served.push(...parts);
      // Once it has answered a request, a Hono takes no more routes.
      app = whole(served);
    },
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}

function appOf(who: () => object, hosts: readonly string[], parts: readonly Hono[]): Hono {
  const app = new Hono();
  app.use(async (c, next) => {
    if (!hosts.includes(c.req.header("Host") ?? "")) return c.json({ message: `The host must be ${hosts[0]}.` }, 403);
    return next();
  });
  app.onError((error, c) => c.json({ __type: "InternalFailure", message: error.message }, 500));
  app.get(identityPath, (c) => c.json(who()));
  for (const part of parts) app.route("/", part);
  return app;
}
