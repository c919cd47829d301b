import type { RequestListener, Server, ServerResponse } from "node:http";
import { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";

/**
 * Stands before the listener of the embedded DynamoDB, which answers whomever asks, and which fails when a client goes away or
 * the folder is closed while it works on a request.
 *
 * @param hosts by which names it may be called
 * @returns takes no more requests, and waits for those that dynalite works on
 */
export function guardRequests(server: Server, hosts: readonly string[]): () => Promise<void> {
  const [answer] = server.listeners("request") as RequestListener[];
  const atWork = new Set<Promise<void>>();
  let open = true;

  server.removeAllListeners("request");
  server.on("request", async (request, response) => {
    const { headers, method, url } = request;
    // No SDK sends an Origin, and a web page cannot leave it out; one under a name of its own is known by its Host.
    if (headers.origin !== undefined || !hosts.includes(headers.host ?? "")) return response.writeHead(403).end();
    // Dynalite gets whole requests only, so that it has no client to lose.
    const body = await buffer(request).catch(() => undefined);
    if (!body || !open) return response.writeHead(503).end();
    const work = untilEnded(response).then(() => {
      atWork.delete(work);
    });
    atWork.add(work);
    return answer?.(Object.assign(Readable.from([body]), { headers, method, url }) as typeof request, response);
  });

  return async () => {
    open = false;
    await Promise.all(atWork);
  };
}

/** Settles when the response has been given, also to a client that has gone: its events tell of the connection alone. */
function untilEnded(response: ServerResponse): Promise<void> {
  const end = response.end.bind(response);
  return new Promise((resolve) => {
    response.end = ((...given: Parameters<typeof end>) => {
      resolve();
      return end(...given);
    }) as typeof end;
  });
}
