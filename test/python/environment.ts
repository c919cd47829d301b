import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/**
 * A Python environment of its own, made at the first time, with what a requirements file lists. Where that cannot be,
 * says why.
 * @returns the path of its Python
 */
export function pythonEnvironment(requirements: string): { readonly python: string } | { readonly missing: string } {
  const version = createHash("sha256").update(readFileSync(requirements)).digest("hex").slice(0, 12);
  const folder = join(import.meta.dirname, "../../node_modules/.cache/python", version);
  const python = join(folder, "bin/python");
  const isComplete = join(folder, "complete");
  if (existsSync(isComplete)) return { python };
  if (spawnSync("python3", ["--version"]).status !== 0) return { missing: "there is no python3" };
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  if (spawnSync("python3", ["-m", "venv", folder]).status !== 0) {
    return { missing: "python3 cannot make an environment (python3-venv)" };
  }
  const install = ["-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--requirement", requirements];
  if (spawnSync(python, install, { stdio: ["ignore", "ignore", "inherit"] }).status !== 0) {
    return { missing: "what it needs cannot be had from PyPI" };
  }
  writeFileSync(isComplete, "");
  return { python };
}
