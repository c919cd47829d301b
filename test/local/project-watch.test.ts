import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { watchProject } from "../../lib/local/project-watch.ts";
import { inFolder } from "./in-folder.ts";

test("a folder whose name begins as the state folder's is watched", async () => {
  const dir = inFolder({ "functions/nightly.ts": "", "fun/runner.json": "" });
  const changed = vi.fn();
  onTestFinished(watchProject(join(dir, "fun"), changed));
  await vi.waitFor(
    () => {
      // Again, until the watcher has begun to watch.
      writeFileSync("functions/nightly.ts", "changed");
      expect(changed).toHaveBeenCalled();
    },
    { timeout: 20_000, interval: 500 },
  );
});
