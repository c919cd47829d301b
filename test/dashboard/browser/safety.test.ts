import { describe, expect, test } from "vitest";
import { jobHref, runHref } from "../../../lib/dashboard/page/route.ts";
import { EVIL, HOSTILE } from "./fake/fleet.ts";
import { instant, jobOf, runOf } from "./fake/jobs.ts";
import { open, useBrowser } from "./open.ts";

useBrowser();

const [job] = HOSTILE;
const name = job?.job ?? "";
const run = runOf(name, 9, {
  status: "FAILED",
  error: { name: EVIL, message: EVIL },
  trigger: { kind: "run-requested", by: EVIL, reason: "javascript:window.hacked=1" },
  input: { bytes: 9, hash: EVIL, json: JSON.stringify({ link: "javascript:window.hacked=1", html: EVIL }) },
  result: { bytes: 9, hash: "x", json: '"javascript:window.hacked=1"' },
  log: "javascript:window.hacked=1",
  requestId: EVIL,
});

const PLACES = ["#/", jobHref(name), runHref(name, run.runId), "#/dead-letters", "#/workers", `#/${EVIL}`];

test("SE-03: what jobs, runs, logs and operators say is text on every page, and never a link or a script", async () => {
  const letter = { id: EVIL, at: instant(-9), from: "function", job: name, error: run.error, payload: { html: EVIL } };
  const { page, server, complaints } = await open({
    jobs: HOSTILE,
    world({ answers, target }) {
      Object.assign(target, {
        whoAmI: EVIL,
        faults: [EVIL],
        target: { ...target.target, kind: "stack", stack: EVIL, region: EVIL },
      });
      answers.set(`jobs/${encodeURIComponent(name)}/runs/${encodeURIComponent(run.runId)}`, run);
      answers.set(`jobs/${encodeURIComponent(name)}/logs`, [
        { stream: "1", text: EVIL },
        { stream: "1", text: JSON.stringify({ message: EVIL, level: EVIL, [EVIL]: EVIL, error: { stack: EVIL } }) },
      ]);
      answers.set("dead-letters", [letter]);
      answers.set("workers", { workers: [{ id: EVIL, functionName: EVIL, state: "busy", job: name, runId: EVIL }] });
    },
  });
  await page.getByText("Live", { exact: true }).waitFor();
  server.emit({ kind: "notice", level: "fault", at: instant(0), message: EVIL });
  await page.getByRole("region", { name: "News" }).getByText(EVIL).waitFor();
  for (const place of PLACES) {
    await page.goto(new URL(place, page.url()).href);
    await page.locator("main").getByText("<img src=x").first().waitFor();
    const links = await page.locator("a").evaluateAll((all) => all.map((link) => link.getAttribute("href") ?? ""));
    expect(
      links.filter((link) => !link.startsWith("#/")),
      place,
    ).toEqual([]);
    expect(await page.locator("main img, main script").count(), place).toBe(0);
    expect(await page.evaluate(() => "hacked" in window), place).toBe(false);
  }
  expect(complaints).toEqual([]);
});

// Escapes for the terminal, marks that turn the direction of text, a line separator, an emoji of four, 10 kB without a space.
const MANGLED = `\u001b[31mred\u001b[0m \u202egnp.exe\u2066 \u2028 👩‍👩‍👧 \u0000 ${"x".repeat(10_000)}`;

describe.each([1440, 390])("on a screen of %i pixels", (width) => {
  test.each([
    "#/",
    "#/jobs/nightly",
    runHref("nightly", runOf("nightly", 9).runId),
    "#/dead-letters",
    "#/workers",
    "#/doctor",
  ])(
    "at %s what steers a terminal or turns text is shown as it is written, and nothing is wider than the screen",
    async (at) => {
      const error = { name: MANGLED, message: MANGLED };
      const failed = runOf("nightly", 9, {
        status: "FAILED",
        error,
        trigger: { kind: "operator", by: MANGLED, reason: MANGLED },
        input: { bytes: 9, hash: "ab", json: JSON.stringify({ [MANGLED]: MANGLED }) },
      });
      const nightly = jobOf("nightly", 5, {
        description: MANGLED,
        state: "paused",
        paused: { by: MANGLED, reason: MANGLED, at: instant(-5) },
        lastRun: failed,
      });
      const letter = { id: "l1", at: instant(-9), from: "function", job: "nightly", error, payload: { [MANGLED]: 1 } };
      const { page } = await open({
        jobs: [nightly],
        at,
        viewport: { width, height: 900 },
        world({ answers }) {
          answers.set(`jobs/nightly/runs/${encodeURIComponent(failed.runId)}`, failed);
          answers.set("jobs/nightly/logs", [
            { stream: "1", text: MANGLED },
            { stream: "1", text: JSON.stringify({ level: "ERROR", message: MANGLED, [MANGLED]: MANGLED, error }) },
          ]);
          answers.set("dead-letters", [letter]);
          answers.set("workers", { workers: [{ id: MANGLED, functionName: MANGLED, state: "busy", job: "nightly" }] });
          answers.set("doctor", [{ check: MANGLED, level: "failed", message: MANGLED, advice: MANGLED }]);
        },
      });
      await page.locator("main").getByText("u202egnp.exe").first().waitFor();
      const text = (await page.locator("body").textContent()) ?? "";
      expect(text.replaceAll("\n", "")).not.toMatch(/[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]/u);
      expect(text).toContain("👩‍👩‍👧");
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width);
    },
  );
});

test("the page needs no exception from a strict content security policy", async () => {
  const { page, complaints } = await open();
  for (const place of ["#/", "#/timeline", "#/jobs/import-catalog", "#/doctor"]) {
    await page.goto(new URL(place, page.url()).href);
    await page.locator("main h1").waitFor();
  }
  await page.locator("[data-tip]").first().hover();
  expect(complaints).toEqual([]);
});
