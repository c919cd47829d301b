import type { BrowserContextOptions, Page } from "playwright-core";
import { newPage } from "./open.ts";
import type { RealRunner } from "./real-runner.ts";

// What an operator does on the page of a real runner; patient, since the runner's work takes its time.

export async function signInTo(runner: RealRunner, options: BrowserContextOptions = {}): Promise<Page> {
  const { page } = await newPage(options);
  page.setDefaultTimeout(90_000);
  await page.goto(runner.link);
  await page.getByText("Live", { exact: true }).waitFor();
  return page;
}

export async function openJob(page: Page, job: string): Promise<void> {
  await page.getByRole("link", { name: "Fleet" }).first().click();
  await page.getByRole("link", { name: job, exact: true }).click();
  await page.getByRole("heading", { name: job }).waitFor();
}

export async function confirm(page: Page, open: string, verb: string, reason: string): Promise<void> {
  await page.getByRole("button", { name: open }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel(/^Reason/).fill(reason);
  await dialog.getByRole("button", { name: verb, exact: true }).click();
}
