import { type ChildProcess, spawn } from "node:child_process";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { checkDocument } from "../schemas/validate.ts";

export const root = join(import.meta.dirname, "../..");

export interface Finished {
  code: number | null;
  stdout: string;
  stderr: string;
}

/**
 * Runs the command line as a user does, in a process of its own. Its output is a pipe, not a terminal.
 *
 * @throws Error where a `--json` document is not as its command's schema says
 */
export async function escapement(
  args: string[],
  options: {
    env?: Record<string, string>;
    stdin?: string;
    cwd?: string;
    meanwhile?: (child: ChildProcess) => Promise<void>;
  } = {},
): Promise<Finished> {
  const child = spawn(
    process.execPath,
    ["--import", import.meta.resolve("tsx"), join(root, "bin/escapement.ts"), ...args],
    { cwd: options.cwd ?? root, env: { PATH: process.env["PATH"], HOME: process.env["HOME"], ...options.env } },
  );
  child.stdin.end(options.stdin ?? "");
  const exited = new Promise<number | null>((resolve) => child.once("close", resolve));
  const [code, stdout, stderr] = await Promise.all([
    exited,
    text(child.stdout),
    text(child.stderr),
    options.meanwhile?.(child),
  ]);
  const [command = ""] = args;
  if (args.includes("--json") && stdout !== "") checkDocument(command, stdout);
  return { code, stdout, stderr };
}
