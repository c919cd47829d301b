import { describe, expect, onTestFinished, test } from "vitest";
import { SHOP } from "./fake/fleet.ts";
import { instant, jobOf, recentOf, runOf } from "./fake/jobs.ts";
import { startFake } from "./fake/server.ts";
import { newPage, open, useBrowser } from "./open.ts";

useBrowser();

const failed = jobOf("sync-exchange-rates", 3, {
  lastRun: runOf("sync-exchange-rates", 0, { status: "FAILED" }),
  recent: recentOf("FSSSSSSSSS"),
});

describe("live", () => {
  test("a job that changes is shown as it is now", async () => {
    const { page, server } = await open();
    const row = page.getByRole("row").filter({ hasText: "sync-exchange-rates" });
    await row.getByText("succeeded").waitFor();
    server.emit({ kind: "job", job: failed });
    await row.getByText("failed").waitFor();
    server.emit({ kind: "job-removed", job: "sync-exchange-rates" });
    await row.waitFor({ state: "detached" });
  });

  test("what the runner tells is shown, and a fault stays until it is seen", async () => {
    const { page, server } = await open();
    await page.getByText("Live", { exact: true }).waitFor();
    server.emit({
      kind: "notice",
      level: "fault",
      at: instant(0),
      message: "pay-commissions: its new code does not load",
    });
    const news = page.getByRole("region", { name: "News" });
    await news.getByText("its new code does not load").waitFor();
    await news.getByRole("button", { name: "Dismiss" }).click();
    await news.getByText("its new code does not load").waitFor({ state: "detached" });
  });

  test("dead letters are counted in the header", async () => {
    const { page, server } = await open();
    await page.getByText("Live", { exact: true }).waitFor();
    const letter = { id: "1", from: "function" as const, job: "pay-commissions", payload: {} };
    server.emit({ kind: "dead-letters", letters: [letter] });
    await page.getByRole("link", { name: "Dead letters 1" }).waitFor();
  });

  test("a clock that a handler slows goes on from the instant that is told, and as slowly", async () => {
    const { page, server } = await open({
      world(world) {
        world.target = { ...world.target, now: "2026-05-01T10:00:00.000Z", clock: { speed: 3600, pace: 3600 } };
      },
    });
    const clock = page.locator(".is-clock");
    await clock.getByText("3600×").waitFor();
    server.emit({ kind: "clock", now: "2026-05-01T10:30:00.000Z", pace: 1 });
    await clock.getByText("1×", { exact: false }).waitFor();
    await expect.poll(() => clock.textContent(), { timeout: 5_000 }).toMatch(/10:30:0[1-9]/);
  });

  test("a fast clock that is told of no more stands, and looks like that", async () => {
    const { page } = await open({
      world(world) {
        world.target = { ...world.target, now: "2026-03-28T19:00:00.000Z", clock: { speed: 10, pace: 10 } };
      },
    });
    const clock = page.locator(".is-clock");
    await page.getByText("Live", { exact: true }).waitFor();
    // Three seconds without a word of it, which comes each second, are thirty of its own.
    await page.locator(".is-clock.is-stale").waitFor();
    expect(await clock.textContent()).toBe("2026-03-28 19:00:30 UTC · stands");
  });

  test("times tick, and no row is rendered for it", async () => {
    const { page } = await open();
    const next = page.getByRole("row").filter({ hasText: "rebuild-search-index" }).locator("time");
    await next.waitFor();
    await page.evaluate(`
      changes = new Set();
      new MutationObserver((all) => all.forEach(({ type }) => changes.add(type)))
        .observe(document.querySelector("tbody"), { subtree: true, childList: true, attributes: true, characterData: true });
    `);
    const before = await next.textContent();
    await expect.poll(() => next.textContent(), { timeout: 5_000 }).not.toBe(before);
    expect(await page.evaluate("[...changes]")).toEqual(["characterData"]);
  });
});

describe("a lost connection", () => {
  test("is said, with the time since, and comes back without a gap", async () => {
    const { page, server } = await open();
    await page.getByText("Live", { exact: true }).waitFor();
    await server.goAway();
    await page.getByText("Connection lost", { exact: true }).waitFor();
    await page.getByText(/Connection lost [1-9]\d* s ago\./).waitFor();
    // It happens while nobody listens.
    server.emit({ kind: "job", job: failed });
    await server.comeBack();
    await page.getByText("Live", { exact: true }).waitFor();
    await page.getByRole("row").filter({ hasText: "sync-exchange-rates" }).getByText("failed").waitFor();
    expect(await page.locator("[data-connection=lost]").count()).toBe(0);
  });

  test("stops the clock and the times, and they go on when it is back", async () => {
    const clock = { speed: 1, pace: 1 };
    const { page, server } = await open({ world: (world) => Object.assign(world.target, { clock }) });
    await page.getByText("Live", { exact: true }).waitFor();
    const texts = () => page.locator(".is-clock, time").allTextContents();
    await server.goAway();
    await page.getByText("Connection lost", { exact: true }).waitFor();
    await page.locator(".is-clock.is-stale").waitFor();
    const then = await texts();
    await page.getByText(/Connection lost [2-9] s ago\./).waitFor();
    expect(await texts()).toEqual(then);
    await server.comeBack();
    await page.locator(".is-clock:not(.is-stale)").waitFor();
    await expect.poll(texts, { timeout: 5_000 }).not.toEqual(then);
  });

  test("to a server that is frozen is said after 40 s of silence, since when nothing was heard", async () => {
    const server = await startFake(SHOP);
    onTestFinished(() => server.close());
    const { page } = await newPage();
    await page.clock.install();
    await page.goto(server.url);
    await page.getByText("Live", { exact: true }).waitFor();
    await page.evaluate(`new Promise((open) => {
      const beside = new EventSource("/api/events");
      beside.onopen = () => open();
      heartbeat = new Promise((heard) => beside.addEventListener("heartbeat", () => heard()));
    })`);

    // Who has lost the connection does not get it back.
    const thawed = new Promise<void>((thaw) => onTestFinished(() => thaw()));
    server.world.held.set("target", thawed);
    // Nothing changes for a minute, and the server is there.
    await page.clock.fastForward(30_000);
    server.beat();
    await page.evaluate("heartbeat");
    await page.clock.fastForward(30_000);
    server.emit({ kind: "job", job: failed });
    await page.getByRole("row").filter({ hasText: "sync-exchange-rates" }).getByText("failed").waitFor();
    expect(await page.locator(".connection").textContent()).toBe("Live");

    // From here on nothing comes.
    await page.clock.fastForward(45_000);
    await page.getByText(/Connection lost (4[5-9]|5\d) s ago\./).waitFor();
  });

  test("to a server that has forgotten what happened reads everything again", async () => {
    const { page, server } = await open();
    await page.getByText("Live", { exact: true }).waitFor();
    await server.goAway();
    server.forget();
    server.world.jobs = [jobOf("a-new-job", 4)];
    await server.comeBack();
    await page.getByRole("link", { name: "a-new-job" }).waitFor();
    expect(await page.locator(".job-name").allInnerTexts()).toEqual(["a-new-job"]);
  });
});
