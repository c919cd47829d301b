import { once } from "node:events";
import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import { createAdaptorServer } from "@hono/node-server";
import { Hono } from "hono";
import { secureHeaders } from "hono/secure-headers";
import { type SSEStreamingApi, streamSSE } from "hono/streaming";
import type { DashboardEvent, FleetJob, TargetAnswer } from "../../../../lib/dashboard/api.ts";
import { pageFiles } from "../../../../lib/dashboard/page-files.ts";
import { answers } from "./answers.ts";
import { NOW } from "./jobs.ts";
import { FAKE_JOBS, type FakeJob } from "./timeline.ts";

/** What the fake server says; a test changes it while the page looks on. */
export interface World {
  jobs: FleetJob[];
  timelines: readonly FakeJob[];
  target: TargetAnswer;
  /** Requests that are answered with this error, by the beginning of their path. */
  readonly failing: Map<string, { status: 401 | 404 | 500; message: string }>;
  /** Paths whose answer waits until the test lets it go. */
  readonly held: Map<string, Promise<void>>;
  /** What was posted, in order. */
  readonly posts: { path: string; body: unknown }[];
  /** Answers to posts and reads, by their path; they come before the usual ones. */
  readonly answers: Map<string, unknown>;
}

export interface FakeServer {
  readonly url: string;
  readonly world: World;
  /** Tells every page that is connected. */
  emit(event: DashboardEvent): void;
  /** Tells them that it is there. */
  beat(): void;
  /** Cuts every connection, and takes new ones again only after `comeBack`. */
  goAway(): Promise<void>;
  comeBack(): Promise<void>;
  /** Forgets its events, as a server does that was started anew. */
  forget(): void;
  close(): Promise<void>;
}

export async function startFake(jobs: readonly FleetJob[]): Promise<FakeServer> {
  const world: World = {
    jobs: [...jobs],
    timelines: FAKE_JOBS,
    target: {
      target: { kind: "local", fleet: "Escapement-dev", stateDir: "/home/ada/shop/.escapement", running: true },
      whoAmI: "ada",
      now: NOW,
      readOnly: false,
      faults: [],
    },
    failing: new Map(),
    held: new Map(),
    posts: [],
    answers: new Map(),
  };
  const log: DashboardEvent[] = [];
  const listeners = new Set<() => void>();
  const streams = new Set<SSEStreamingApi>();
  let firstId = 1;
  const app = new Hono();
  app.use(
    secureHeaders({
      contentSecurityPolicy: {
        defaultSrc: ["'none'"],
        scriptSrc: ["'self'"],
        styleSrc: ["'self'"],
        imgSrc: ["'self'"],
        connectSrc: ["'self'"],
      },
    }),
  );
  const files = await pageFiles();
  for (const [name, { body, contentType }] of files) {
    app.get(name === "index.html" ? "/" : `/${name}`, (c) => c.body(body, 200, { "Content-Type": contentType }));
  }
  app.use("/api/*", async (c, next) => {
    const path = c.req.path.slice("/api/".length);
    await world.held.get(path);
    const failure = [...world.failing].find(([start]) => path.startsWith(start))?.[1];
    if (failure) return c.json({ error: { code: "FAILED", message: failure.message } }, failure.status);
    if (c.req.method === "POST") world.posts.push({ path, body: await c.req.json() });
    if (world.answers.has(path)) return c.json(world.answers.get(path) as object);
    return next();
  });
  app.get("/api/events", (c) => {
    let next = Number(c.req.query("lastEventId") ?? 0) + 1;
    return streamSSE(c, async (stream) => {
      if (next < firstId || next > firstId + log.length) {
        await stream.writeSSE({
          id: String(firstId + log.length - 1),
          data: JSON.stringify({ kind: "reset", lastEventId: "" }),
        });
        return;
      }
      await stream.write(": hello\n\n");
      streams.add(stream);
      stream.onAbort(() => void streams.delete(stream));
      while (!stream.aborted) {
        while (next < firstId + log.length) {
          await stream.writeSSE({ id: String(next), data: JSON.stringify(log[next - firstId]) });
          next += 1;
        }
        await new Promise<void>((resolve) => {
          listeners.add(resolve);
          stream.onAbort(resolve);
        });
      }
    });
  });
  app.route(
    "/api",
    answers(world, () => String(firstId + log.length - 1)),
  );

  let server: Server;
  let port = 0;
  async function listen(): Promise<void> {
    server = createAdaptorServer({ fetch: app.fetch }) as Server;
    server.listen(port, "127.0.0.1");
    await once(server, "listening");
    port = (server.address() as AddressInfo).port;
  }
  async function stop(): Promise<void> {
    const closed = once(server, "close");
    server.close();
    server.closeAllConnections();
    await closed;
  }
  await listen();
  return {
    url: `http://127.0.0.1:${port}/`,
    world,
    emit(event) {
      log.push(event);
      for (const tell of listeners) tell();
      listeners.clear();
    },
    beat() {
      for (const stream of streams) void stream.writeSSE({ event: "heartbeat", data: "{}" });
    },
    goAway: stop,
    comeBack: listen,
    forget() {
      firstId += log.length + 1_000;
      log.length = 0;
    },
    close: stop,
  };
}
