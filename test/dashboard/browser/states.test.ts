import { expect, test } from "vitest";
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
