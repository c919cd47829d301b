import { expect, test } from "vitest";
import { jobHref, runHref } from "../../../lib/dashboard/page/route.ts";
import { EVIL, HOSTILE } from "./fake/fleet.ts";
import { instant, runOf } from "./fake/jobs.ts";
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

test("the page needs no exception from a strict content security policy", async () => {
  const { page, complaints } = await open();
  for (const place of ["#/", "#/timeline", "#/jobs/import-catalog", "#/doctor"]) {
    await page.goto(new URL(place, page.url()).href);
    await page.locator("main h1").waitFor();
  }
  await page.locator("[data-tip]").first().hover();
  expect(complaints).toEqual([]);
});
