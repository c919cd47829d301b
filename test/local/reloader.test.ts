import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { Keeper } from "../../lib/local/keeper.ts";
import { Reloader } from "../../lib/local/reloader.ts";
import { inFolder } from "./in-folder.ts";

/** Is slow, and fails. While it is at work for the first time a file goes, as in a job that is renamed. */
const app = `
  const { existsSync, rmSync } = require("node:fs");
  const isThere = existsSync("functions/old.ts");
  rmSync("functions/old.ts", { force: true });
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 2_000);
  console.error(isThere ? "old.ts has gone meanwhile" : "what is there now is wrong");
  process.exit(1);`;

/** Ends only once it has been put right. */
const endless = `
  const { readFileSync } = require("node:fs");
  if (readFileSync("functions/nightly.ts", "utf8") === "right") throw new Error("has ended");
  require("node:fs").writeFileSync("state/began", "");
  setInterval(() => {}, 1_000);`;

test("an app that does not end is ended by the next change, which is taken up", async () => {
  const stateDir = join(inFolder({ ...project(endless), "functions/nightly.ts": "", "state/kept": "" }), "state");
  const said = reloading(stateDir);
  await vi.waitFor(
    () => {
      // Again, until the watcher has begun to watch and the app is at work.
      if (!existsSync("state/began")) writeFileSync("functions/nightly.ts", "wrong");
      expect(existsSync("state/began")).toBe(true);
    },
    { timeout: 20_000, interval: 1_000 },
  );
  writeFileSync("functions/nightly.ts", "right");
  await vi.waitFor(() => expect(said).not.toEqual([]), 20_000);
  expect(said).toEqual([expect.stringMatching(/^Not reloaded, .*has ended$/s)]);
});

test("an error of a synthesis that a further change has overtaken is not said, that of the last one is", async () => {
  const stateDir = join(inFolder({ ...project(app), "functions/old.ts": "", "state/kept": "" }), "state");
  const said = reloading(stateDir);
  await vi.waitFor(
    () => {
      // Again, until the watcher has begun to watch and the app is at work.
      if (existsSync("functions/old.ts")) writeFileSync("functions/new.ts", "");
      expect(said).not.toEqual([]);
    },
    { timeout: 60_000, interval: 1_000 },
  );
  expect(said).toEqual([expect.stringMatching(/^Not reloaded, .*\nwhat is there now is wrong$/)]);
});

const project = (text: string) => ({ "app.cjs": text, "cdk.json": '{"app":"node app.cjs"}' });

/** What a reloader says of the current folder, from now on. */
function reloading(stateDir: string): string[] {
  const keeper = new Keeper();
  onTestFinished(() => keeper.close());
  const said: string[] = [];
  const reloader = new Reloader({
    stateDir,
    keeper,
    tell: (event) => said.push(event.kind === "warning" ? event.message : event.kind),
    use: async () => {},
    isInUse: () => false,
  });
  onTestFinished(() => reloader.stop());
  return said;
}
