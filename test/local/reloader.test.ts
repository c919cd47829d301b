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

test("an error of a synthesis that a further change has overtaken is not said, that of the last one is", async () => {
  const files = { "app.cjs": app, "cdk.json": '{"app":"node app.cjs"}', "functions/old.ts": "" };
  const stateDir = join(inFolder({ ...files, "state/kept": "" }), "state");
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
