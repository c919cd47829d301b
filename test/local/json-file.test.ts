import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { expect, test } from "vitest";
import { readJson } from "../../lib/local/json-file.ts";
import { tempFolder } from "./temp-folder.ts";

// What every file of the runner's folder is written by: queue, dead letters, schedules, runner.json.
test("kill -9 in the midst of writes leaves the value of one of them, whole", async () => {
  const file = join(tempFolder(), "value.json");
  for (const writes of [1, 2, 7]) {
    const writer = join(import.meta.dirname, "json-writer.ts");
    const child = spawn(process.execPath, ["--import", "tsx", writer, file], { stdio: ["ignore", "pipe", "inherit"] });
    const lines = createInterface({ input: child.stdout });
    for (let left = writes; left > 0; left -= 1) await once(lines, "line");
    child.kill("SIGKILL");
    await once(child, "exit");
    const { text } = readJson(file) as { text: string };
    expect([500_000, 5]).toContain(text.length);
  }
});
