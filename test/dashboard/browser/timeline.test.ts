import { describe, expect, test } from "vitest";
import { open, useBrowser } from "./open.ts";

useBrowser();

describe("the timeline of a job", () => {
  test("has the night of a clock change as it is: 01:00, then 03:00, in a day of 23 hours", async () => {
    const { page } = await open({ at: "#/jobs/close-business-day" });
    await page.getByText("+1 h").hover();
    await page.getByText("UTC+01:00 becomes UTC+02:00").waitFor();
    await page.getByRole("group", { name: /^Timeline/ }).focus();
    await page.keyboard.press("ArrowRight");
    await page.getByText("· 23 h").waitFor();
    const labels = await page.locator(".axis-label").allTextContents();
    expect(labels).not.toContain("02:00");
  });

  test("shows what was missed, and says so to who points at it", async () => {
    const { page } = await open({ at: "#/jobs/import-catalog" });
    await page
      .getByRole("img", { name: /^missed/ })
      .first()
      .focus();
    await page.getByText("missed: it fell due and has no record").first().waitFor();
  });

  test("opens a run", async () => {
    const { page } = await open({ at: "#/jobs/import-catalog" });
    const bar = page.getByRole("link", { name: /^lost/ }).first();
    expect(await bar.getAttribute("href")).toMatch(/^#\/jobs\/import-catalog\/runs\/2026-03-28T.*%23default$/);
    await bar.click();
    await page.getByText("No record of this run yet").waitFor();
  });

  test("has a legend that is whole before the timeline is there", async () => {
    const { page } = await open({
      at: "#/jobs/import-catalog",
      world: ({ held }) => held.set("jobs/import-catalog/timeline", new Promise(() => {})),
    });
    const legend = page.getByRole("list", { name: "What the marks mean" });
    await legend.getByText("lost").waitFor();
    const missing = await legend.locator(".bar").evaluateAll((bars) =>
      bars.filter((bar) => {
        const [, pattern] = /url\("#(\w+)"\)/.exec(getComputedStyle(bar).fill) ?? [];
        return pattern !== undefined && document.getElementById(pattern) === null;
      }),
    );
    expect(missing).toEqual([]);
    expect(await page.locator(".axis").count()).toBe(0);
  });

  test("is zoomed and moved by keys, buttons, and the wheel with Ctrl", async () => {
    const { page } = await open({ at: "#/jobs/import-catalog" });
    const labels = () => page.locator(".axis-label").filter({ hasNotText: "09:00" }).allTextContents();
    const timeline = page.getByRole("group", { name: /^Timeline/ });
    await timeline.focus();
    const first = await labels();
    await page.keyboard.press("+");
    await expect.poll(labels).not.toEqual(first);
    await page.keyboard.press("0");
    await expect.poll(labels).toEqual(first);
    await page.getByRole("button", { name: "1 h", exact: true }).click();
    // Around now, 21:00 in Berlin.
    await expect.poll(labels).toContain("21:00");
    await page.getByRole("button", { name: "Now", exact: true }).click();
    await expect.poll(labels).toEqual(first);
    await timeline.hover();
    await page.keyboard.down("Control");
    await page.mouse.wheel(0, -400);
    await page.keyboard.up("Control");
    await expect.poll(labels).not.toEqual(first);
  });
});

test("the timeline of all jobs is told on the clock that is chosen", async () => {
  const { page } = await open({ at: "#/timeline" });
  await page.getByRole("link", { name: "sync-exchange-rates" }).waitFor();
  await page.getByLabel("Clock of").selectOption("Europe/Berlin");
  await page.getByText("+1 h").waitFor();
  await page.getByRole("button", { name: "1 week" }).click();
  await page
    .getByRole("link", { name: /^failed/ })
    .first()
    .waitFor();
});
