import { join } from "node:path";
import { jobHref, runHref } from "../../../lib/dashboard/page/route.ts";
import type { RunView } from "../../../lib/operations/index.ts";
import { launch } from "./chromium.ts";
import { detailOf } from "./fake/answers.ts";
import { SHOP } from "./fake/fleet.ts";
import { instant, runOf } from "./fake/jobs.ts";
import { type FakeServer, startFake } from "./fake/server.ts";

// Takes the pictures of the documentation, of made-up jobs: `npm run pictures`.

const IMAGES = join(import.meta.dirname, "../../../docs/images");
const JOB = "pay-commissions";
const error = {
  name: "PaymentProviderError",
  message: "503 from payments.example: too many requests, retry after 30 s",
};

function failedRun(): RunView {
  const run = runOf(JOB, 960, { status: "FAILED", timeZone: "UTC", durationMs: 6_400, error, fencingToken: 341 });
  const startMs = Date.parse(run.startedAt ?? "");
  const attempts = run.attempts.flatMap((attempt) =>
    [1, 2].map((number) => {
      const atMs = startMs + (number - 1) * 67_000;
      const endedAt = new Date(atMs + 6_400).toISOString();
      return { ...attempt, attempt: number, startedAt: new Date(atMs).toISOString(), endedAt, log: run.log };
    }),
  );
  const { startedAt, endedAt } = attempts.at(-1) ?? {};
  const deliveredAt = new Date(startMs - 700).toISOString();
  const input = { bytes: 20, hash: "a7ffc6f8bf1ed766", json: '{"day":"2026-03-27"}' };
  return {
    ...run,
    deliveredAt,
    attempts,
    startedAt,
    endedAt,
    input,
    rerunBy: ["2026-03-28T09:12:04.113Z#manual#3f9a01bc"],
  };
}

/** The nights before: three have failed in a row. */
function nightsBefore(): RunView[] {
  return [1, 2, 3, 4, 5, 6].map((nights) => {
    const change = nights < 3 ? ({ status: "FAILED", durationMs: 6_400, error } as const) : { durationMs: 5_900 };
    return runOf(JOB, 960 + nights * 24 * 60, { timeZone: "UTC", ...change });
  });
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

function deadLetter({ job, runId }: RunView) {
  const payload = { escapement: { job, schedule: "default", scheduledTime: "2026-03-28T04:00:00Z" }, input: {} };
  return {
    id: "7d1c4f0e",
    at: instant(-955),
    from: "function",
    condition: "RetriesExhausted",
    job,
    runId,
    payload,
    error,
  };
}

const WORKERS = [
  {
    id: "a41c",
    job: "rebuild-search-index",
    state: "busy",
    runId: "2026-03-28T19:59:00.000Z#default",
    heardAt: instant(0),
  },
  { id: "0b7e", job: "sync-exchange-rates", state: "idle", heardAt: instant(0) },
].map((worker) => ({ ...worker, functionName: `Escapement-dev_${worker.job}`, since: instant(-1) }));

/** Each page, with the height that shows what there is. */
function pages(server: FakeServer): readonly { name: string; at: string; height: number }[] {
  const { answers } = server.world;
  const run = failedRun();
  answers.set(`jobs/${JOB}/runs/${encodeURIComponent(run.runId)}`, run);
  answers.set(`jobs/${JOB}/logs`, logOf(run));
  const job = SHOP.find((one) => one.job === JOB);
  if (job) answers.set(`jobs/${JOB}`, detailOf(job, nightsBefore()));
  answers.set("dead-letters", [deadLetter(run)]);
  answers.set("workers", { workers: WORKERS });
  return [
    { name: "fleet", at: "#/", height: 600 },
    { name: "timeline", at: "#/timeline", height: 400 },
    { name: "job", at: jobHref(JOB), height: 900 },
    { name: "run", at: runHref(JOB, run.runId), height: 860 },
    { name: "workers", at: "#/workers", height: 360 },
    { name: "dead-letters", at: "#/dead-letters", height: 420 },
    { name: "doctor", at: "#/doctor", height: 480 },
  ];
}

async function take(server: FakeServer, { name, at, height }: ReturnType<typeof pages>[number]) {
  for (const colorScheme of ["light", "dark"] as const) {
    const viewport = { width: 1_440, height };
    const page = await browser.newPage({ viewport, colorScheme, reducedMotion: "reduce" });
    await page.goto(server.url + at);
    await page.getByText("Live", { exact: true }).waitFor();
    await page.locator("main h1").waitFor();
    if (name === "timeline") {
      await page.getByLabel("Clock of").selectOption("Europe/Berlin");
      await page.getByRole("button", { name: "Wider" }).click();
      await page.getByText("· 23 h").waitFor();
    }
    if (name === "job") await page.getByRole("button", { name: "1 week" }).click();
    await page.mouse.move(0, 0);
    await page.waitForLoadState("networkidle", { timeout: 3_000 }).catch(() => {});
    await page.screenshot({ path: join(IMAGES, `${name}-${colorScheme}.png`) });
    await page.close();
  }
}

const browser = await launch();
const server = await startFake(SHOP);
try {
  for (const page of pages(server)) await take(server, page);
} finally {
  await browser.close();
  await server.close();
}
