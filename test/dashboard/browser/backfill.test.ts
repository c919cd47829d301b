import { expect, onTestFinished, test } from "vitest";
import { useBrowser } from "./open.ts";
import { openJob, signInTo } from "./operator.ts";
import { newStateDir, removeStateDir, startRealRunner } from "./real-runner.ts";

useBrowser();

test("what fell due while no runner ran is planned, run and recorded, with who and why", async () => {
  const stateDir = newStateDir();
  onTestFinished(() => removeStateDir(stateDir));
  const before = await startRealRunner(stateDir, "--now", "2026-06-01T12:00:00Z");
  await before.stop();
  const runner = await startRealRunner(stateDir, "--now", "2026-06-04T12:00:00Z");
  onTestFinished(() => runner.stop());
  const page = await signInTo(runner);

  await openJob(page, "pay-commissions");
  await page.locator(".notice").getByText("1 occurrence missed").waitFor();
  await page.locator(".page-head").getByRole("button", { name: "Backfill…" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel(/^From/).fill("2026-06-02T00:00");
  await dialog.getByLabel(/^To/).fill("2026-06-04T12:00");
  await dialog.getByRole("button", { name: "Show what would run" }).click();
  // cron(0 4 * * ? *): at 04:00 UTC of each of the three days.
  await dialog.getByText("3 of 3 occurrences").waitFor();
  expect(await dialog.getByRole("listitem").allTextContents()).toEqual([
    expect.stringContaining("2026-06-02 04:00:00 UTC"),
    expect.stringContaining("2026-06-03 04:00:00 UTC"),
    expect.stringContaining("2026-06-04 04:00:00 UTC"),
  ]);
  const rows = page.locator("table.runs tbody tr");
  expect(await rows.count()).toBe(0);

  await dialog.getByLabel(/^Reason/).fill("the laptop was shut");
  await dialog.getByRole("button", { name: "Run 3 occurrences" }).click();
  await page.getByText("pay-commissions: 3 runs on the way, one after the other.").waitFor();
  await rows.filter({ hasText: "succeeded" }).nth(2).waitFor();
  await page.locator(".notice").getByText("1 occurrence missed").waitFor({ state: "detached" });
  await page.getByText("“the laptop was shut”").waitFor();

  await rows.filter({ hasText: "succeeded" }).first().getByRole("link").click();
  await page.locator(".page-head .status.is-succeeded").waitFor();
  await page.getByRole("log").getByText("run succeeded").waitFor();
  const text = await page.locator("main").textContent();
  expect(text).toMatch(/Thu 4 Jun 04:00 UTC[\s\S]*by an operator[\s\S]*the laptop was shut/);
}, 300_000);
