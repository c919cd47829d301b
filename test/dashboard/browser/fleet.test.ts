import { describe, expect, test } from "vitest";
import { largeFleet } from "./fake/fleet.ts";
import { jobOf, scheduleOf } from "./fake/jobs.ts";
import { open, useBrowser } from "./open.ts";

useBrowser();

describe("the fleet", () => {
  test("shows each job with its schedule, next occurrence, state, last run and success", async () => {
    const { page } = await open();
    const row = page.getByRole("row").filter({ hasText: "send-invoices" });
    await row.getByText("At 09:00 on Monday to Friday, Europe/Berlin").waitFor();
    expect(await row.textContent()).toContain("cron(0 9 ? * MON-FRI *)");
    expect(await row.textContent()).toContain("ada: the mail provider is moved to eu-west-1");
    expect(await row.getByRole("img", { name: "8 succeeded, 0 failed of the newest 10" }).count()).toBe(1);
    const failing = page.getByRole("row").filter({ hasText: "pay-commissions" });
    expect(await failing.textContent()).toMatch(/failed[\s\S]*6\.4 s · usually 5\.9 s[\s\S]*3 in a row/);
  });

  test("shows of several schedules the one that is next, beside its time", async () => {
    const monthly = { ...scheduleOf("cron(0 12 1 * ? *)", "America/New_York"), name: "monthly" };
    const hourly = scheduleOf("cron(42 * * * ? *)", "Asia/Tokyo");
    const { page } = await open({ jobs: [jobOf("import-catalog", 42, { schedules: [monthly, hourly] })] });
    const row = page.getByRole("row").filter({ hasText: "import-catalog" });
    await row.getByText("cron(42 * * * ? *)").waitFor();
    expect(await row.textContent()).toMatch(/Tokyo *and 1 more[\s\S]*Sun 29 Mar 05:42 Tokyo/);
  });

  test("tells a time in UTC to who points at it or focuses it", async () => {
    const { page } = await open();
    await page.getByRole("row").filter({ hasText: "close-business-day" }).locator("time").focus();
    await page.getByText("2026-03-30 00:30:00 UTC").waitFor();
  });

  test("is sorted by a click on a column, and the other way round by another one", async () => {
    const { page } = await open();
    const names = () => page.locator(".job-name").allInnerTexts();
    await page.getByRole("button", { name: "Last run" }).click();
    expect((await names()).slice(0, 2)).toEqual(["rebuild-search-index", "expire-carts"]);
    expect(await page.getByRole("columnheader", { name: "Last run" }).getAttribute("aria-sort")).toBe("descending");
    await page.getByRole("button", { name: "Last run" }).click();
    expect((await names())[0]).toBe("legacy-report");
  });

  test("shows the jobs of a group, and all again", async () => {
    const { page } = await open();
    await page.getByRole("button", { name: "Failing 2" }).click();
    expect(await page.locator(".job-name").allInnerTexts()).toEqual(["archive-orders", "pay-commissions"]);
    await page.getByLabel("Search the jobs").fill("nothing like that");
    await page.getByRole("button", { name: "Show all jobs" }).click();
    expect(await page.locator(".job-name").count()).toBe(12);
  });

  test("shows a job whose stage disables its schedule as disabled, without a next occurrence", async () => {
    const report = jobOf("report", 30);
    const schedules = report.schedules.map((it) => ({ ...it, disabled: true as const, next: undefined }));
    const { page } = await open({ jobs: [{ ...report, schedules }] });
    const row = page.getByRole("row").filter({ hasText: "report" });
    await row.locator(".cell-state").getByText("disabled").waitFor();
    expect(await row.locator(".cell-next").textContent()).toBe("–");
    expect(await row.getAttribute("class")).toBe("row is-disabled");
    await page.getByRole("button", { name: "Disabled 1" }).waitFor();
    await row.getByRole("link", { name: "report" }).click();
    await page.locator(".head-state").getByText("disabled").waitFor();
    await page.getByText("At 20:30, UTC · disabled").waitFor();
    await page.getByText("No next occurrence: it runs on request alone.").waitFor();
    expect(await page.getByLabel("The next occurrences").count()).toBe(0);
  });

  test("leads to a job whose next occurrences name their schedule where it has several, and else do not", async () => {
    const { page } = await open({ at: "#/jobs/import-catalog" });
    const coming = page.getByLabel("The next occurrences").getByRole("listitem");
    await coming.first().getByText("default", { exact: true }).waitFor();
    await page.goto(`${page.url().split("#")[0]}#/jobs/archive-orders`);
    await page.getByRole("heading", { name: "archive-orders" }).waitFor();
    await coming.first().waitFor();
    expect(await coming.getByText("default", { exact: true }).count()).toBe(0);
  });

  test("is used by the keyboard alone", async () => {
    const { page } = await open();
    await page.locator(".job-name").first().waitFor();
    await page.keyboard.press("/");
    await page.keyboard.type("orders");
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("j");
    await page.keyboard.press("k");
    await page.keyboard.press("j");
    expect(await page.locator(":focus").textContent()).toBe("close-business-day");
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "close-business-day" }).waitFor();
    await page.keyboard.press("?");
    await page.getByRole("dialog", { name: "Keys" }).waitFor();
    await page.keyboard.press("Escape");
    await page.keyboard.press("/");
    // From another page the search has to appear first.
    await page.locator("#search:focus").waitFor();
    await page.keyboard.press("Escape");
    expect(await page.getByLabel("Search the jobs").inputValue()).toBe("");
    expect(await page.locator(".job-name").count()).toBe(12);
  });

  test("of 1,000 jobs has 25 rows at most, and finds every one of them", async () => {
    const { page } = await open({ jobs: largeFleet(1_000) });
    await page.getByText("1–25 of 1,000").waitFor();
    expect(await page.locator("tbody tr").count()).toBe(25);
    await page.keyboard.press("]");
    await page.getByText("26–50 of 1,000").waitFor();
    await page.getByLabel("Search the jobs").fill("0999");
    await page.getByText("1 job", { exact: true }).waitFor();
    expect(await page.locator(".job-name").allInnerTexts()).toEqual(["close-tax-0999"]);
  });

  test("has the way to every page in sight at phone width, also with dead letters to count", async () => {
    const letters = Array.from({ length: 12 }, (_, id) => ({ id: String(id), from: "function", payload: {} }));
    const { page } = await open({
      viewport: { width: 375, height: 700 },
      world: ({ answers }) => answers.set("dead-letters", letters),
    });
    await page.getByRole("link", { name: "Dead letters 12" }).waitFor();
    const tabs = await page
      .locator(".tab")
      .evaluateAll((all) => all.map((tab) => [tab.textContent, tab.getBoundingClientRect().right <= innerWidth]));
    expect(tabs).toEqual([
      ["Fleet", true],
      ["Timeline", true],
      ["Workers", true],
      ["Dead letters 12", true],
      ["Doctor", true],
    ]);
  });

  test("is a list of cards at phone width, and nothing is wider than the screen", async () => {
    const { page } = await open({ viewport: { width: 360, height: 740 } });
    const card = page.locator(".row").filter({ hasText: "send-invoices" });
    await card.getByRole("button", { name: "Resume send-invoices" }).waitFor();
    for (const place of ["#/", "#/timeline", "#/jobs/send-invoices", "#/workers", "#/doctor"]) {
      await page.goto(new URL(place, page.url()).href);
      await page.locator("main h1").waitFor();
      const tooWide = await page.evaluate(
        () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
      );
      expect(tooWide, place).toBe(0);
    }
  });
});
