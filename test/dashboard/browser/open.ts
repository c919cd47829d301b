import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import { afterAll, beforeAll, onTestFinished } from "vitest";
import type { FleetJob } from "../../../lib/dashboard/api.ts";
import { launch } from "./chromium.ts";
import { SHOP } from "./fake/fleet.ts";
import { type FakeServer, startFake, type World } from "./fake/server.ts";

let browser: Browser;

/** One browser for the tests of a file. */
export function useBrowser(): void {
  beforeAll(async () => {
    browser = await launch();
  });
  afterAll(() => browser.close());
}

export function currentBrowser(): Browser {
  return browser;
}

interface Options extends BrowserContextOptions {
  readonly jobs?: readonly FleetJob[];
  /** Where on the page it begins. */
  readonly at?: string;
  /** Changes what the server says before the page asks. */
  readonly world?: (world: World) => void;
}

export interface Opened {
  readonly page: Page;
  readonly server: FakeServer;
  /** What the browser complained of: errors of scripts, refusals by the content security policy. */
  readonly complaints: string[];
}

/** Opens the page on a fake server; both end with the test. */
export async function open({ jobs = SHOP, at = "#/", world, ...context }: Options = {}): Promise<Opened> {
  const server = await startFake(jobs);
  world?.(server.world);
  const { page, complaints } = await newPage(context);
  onTestFinished(() => server.close());
  await page.goto(server.url + at);
  return { page, server, complaints };
}

export async function newPage(options: BrowserContextOptions = {}): Promise<{ page: Page; complaints: string[] }> {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, ...options });
  onTestFinished(() => context.close());
  const page = await context.newPage();
  page.setDefaultTimeout(15_000);
  const complaints: string[] = [];
  page.on("pageerror", (error) => complaints.push(String(error)));
  page.on("console", (message) => {
    if (message.type() === "error" && !message.text().startsWith("Failed to load resource"))
      complaints.push(message.text());
  });
  return { page, complaints };
}
