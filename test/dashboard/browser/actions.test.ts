import { describe, expect, test } from "vitest";
import { runHref } from "../../../lib/dashboard/page/route.ts";
import { instant, jobOf, runOf } from "./fake/jobs.ts";
import { open, useBrowser } from "./open.ts";

useBrowser();

describe("an action", () => {
  test("keeps the focus in its dialog, closes by Esc, and gives the focus back", async () => {
    const { page, server } = await open({ at: "#/jobs/import-catalog" });
    const button = page.getByRole("button", { name: "Pause…" });
    await button.focus();
    await page.keyboard.press("Enter");
    const dialog = page.getByRole("dialog", { name: "Pause import-catalog" });
    await dialog.waitFor();
    expect(await dialog.getByLabel("Reason").evaluate((field) => field === document.activeElement)).toBe(true);
    for (let step = 0; step < 7; step++) await page.keyboard.press("Tab");
    expect(
      await page.evaluate(
        () => document.activeElement === document.body || document.activeElement?.closest("dialog") !== null,
      ),
    ).toBe(true);
    await page.keyboard.press("Escape");
    await dialog.waitFor({ state: "detached" });
    expect(await button.evaluate((it) => it === document.activeElement)).toBe(true);
    expect(server.world.posts).toEqual([]);
  });

  test("wants a reason where it has to be told later", async () => {
    const { page, server } = await open({ at: "#/jobs/import-catalog" });
    await page.getByRole("button", { name: "Pause…" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByRole("button", { name: "Pause", exact: true }).click();
    await dialog.getByLabel("Reason").fill("   ");
    await dialog.getByRole("button", { name: "Pause", exact: true }).click();
    await dialog.getByText("Recorded as ada").waitFor();
    expect(server.world.posts).toEqual([]);
  });

  test("is done once, however often it is clicked", async () => {
    const answer = { job: "import-catalog", outcome: "paused" };
    const { page, server } = await open({
      at: "#/jobs/import-catalog",
      world: (world) => world.answers.set("jobs/import-catalog/pause", answer),
    });
    await page.getByRole("button", { name: "Pause…" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Reason").fill("the suppliers move");
    await dialog.getByRole("button", { name: "Pause", exact: true }).dblclick();
    await page.getByText("import-catalog is paused.").waitFor();
    expect(server.world.posts).toEqual([{ path: "jobs/import-catalog/pause", body: { reason: "the suppliers move" } }]);
  });

  test("that is refused says why in its dialog, and can be tried again", async () => {
    const { page, server } = await open({ at: "#/jobs/import-catalog" });
    await page.getByRole("button", { name: "Run now…" }).click();
    server.world.failing.set("jobs/import-catalog/trigger", {
      status: 500,
      message: "no runner runs: start it with npm start",
    });
    const dialog = page.getByRole("dialog");
    await dialog.getByRole("button", { name: "Run now", exact: true }).click();
    await dialog.getByRole("alert").getByText("no runner runs").waitFor();
    server.world.failing.clear();
    server.world.answers.set("jobs/import-catalog/trigger", {
      job: "import-catalog",
      runId: "x#manual#1",
      heldBy: "y",
      overlap: "queue",
    });
    await dialog.getByRole("button", { name: "Run now", exact: true }).click();
    await page.getByText("Another one holds the lock just now: it waits for its turn.").waitFor();
  });
});

describe("run now", () => {
  test("takes JSON, and says so where it is none before anything is sent", async () => {
    const { page, server } = await open({ at: "#/jobs/import-catalog" });
    server.world.answers.set("jobs/import-catalog/trigger", {
      job: "import-catalog",
      runId: runOf("import-catalog", 30).runId,
    });
    await page.getByRole("button", { name: "Run now…" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel(/^Input/).fill("{ day: 1 }");
    await dialog.getByText("The input is not JSON").waitFor();
    await dialog.getByRole("button", { name: "Run now", exact: true }).click();
    expect(server.world.posts).toEqual([]);
    await dialog.getByLabel(/^Input/).fill('{ "day": 1 }');
    await dialog.getByLabel(/^Reason/).fill("month end");
    await dialog.getByRole("button", { name: "Run now", exact: true }).click();
    await page.getByRole("link", { name: "Look at it" }).click();
    await page.getByRole("heading", { name: "import-catalog" }).waitFor();
    expect(server.world.posts).toEqual([
      { path: "jobs/import-catalog/trigger", body: { reason: "month end", input: { day: 1 } } },
    ]);
  });
});

test("resume first says what was held up, and what runs next", async () => {
  const look = {
    job: "send-invoices",
    paused: { by: "ada", reason: "the mail provider is moved", at: instant(-190) },
    skipped: { count: 3, first: "2026-03-28T17:00:00Z", last: "2026-03-28T19:00:00Z" },
    unrecorded: { count: 1, first: "2026-03-28T18:30:00Z", last: "2026-03-28T18:30:00Z" },
    next: instant(720),
  };
  const { page, server } = await open({
    at: "#/jobs/send-invoices",
    world: (world) => world.answers.set("jobs/send-invoices/pause", look),
  });
  await page.getByRole("button", { name: "Resume…" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByText("3 occurrences, 2026-03-28 17:00:00 UTC to 2026-03-28 19:00:00 UTC").waitFor();
  await dialog.getByText("1 occurrence, 2026-03-28 18:30:00 UTC").waitFor();
  await dialog.getByText("What was skipped stays so").waitFor();
  server.world.answers.set("jobs/send-invoices/resume", {
    job: "send-invoices",
    outcome: "conflict",
    paused: { ...look.paused, by: "grace" },
  });
  await dialog.getByRole("button", { name: "Resume", exact: true }).click();
  await dialog.getByRole("alert").getByText("grace has paused it meanwhile").waitFor();
  expect(server.world.posts.at(-1)?.body).toEqual({ pausedAt: instant(-190) });
});

test("unlock shows who holds the lock, and takes it from that one alone", async () => {
  const { page, server } = await open({ at: "#/jobs/rebuild-search-index" });
  server.world.answers.set("jobs/rebuild-search-index/unlock", { job: "rebuild-search-index", outcome: "unlocked" });
  await page.getByRole("button", { name: "Unlock…" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByText("inv-7f3a90c1").waitFor();
  await dialog.getByText("Its code may still be at work").waitFor();
  await dialog.getByLabel("Reason").fill("its machine is gone");
  await dialog.getByRole("button", { name: "Take the lock away" }).click();
  await page.getByText("rebuild-search-index is unlocked.").waitFor();
  expect(server.world.posts.at(-1)?.body).toEqual({ reason: "its machine is gone", owner: "inv-7f3a90c1" });
});

test("cancel says where a run cannot hear of it", async () => {
  const { page, server } = await open({ at: "#/jobs/rebuild-search-index" });
  const answer = { job: "rebuild-search-index", outcome: "cannot-hear", runId: "x", endsAt: "2026-03-28T20:02:00Z" };
  server.world.answers.set("jobs/rebuild-search-index/cancel", answer);
  await page.getByRole("button", { name: "Cancel run…" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Reason").fill("wrong catalog");
  await dialog.getByRole("button", { name: "Ask it to stop" }).click();
  await dialog.getByRole("alert").getByText("It ends by itself, at the latest at 2026-03-28 20:02:00 UTC.").waitFor();
});

test("cancel of a run that waits says that it is taken out of the queue", async () => {
  const job = "pay-commissions";
  const waiting = [{ runId: runOf(job, 1).runId, position: 1, since: instant(-1) }];
  const run = { ...runOf(job, 1), status: "WAITING", waiting: waiting[0], attempts: [], fencingToken: 0 };
  const { page, server } = await open({
    at: runHref(job, run.runId),
    jobs: [jobOf(job, 3, { waiting })],
    world: ({ answers }) => answers.set(`jobs/${job}/runs/${encodeURIComponent(run.runId)}`, run),
  });
  await page.getByText("1. in the queue").waitFor();
  // It gets one when it starts.
  expect(await page.getByText("Fencing token").count()).toBe(0);
  server.world.answers.set(`jobs/${job}/cancel`, { job, outcome: "withdrawn", runId: run.runId });
  await page.getByRole("button", { name: "Cancel…" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByText("It waits for its turn: it is taken out of the queue").waitFor();
  expect(await dialog.textContent()).not.toContain("heartbeat");
  await dialog.getByLabel("Reason").fill("not today");
  await dialog.getByRole("button", { name: "Take it out of the queue" }).click();
  await page.getByText("the run is out of the queue, and recorded as skipped").waitFor();
});

test("backfill of a young job begins when it was first seen", async () => {
  const job = jobOf("new-job", 3, { firstSeen: "2026-03-28T18:00:00.250Z" });
  const { page } = await open({ at: "#/jobs/new-job", jobs: [job] });
  await page.getByRole("button", { name: "Backfill…" }).click();
  expect(await page.getByLabel(/^From/).inputValue()).toBe("2026-03-28T18:00:01");
});

test("backfill shows first what would run, then does that, and tells how far it is", async () => {
  const run = {
    runId: "2026-03-28T12:15:00.000Z#default",
    schedule: "default",
    scheduledTime: "2026-03-28T12:15:00Z",
    was: "missing",
    manual: false,
  };
  const range = { from: "2026-03-28T00:00:00.000Z", to: "2026-03-28T18:00:00.000Z" };
  const plan = {
    job: "import-catalog",
    id: "bf1",
    ...range,
    occurrences: 9,
    changed: [],
    runs: [run],
    estimatedMs: 96_000,
    estimatedDollars: 0,
  };
  const { page, server } = await open({ at: "#/jobs/import-catalog" });
  server.world.answers.set("jobs/import-catalog/backfill/plan", plan);
  server.world.answers.set("jobs/import-catalog/backfill", { job: "import-catalog", id: "bf1", total: 1 });
  await page.getByRole("button", { name: "Backfill…" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel(/^From/).fill("2026-03-28T00:00");
  await dialog.getByLabel(/^To/).fill("2026-03-28T18:00");
  await dialog.getByRole("button", { name: "Show what would run" }).click();
  await dialog.getByText("2026-03-28 12:15:00 UTC").waitFor();
  await dialog.getByLabel(/^Reason/).fill("the outage");
  await dialog.getByRole("button", { name: "Run 1 occurrence" }).click();
  await page.getByText("import-catalog: 1 run on the way").waitFor();
  expect(server.world.posts).toEqual([
    { path: "jobs/import-catalog/backfill/plan", body: range },
    { path: "jobs/import-catalog/backfill", body: { ...range, id: "bf1", runs: [run.runId], reason: "the outage" } },
  ]);
  const begun = { job: "import-catalog", id: "bf1", by: "ada", startedAt: instant(0), total: 4 };
  const progress = { kind: "backfill" as const, ...begun, succeeded: 1, failed: 1 };
  server.emit(progress);
  await page.getByText("2 of 4 runs, 1 failed").waitFor();
  server.world.answers.set("backfills/bf1/stop", progress);
  await page.getByRole("button", { name: "Stop", exact: true }).click();
  await expect.poll(() => server.world.posts.at(-1)?.path).toBe("backfills/bf1/stop");
  server.emit({ ...progress, outcome: "stopped" });
  await page.getByText("Backfill of import-catalog stopped, since too many failed").waitFor();
  await page.getByText("2 of 4 runs").waitFor({ state: "detached" });
});

describe("a dead letter", () => {
  const letter = {
    id: "l1",
    at: instant(-60),
    from: "function",
    condition: "RetriesExhausted",
    job: "pay-commissions",
    runId: "r",
    payload: { day: 1 },
  };
  const openLetter = () =>
    open({ at: "#/dead-letters", world: (world) => world.answers.set("dead-letters", [letter]) });

  test("is sent again, and is gone", async () => {
    const { page, server } = await openLetter();
    const sent = { id: "l1", job: "pay-commissions", runId: "r", outcome: "sent" };
    server.world.answers.set("dead-letters/resend", [sent]);
    await page.getByRole("button", { name: "Send again…" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Send again" }).click();
    await page.getByText("1 event sent again.").waitFor();
    await page.getByText("No dead letters").waitFor();
    expect(server.world.posts).toEqual([{ path: "dead-letters/resend", body: { id: "l1" } }]);
  });

  test("stays where it could not be sent", async () => {
    const { page, server } = await openLetter();
    server.world.answers.set("dead-letters/resend", [{ id: "l1", outcome: "failed", message: "its job is gone" }]);
    await page.getByRole("button", { name: "Send again…" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Send again" }).click();
    await page.getByRole("alert").getByText("1 letter stayed. l1: its job is gone").waitFor();
    await page.getByRole("button", { name: "Not now" }).click();
    await page.getByRole("link", { name: "pay-commissions" }).waitFor();
  });

  test("is discarded with a reason alone, and is gone", async () => {
    const { page, server } = await openLetter();
    server.world.answers.set("dead-letters/discard", { id: "l1", job: "pay-commissions" });
    await page.getByRole("button", { name: "Discard…" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByText("The event of pay-commissions, for run r.").waitFor();
    await dialog.getByText("cannot be brought back").waitFor();
    await dialog.getByRole("button", { name: "Discard for good" }).click();
    expect(server.world.posts).toEqual([]);
    await dialog.getByLabel("Reason").fill("paid by hand");
    await dialog.getByRole("button", { name: "Discard for good" }).click();
    await page.getByText("The letter l1 is removed, not sent.").waitFor();
    await page.getByText("No dead letters").waitFor();
    expect(server.world.posts).toEqual([{ path: "dead-letters/discard", body: { id: "l1", reason: "paid by hand" } }]);
  });
});
