import { join } from "node:path";
import { runHref } from "../../../lib/dashboard/page/route.ts";
import type { RunView } from "../../../lib/operations/index.ts";
import { launch } from "./chromium.ts";
import { SHOP } from "./fake/fleet.ts";
import { runOf } from "./fake/jobs.ts";
import { type FakeServer, startFake } from "./fake/server.ts";

// Takes the pictures of the documentation, of made-up jobs: `npm run pictures`.

const JOB = "pay-commissions";
const error = {
  name: "PaymentProviderError",
  message: "503 from payments.example: too many requests, retry after 30 s",
};

function failedRun(): RunView {
  const run = runOf(JOB, 960, { status: "FAILED", durationMs: 6_400, error, fencingToken: 341 });
  const startMs = Date.parse(run.startedAt ?? "");
  const attempts = run.attempts.flatMap((attempt) =>
    [1, 2, 3].map((number) => {
      const atMs = startMs + (number - 1) * 67_000;
      const endedAt = new Date(atMs + 6_400).toISOString();
      return { ...attempt, attempt: number, startedAt: new Date(atMs).toISOString(), endedAt, log: run.log };
    }),
  );
  const { startedAt, endedAt } = attempts.at(-1) ?? {};
  const input = { bytes: 20, hash: "a7ffc6f8bf1ed766", json: '{"day":"2026-03-27"}' };
  return { ...run, attempts, startedAt, endedAt, input, rerunBy: ["2026-03-28T09:12:04.113Z#manual#3f9a01bc"] };
}

function logOf({ startedAt = "" }: RunView): { stream: string; text: string }[] {
  const line = (level: string, afterMs: number, message: string, more: object = {}) => {
    const timestamp = new Date(Date.parse(startedAt) + afterMs).toISOString();
    return { stream: "1", text: JSON.stringify({ level, message, timestamp, ...more }) };
  };
  const stack = [
    `${error.name}: ${error.message}`,
    "    at post (/var/task/index.mjs:1841:11)",
    "    at process.processTicksAndRejections (node:internal/process/task_queues:95:5)",
    "    at async payCommissions (/var/task/index.mjs:2243:3)",
  ];
  return [
    line("INFO", 120, "Crediting sellers", { days: ["2026-03-27"], sellers: 214 }),
    line("WARN", 3_100, "Slow answer", { ms: 2_400 }),
    line("ERROR", 6_380, "run failed", { error: { ...error, stack: stack.join("\n") } }),
  ];
}

async function takeAll(server: FakeServer): Promise<void> {
  const run = failedRun();
  server.world.answers.set(`jobs/${JOB}/runs/${encodeURIComponent(run.runId)}`, run);
  server.world.answers.set(`jobs/${JOB}/logs`, logOf(run));
  await take(server, "fleet", "#/", "light", 860);
  await take(server, "timeline", "#/timeline", "dark", 400);
  await take(server, "run", runHref(JOB, run.runId), "light", 1_080);
}

async function take(server: FakeServer, name: string, at: string, colorScheme: "light" | "dark", height: number) {
  const page = await browser.newPage({ viewport: { width: 1_360, height }, colorScheme });
  await page.goto(server.url + at);
  await page.getByText("Live").waitFor();
  await page.locator("main h1").waitFor();
  if (name === "timeline") {
    await page.getByLabel("Clock of").selectOption("Europe/Berlin");
    await page.getByRole("button", { name: "Wider" }).click();
    await page.getByText("· 23 h").waitFor();
  }
  await page.waitForLoadState("networkidle", { timeout: 3_000 }).catch(() => {});
  await page.screenshot({ path: join(import.meta.dirname, "../../../docs/images", `${name}.png`) });
  await page.close();
}

const browser = await launch();
const server = await startFake(SHOP);
try {
  await takeAll(server);
} finally {
  await browser.close();
  await server.close();
}
