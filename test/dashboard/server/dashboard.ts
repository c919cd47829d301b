import { request } from "node:http";
import { text } from "node:stream/consumers";
import { dashboardApp, type RunnerNews, type RunnerSide } from "../../../lib/dashboard/index.ts";
import { connectLocal } from "../../../lib/operations/index.ts";
import { startFakeRunner } from "../../cli/runner.ts";

export const TOKEN = "the-token-of-this-run";
export const NOW = Date.UTC(2026, 4, 10, 12);

/** A runner with the job "nightly" on a real table, and the dashboard on its port. */
export async function openDashboard() {
  const fake = await startFakeRunner();
  const { url } = fake.server;
  const operations = await connectLocal({ stateDir: fake.stateDir });
  const listeners = new Set<(news: RunnerNews) => void>();
  const runner: RunnerSide = {
    faults: [],
    nowMs: () => NOW,
    workers: () => [{ id: "sandbox-1", functionName: "shop-dev-nightly", state: "idle" }],
    waiting: () => 3,
    subscribe(listen) {
      listeners.add(listen);
      return () => listeners.delete(listen);
    },
  };
  fake.server.serve(dashboardApp({ operations, url, token: TOKEN, runner }));

  const headers = { Authorization: `Bearer ${TOKEN}` };
  return {
    ...fake,
    url,
    operations,
    /** As the runner tells what happens. */
    tell(news: RunnerNews) {
      for (const listen of listeners) listen(news);
    },
    get: (path: string) => fetch(url + path, { headers }),
    post: (path: string, body: unknown = {}) =>
      fetch(url + path, {
        method: "POST",
        headers: { ...headers, "Content-Type": "application/json" },
        body: JSON.stringify(body),
      }),
    /** As it is, with no header but these, and the path as it stands here: fetch would tidy both. */
    raw: (method: string, path: string, headers: Record<string, string>) => rawRequest(url, method, path, headers),
    async close() {
      await operations.close();
      await fake.close();
    },
  };
}

export interface RawAnswer {
  readonly status: number | undefined;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: string;
}

function rawRequest(url: string, method: string, path: string, headers: Record<string, string>): Promise<RawAnswer> {
  return new Promise((resolve, reject) => {
    const { hostname, port } = new URL(url);
    const call = request({ hostname, port, method, path, headers, agent: false }, async (answer) => {
      resolve({ status: answer.statusCode, headers: answer.headers, body: await text(answer) });
    });
    call.on("error", reject);
    call.end();
  });
}
