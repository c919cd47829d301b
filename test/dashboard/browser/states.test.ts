import { describe, expect, test } from "vitest";
import { instant, jobOf, runOf } from "./fake/jobs.ts";
import { open, useBrowser } from "./open.ts";

useBrowser();

test("while the fleet is read there is a skeleton, which is named for those who do not see it", async () => {
  let letGo = () => {};
  const held = new Promise<void>((resolve) => {
    letGo = resolve;
  });
  const { page } = await open({ world: (world) => world.held.set("jobs", held) });
  await page.getByRole("status", { name: "Loading" }).waitFor();
  letGo();
  await page.getByRole("link", { name: "archive-orders" }).waitFor();
});

test("an empty fleet says what a job is, and how the first one is made", async () => {
  const { page } = await open({ jobs: [] });
  await page.getByRole("heading", { name: "No jobs yet" }).waitFor();
  expect(await page.locator("main").textContent()).toContain("npx escapement new nightly-report");
});

test("a fault of the server is told in its words, and the page goes on by itself once it is over", async () => {
  const message = "the table cannot be reached: connect ECONNREFUSED 127.0.0.1:8000";
  const { page, server } = await open({ world: (world) => world.failing.set("jobs", { status: 500, message }) });
  await page.getByRole("alert").getByText(message).waitFor();
  server.world.failing.clear();
  await page.getByRole("link", { name: "archive-orders" }).waitFor();
});

test("who is not signed in is told so, with what to do", async () => {
  const message = "sign in with the link that the command line printed";
  const { page } = await open({ world: (world) => world.failing.set("", { status: 401, message }) });
  const banner = page.getByRole("alert").filter({ hasText: "This page is signed out" });
  await banner.waitFor();
  // Nothing of the server's words, which say the same to programs.
  expect(await banner.textContent()).toBe(
    "This page is signed out. Open the address that the runner or the command printed last.",
  );
});

test("a job and a page that are not there say so", async () => {
  const { page } = await open({ at: "#/jobs/nightly" });
  await page.getByRole("alert").getByText("there is no job nightly").waitFor();
  await page.goto(new URL("#/nowhere", page.url()).href);
  await page.getByRole("heading", { name: "There is no such page" }).waitFor();
});

test("nothing that is empty is left blank", async () => {
  const { page } = await open({ at: "#/workers" });
  await page.getByRole("heading", { name: "Nobody is at work" }).waitFor();
  await page.getByRole("link", { name: "Dead letters" }).click();
  await page.getByRole("heading", { name: "No dead letters" }).waitFor();
});

test("the doctor tells what is wrong first, and what to do", async () => {
  const { page } = await open({ at: "#/doctor" });
  await page.getByText("2 findings of 5 checks to look at.").waitFor();
  const [first = ""] = await page.locator(".finding").allInnerTexts();
  expect(first).toContain("A newer version has written it: update this one.");
});

test("the colours are the system's until somebody says otherwise, and stay so", async () => {
  const { page } = await open({ colorScheme: "dark" });
  const ground = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  await page.getByRole("link", { name: "archive-orders" }).waitFor();
  expect(await ground()).toBe("rgb(14, 19, 26)");
  await page.getByRole("button", { name: "Colours: as the system's" }).click();
  expect(await ground()).toBe("rgb(245, 246, 248)");
  await page.reload();
  await page.getByRole("button", { name: "Colours: light" }).waitFor();
  expect(await ground()).toBe("rgb(245, 246, 248)");
});

test("where everything that changes something is refused no button offers it", async () => {
  const { page } = await open({ world: (world) => Object.assign(world.target, { readOnly: true }) });
  await page.getByText("read only").waitFor();
  expect(await page.locator("main tbody button").count()).toBe(0);
  await page.getByRole("link", { name: "import-catalog" }).click();
  await page.getByRole("heading", { name: "import-catalog" }).waitFor();
  expect(await page.getByRole("button", { name: /…$/ }).count()).toBe(0);
});

describe("what cannot be read", () => {
  const JOB = "sync-exchange-rates";
  const failure = { status: 500, message: "the table did not answer in time" } as const;
  const paused = { by: "ada", reason: "the bank is down", at: instant(0) };
  const PAUSED = { kind: "job", job: jobOf(JOB, 3, { state: "paused", paused }) } as const;
  const RESUMED = { kind: "job", job: jobOf(JOB, 3) } as const;
  const old = "could not be read again";

  test("again stays as it was, is said to be old, and is read with the next event of the job", async () => {
    const { page, server } = await open({ at: `#/jobs/${JOB}` });
    await page.getByRole("heading", { name: JOB }).waitFor();
    server.world.failing.set(`jobs/${JOB}`, failure);
    server.emit(PAUSED);
    await page.getByText(old).first().waitFor();
    await page.getByText(failure.message).first().waitFor();
    await page.getByRole("heading", { name: JOB }).waitFor();
    // What the event itself tells is there.
    await page.getByRole("button", { name: "Resume…" }).waitFor();

    server.world.failing.clear();
    server.emit(RESUMED);
    await page.getByRole("button", { name: "Pause…" }).waitFor();
    await page.getByText(old).first().waitFor({ state: "detached" });
  });

  test("at first is read with the next event of the job", async () => {
    const { page, server } = await open({
      at: `#/jobs/${JOB}`,
      world: ({ failing }) => failing.set(`jobs/${JOB}`, failure),
    });
    await page.getByRole("alert").getByText(failure.message).waitFor();
    await page.getByText("Live", { exact: true }).waitFor();
    server.world.failing.clear();
    server.emit({ kind: "run", run: runOf(JOB, 0) });
    await page.getByRole("heading", { name: JOB }).waitFor();
  });

  test.each(["#/timeline", "#/workers", "#/dead-letters", "#/doctor", `#/jobs/${JOB}/runs/x`])(
    "at first is read when the connection is back: %s",
    async (at) => {
      const parts = ["timeline", "workers", "dead-letters", "doctor", `jobs/${JOB}`];
      const { page, server } = await open({
        at,
        world: ({ failing }) => {
          for (const part of parts) failing.set(part, failure);
        },
      });
      await page.getByRole("alert").getByText(failure.message).waitFor();
      await page.getByText("Live", { exact: true }).waitFor();
      await server.goAway();
      await page.getByText("Connection lost", { exact: true }).waitFor();
      server.world.failing.clear();
      await server.comeBack();
      await page.getByText(failure.message).waitFor({ state: "detached" });
    },
  );

  test("of the workers is what the next event of them tells", async () => {
    const { page, server } = await open({ at: "#/workers", world: ({ failing }) => failing.set("workers", failure) });
    await page.getByRole("alert").getByText(failure.message).waitFor();
    await page.getByText("Live", { exact: true }).waitFor();
    server.emit({ kind: "workers", workers: [{ id: "sandbox-1", functionName: "rates", state: "idle" }] });
    await page.getByText("sandbox-1").waitFor();
  });

  test("again of the doctor leaves the findings, and trying again takes the note away", async () => {
    const { page, server } = await open({ at: "#/doctor" });
    await page.getByText("2 findings of 5 checks to look at.").waitFor();
    server.world.failing.set("doctor", failure);
    await page.getByRole("button", { name: "Check again" }).click();
    await page.getByText(old).waitFor();
    expect(await page.locator(".finding").count()).toBe(5);
    server.world.failing.clear();
    await page.getByRole("button", { name: "Try again" }).click();
    await page.getByText(old).waitFor({ state: "detached" });
  });
});
