import type { BrowserContextOptions, Page } from "playwright-core";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { openLine } from "./line.ts";
import { newPage, useBrowser } from "./open.ts";
import { type RealRunner, startRealRunner } from "./real-runner.ts";

// The example jobs on a real runner: sync-exchange-rates takes a second, rebuild-search-index 90 of them and is due every minute.

useBrowser();
let runner: RealRunner;

beforeAll(async () => {
  runner = await startRealRunner();
}, 180_000);
afterAll(() => runner.stop());

async function signIn(options: BrowserContextOptions = {}): Promise<Page> {
  const { page } = await newPage(options);
  page.setDefaultTimeout(90_000);
  await page.goto(runner.link);
  await page.getByText("Live", { exact: true }).waitFor();
  return page;
}

async function openJob(page: Page, job: string): Promise<void> {
  await page.getByRole("link", { name: "Fleet" }).first().click();
  await page.getByRole("link", { name: job, exact: true }).click();
  await page.getByRole("heading", { name: job }).waitFor();
}

async function confirm(page: Page, open: string, verb: string, reason: string): Promise<void> {
  await page.getByRole("button", { name: open }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel(/^Reason/).fill(reason);
  await dialog.getByRole("button", { name: verb, exact: true }).click();
}

test("the token is out of the address once the browser is signed in", async () => {
  const page = await signIn();
  expect(page.url()).not.toContain("token");
});

test("a run is started, seen as it runs and ends, and leaves who, why and its log", async () => {
  const page = await signIn();
  await openJob(page, "sync-exchange-rates");
  await confirm(page, "Run now…", "Run now", "are the rates back?");
  await page.getByRole("link", { name: "Look at it" }).click();
  await page.locator(".page-head .status.is-succeeded").waitFor();
  await page.getByRole("log").getByText("run succeeded").waitFor();
  expect(await page.locator("main").textContent()).toMatch(/by an operator[\s\S]*are the rates back\?/);
}, 120_000);

test("a job is paused with a reason and resumed, and both are on the record", async () => {
  const page = await signIn();
  await openJob(page, "close-business-day");
  await confirm(page, "Pause…", "Pause", "the orders database is down");
  await page.getByText("close-business-day is paused.").waitFor();
  await page.getByText("“the orders database is down”").first().waitFor();
  await page.getByRole("link", { name: "Fleet" }).first().click();
  await page.getByRole("button", { name: "Paused 1" }).waitFor();
  await openJob(page, "close-business-day");
  await confirm(page, "Resume…", "Resume", "it is back");
  await page.getByText("close-business-day runs again").waitFor();
  await page.getByText("“it is back”").waitFor();
}, 120_000);

test("a skip leads to the run that held the lock, which is seen at work", async () => {
  const page = await signIn();
  await openJob(page, "rebuild-search-index");
  await page.locator(".head-state").getByText("running").waitFor();
  await confirm(page, "Run now…", "Run now", "to be skipped");
  await page.getByText("Another one holds the lock just now").waitFor();
  await page.getByRole("link", { name: "Look at it" }).click();
  await page.getByText("It was held by").getByRole("link").click();
  await page
    .getByRole("log")
    .getByText(/shard \d+ of 90/)
    .first()
    .waitFor();
}, 180_000);

test("a lost connection is said, and what happened meanwhile is there when it is back", async () => {
  const line = await openLine();
  onTestFinished(() => line.cut());
  const page = await signIn({ proxy: { server: line.url } });
  await openJob(page, "pay-commissions");
  await line.cut();
  await page.getByText("Connection lost", { exact: true }).waitFor();
  const headers = { Authorization: `Bearer ${runner.token}`, "Content-Type": "application/json" };
  const body = JSON.stringify({ by: "grace", reason: "while nobody looked" });
  const answer = await fetch(new URL("/api/jobs/pay-commissions/pause", runner.link), {
    method: "POST",
    headers,
    body,
  });
  expect(answer.status).toBe(200);
  await line.mend();
  await page.getByText("Live", { exact: true }).waitFor();
  await page.locator(".notice").getByText("while nobody looked").waitFor();
}, 120_000);
