import { once } from "node:events";
import { createServer, request } from "node:http";
import type { AddressInfo } from "node:net";

/** The line between a browser and a server, which a test can cut and mend. */
export interface Line {
  /** Of the HTTP proxy that a browser is given. */
  readonly url: string;
  /** Ends every connection, and takes no new one. */
  cut(): Promise<void>;
  mend(): Promise<void>;
}

export async function openLine(): Promise<Line> {
  const proxy = createServer((incoming, outgoing) => {
    const { method, headers } = incoming;
    const onward = request(incoming.url ?? "", { method, headers }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(outgoing);
      outgoing.on("close", () => answer.destroy());
    });
    onward.on("error", () => outgoing.destroy());
    incoming.pipe(onward);
  });
  const listen = async (port: number) => {
    proxy.listen(port, "127.0.0.1");
    await once(proxy, "listening");
    return (proxy.address() as AddressInfo).port;
  };
  const port = await listen(0);
  return {
    url: `http://127.0.0.1:${port}`,
    async cut() {
      if (!proxy.listening) return;
      const closed = once(proxy, "close");
      proxy.close();
      proxy.closeAllConnections();
      await closed;
    },
    async mend() {
      await listen(port);
    },
  };
}
