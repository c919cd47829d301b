import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { AxeResults } from "axe-core";
import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { runHref } from "../../../lib/dashboard/page/route.ts";
import { instant, runOf } from "./fake/jobs.ts";
import { open, useBrowser } from "./open.ts";

useBrowser();

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

const PLACES = [
  "#/",
  "#/timeline",
  "#/jobs/import-catalog",
  "#/jobs/send-invoices",
  runHref("pay-commissions", runOf("pay-commissions", 60).runId),
  "#/workers",
  "#/dead-letters",
  "#/doctor",
];

describe.each(["light", "dark"] as const)("axe finds nothing to complain of in %s colours", (colorScheme) => {
  test.each(PLACES)("at %s", async (at) => {
    const letter = { id: "l1", at: instant(-60), from: "function", job: "pay-commissions", runId: "r", payload: {} };
    const worker = { id: "s1", functionName: "f", state: "busy", job: "pay-commissions", runId: "r" };
    const { page } = await open({
      at,
      colorScheme,
      reducedMotion: "reduce",
      world({ answers }) {
        answers.set("dead-letters", [letter]);
        answers.set("workers", { workers: [worker] });
      },
    });
    await page.getByText("Live", { exact: true }).waitFor();
    await page.locator("main h1").waitFor();
    expect(await violations(page)).toEqual([]);
  });

  test("in a dialog with an error", async () => {
    const { page, server } = await open({ at: "#/jobs/import-catalog", colorScheme, reducedMotion: "reduce" });
    await page.getByRole("button", { name: "Run now…" }).click();
    server.world.failing.set("jobs/import-catalog/trigger", { status: 500, message: "no runner runs" });
    await page.getByRole("button", { name: "Run now", exact: true }).click();
    await page.getByRole("alert").waitFor();
    expect(await violations(page)).toEqual([]);
  });
});

async function violations(page: Page): Promise<string[]> {
  await page.evaluate(axe);
  const results = (await page.evaluate("axe.run()")) as AxeResults;
  return results.violations.flatMap(({ id, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${id}: ${html} ${failureSummary}`),
  );
}
