import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { onTestFinished, vi } from "vitest";
import { tempFolder } from "./temp-folder.ts";

/** Makes a folder with these files the current one, and its user a new one, until the test ends. */
export function inFolder(files: Readonly<Record<string, string>>): string {
  const dir = tempFolder();
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(join(dir, path, ".."), { recursive: true });
    writeFileSync(join(dir, path), text);
  }
  const before = process.cwd();
  process.chdir(dir);
  vi.stubEnv("HOME", join(dir, "home"));
  onTestFinished(() => {
    process.chdir(before);
    vi.unstubAllEnvs();
  });
  return dir;
}
