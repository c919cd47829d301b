import { describe, expect, test } from "vitest";
import { runHref } from "../../../lib/dashboard/page/route.ts";
import { instant, runOf } from "./fake/jobs.ts";
import { open, useBrowser } from "./open.ts";

useBrowser();

const JOB = "pay-commissions";

describe("a run", () => {
  test("shows its attempts with their errors, its input, and the stack that it printed", async () => {
    const error = { name: "PaymentProviderError", message: "503 from payments.example" };
    const run = runOf(JOB, 60, { status: "FAILED", error, input: { bytes: 9, hash: "ab", json: '{"day":1}' } });
    const stack = "PaymentProviderError: 503\n    at pay (/var/task/index.mjs:12:7)";
    const line = JSON.stringify({
      level: "ERROR",
      message: "Run failed",
      timestamp: instant(-60),
      error: { ...error, stack },
    });
    const { page } = await open({
      at: runHref(JOB, run.runId),
      world({ answers }) {
        answers.set(`jobs/${JOB}/runs/${encodeURIComponent(run.runId)}`, run);
        answers.set(`jobs/${JOB}/logs`, [{ stream: "1", text: line }]);
      },
    });
    await page.getByText("at pay (/var/task/index.mjs:12:7)").waitFor();
    const text = await page.locator("main").textContent();
    expect(text).toContain("503 from payments.example");
    expect(text).toContain('"day": 1');
    expect(text).toContain("by its schedule");
  });

  test("at work shows its log as it comes, and its end", async () => {
    const run = runOf(JOB, 1, { status: "RUNNING" });
    const { page, server } = await open({
      at: runHref(JOB, run.runId),
      world: ({ answers }) => answers.set(`jobs/${JOB}/runs/${encodeURIComponent(run.runId)}`, run),
    });
    await page.getByText("It has printed nothing yet.").waitFor();
    server.emit({ kind: "log", job: JOB, runId: run.runId, at: instant(0), line: "halfway" });
    await page.getByRole("log").getByText("halfway").waitFor();
    server.emit({ kind: "run", run: runOf(JOB, 1) });
    await page.getByRole("heading", { name: JOB }).locator("..").getByText("succeeded").waitFor();
  });

  test("that was tried again has the times of its course beside each other, whatever their names", async () => {
    const attempts = [
      { attempt: 1, status: "FAILED" as const, startedAt: instant(-60), requestId: "a" },
      {
        attempt: 2,
        status: "SUCCEEDED" as const,
        startedAt: new Date(Date.parse(instant(-60)) + 77_000).toISOString(),
        requestId: "a",
      },
    ];
    const run = runOf(JOB, 60, { attempts, startedAt: attempts[1]?.startedAt });
    const { page } = await open({
      at: runHref(JOB, run.runId),
      viewport: { width: 1024, height: 800 },
      world: ({ answers }) => answers.set(`jobs/${JOB}/runs/${encodeURIComponent(run.runId)}`, run),
    });
    await page.getByText("+1 min 17 s").waitFor();
    const heights = await page
      .locator(".course-name")
      .evaluateAll((names) => names.map((name) => name.getBoundingClientRect().height));
    expect(new Set(heights).size).toBe(1);
  });

  test("that was skipped says why, and leads to the run that held the lock", async () => {
    const { page } = await open({ at: runHref(JOB, runOf(JOB, 90).runId) });
    await page.getByText("Another run of the job held its lock.").waitFor();
    await page.getByText("It was held by").getByRole("link").click();
    await page.getByText("after 31 min 40 s").waitFor();
  });

  test("that was run again leads there", async () => {
    const rerun = "2026-03-28T19:30:00.000Z#manual#ab12";
    const run = runOf(JOB, 60, { rerunBy: [rerun] });
    const { page } = await open({
      at: runHref(JOB, run.runId),
      world: ({ answers }) => answers.set(`jobs/${JOB}/runs/${encodeURIComponent(run.runId)}`, run),
    });
    const link = page.getByRole("link", { name: rerun });
    await link.waitFor();
    expect(await link.getAttribute("href")).toBe(runHref(JOB, rerun));
  });
});
