import { readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";

/** Writes the file whole or not at all: a reader, or a start after `kill -9`, sees the old text or the new one. */
export function writeJson(path: string, value: unknown, mode = 0o600): void {
  const draft = `${path}.${process.pid}.draft`;
  try {
    writeFileSync(draft, `${JSON.stringify(value, null, 2)}\n`, { mode });
    renameSync(draft, path);
  } catch (error) {
    rmSync(draft, { force: true });
    throw error;
  }
}

/** The file's value, or undefined where there is no such file. Throws on a file that holds no JSON. */
export function readJson(path: string): unknown {
  try {
    return JSON.parse(readFileSync(path, "utf8"));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
}

export function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** @throws Error that names the first field that is not right */
export function requireFields(right: Readonly<Record<string, boolean>>): void {
  for (const [field, isRight] of Object.entries(right)) {
    if (!isRight) throw new Error(`${field} is missing or wrong`);
  }
}
