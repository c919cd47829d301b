/** Where the dashboard is served: on this machine alone. */
export interface OwnServer {
  /** What the Host header of a request says that means this server. */
  readonly hosts: readonly string[];
  /** What the Origin header of our own page says. */
  readonly origins: readonly string[];
  /** Browsers send a cookie to every port of a host: its name tells the ports apart. */
  readonly cookie: string;
}

/** @param url such as `http://127.0.0.1:4242` */
export function ownServer(url: string): OwnServer {
  const { port } = new URL(url);
  const hosts = [`127.0.0.1:${port}`, `localhost:${port}`];
  return { hosts, origins: hosts.map((host) => `http://${host}`), cookie: `escapement-${port}` };
}
