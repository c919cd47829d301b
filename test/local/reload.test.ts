import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { escapement, root } from "../cli/escapement.ts";

const SLOW = 240_000;

const app = `
  import { App } from "aws-cdk-lib";
  import { exitWithError, loadJobs, ScheduledFunctionsStack } from "escapement/infra";
  try {
    new ScheduledFunctionsStack(new App(), "Shop-dev", { stage: "dev", jobs: await loadJobs("functions") });
  } catch (error) {
    exitWithError(error);
  }`;

/** Says which text it was made of, and waits for as long as its input says. */
const job = (text: string, schedule = "0 0 1 1 ? *") => `
  import { cron, scheduled } from "escapement";
  import { word } from "./lib/word.ts";
  export const handler = scheduled({ schedule: cron("${schedule}"), timeout: "1 minute" }, async (run) => {
    await new Promise((resolve) => setTimeout(resolve, run.input?.ms ?? 0));
    console.log("said: ${text} " + word);
  });`;

/** A project in this repository's tree, so that its packages are found, with a runner at work on it. */
async function devOn(files: Record<string, string>) {
  mkdirSync(join(root, "cdk.out"), { recursive: true });
  const project = mkdtempSync(join(root, "cdk.out", "reload-"));
  const write = (path: string, text: string) => {
    mkdirSync(join(project, path, ".."), { recursive: true });
    writeFileSync(join(project, path), text);
  };
  write("cdk.json", JSON.stringify({ app: "npx tsx --conditions=escapement-source app.ts" }));
  write("app.ts", app);
  for (const [path, text] of Object.entries(files)) write(path, text);
  const stateDir = join(project, ".escapement");
  const child = spawn(
    process.execPath,
    ["--import", import.meta.resolve("tsx"), join(root, "bin/escapement.ts"), "dev", "--state-dir", stateDir],
    { cwd: project, stdio: ["ignore", "pipe", "inherit"] },
  );
  let printed = "";
  child.stdout.setEncoding("utf8").on("data", (text) => {
    printed += text;
  });
  onTestFinished(async () => {
    const exited = new Promise((resolve) => child.once("exit", resolve));
    child.kill("SIGKILL");
    await exited;
    await vi.waitFor(() => rmSync(project, { recursive: true, force: true }), 10_000);
  });
  const prints = (text: string) => vi.waitFor(() => expect(printed).toContain(text), { timeout: SLOW, interval: 50 });
  const run = (...args: string[]) => escapement([...args, "--state-dir", stateDir]);
  await prints("Ctrl-C stops.");
  return { write, remove: (path: string) => rmSync(join(project, path)), prints, run, printed: () => printed };
}

test("LD-07: a change of the project is taken over while the runner works, and an error in one is not", {
  timeout: 8 * SLOW,
}, async () => {
  const { write, remove, prints, run, printed } = await devOn({
    "functions/nightly.ts": job("old"),
    "functions/lib/word.ts": 'export const word = "hello";',
  });

  // A file that the bundle imports; the run under way ends on the old code.
  const running = run("trigger", "nightly", "--input", '{"ms": 15000}', "--wait");
  await prints("nightly started");
  write("functions/lib/word.ts", 'export const word = "goodbye";');
  const savedMs = performance.now();
  await prints("Reloaded: changed nightly");
  console.log(`from save to swapped: ${Math.round(performance.now() - savedMs)} ms`);
  await running;
  await prints("said: old hello");
  await run("trigger", "nightly", "--wait");
  await prints("said: old goodbye");

  // An error leaves the last good one running, and is said with file and line.
  write("functions/nightly.ts", `${job("broken")} }}`);
  await prints("Not reloaded, what ran before goes on");
  expect(printed()).toMatch(/functions\/nightly\.ts/);
  await run("trigger", "nightly", "--wait");
  expect(printed().match(/said: old goodbye/g)).toHaveLength(2);

  // A schedule, and a new job.
  write("functions/nightly.ts", job("new", "0 0 2 2 ? *"));
  write("functions/hourly.ts", job("hourly"));
  await prints("; new hourly");
  expect((await run("next", "nightly", "--json")).stdout).toContain("-02-02T00:00:00Z");
  await run("trigger", "hourly", "--wait");
  await prints("said: hourly goodbye");

  remove("functions/hourly.ts");
  await prints("; removed hourly");
  // What it did is still to be seen; nothing of it is to come.
  expect((await run("list")).stdout).toMatch(/^hourly .* none +removed +SUCCEEDED /m);
});
