import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";

/** A new folder, gone when the test ends. */
export function tempFolder(): string {
  const dir = realpathSync(mkdtempSync(join(tmpdir(), "escapement-test-")));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  return dir;
}
