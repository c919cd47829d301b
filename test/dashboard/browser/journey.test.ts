import type { BrowserContextOptions } from "playwright-core";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { saveDeadLetter } from "../../../lib/local/dead-letters.ts";
import { openLine } from "./line.ts";
import { useBrowser } from "./open.ts";
import { confirm, openJob, signInTo } from "./operator.ts";
import { newStateDir, type RealRunner, removeStateDir, startRealRunner } from "./real-runner.ts";

// The example jobs on a real runner: sync-exchange-rates takes a second, rebuild-search-index 90 of them and is due every minute.

useBrowser();
let runner: RealRunner;

const stateDir = newStateDir();
const signIn = (options?: BrowserContextOptions) => signInTo(runner, options);

beforeAll(async () => {
  runner = await startRealRunner(stateDir);
}, 180_000);
afterAll(async () => {
  await runner.stop();
  removeStateDir(stateDir);
});

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

test("a dead letter is discarded, and who did it and why is on its job's record", async () => {
  const arn = "arn:aws:lambda:local:000000000000:function:Escapement-dev_pay-commissions";
  const requestContext = { requestId: "letter-1", functionArn: arn, condition: "RetriesExhausted" as const };
  saveDeadLetter(stateDir, "letter-1", {
    version: "1.0",
    timestamp: "2026-05-02T04:10:00.000Z",
    destination: "dead",
    requestContext: { ...requestContext, approximateInvokeCount: 3 },
    requestPayload: {
      escapement: { job: "pay-commissions", schedule: "default", scheduledTime: "2026-05-02T04:00:00Z" },
    },
    responsePayload: { errorType: "TypeError", errorMessage: "no orders" },
  });
  const page = await signIn();
  await page.getByRole("link", { name: "Dead letters" }).click();
  await page.getByText("no orders").waitFor();
  await confirm(page, "Discard…", "Discard for good", "paid by hand");
  await page.getByText("No dead letters").waitFor();
  await page.reload();
  await page.getByText("No dead letters").waitFor();
  await openJob(page, "pay-commissions");
  await page.getByText("“paid by hand”").waitFor();
}, 120_000);

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
