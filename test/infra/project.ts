import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const root = join(import.meta.dirname, "../..");

/** A user's project in a folder of its own, with this package installed and the given files in `functions/`. */
export function createProject(files: Readonly<Record<string, string>>) {
  const directory = mkdtempSync(join(tmpdir(), "escapement-project-"));
  const functions = join(directory, "functions");
  mkdirSync(functions);
  mkdirSync(join(directory, "node_modules"));
  symlinkSync(root, join(directory, "node_modules", "escapement"));
  writeFileSync(join(directory, "package.json"), '{ "type": "module" }');
  for (const [name, source] of Object.entries(files)) writeFileSync(join(functions, name), source);
  return { directory, functions, remove: () => rmSync(directory, { recursive: true, force: true }) };
}
