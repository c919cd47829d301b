import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";

const root = join(import.meta.dirname, "../../..");

export interface RealRunner {
  /** What signs a browser in. */
  readonly link: string;
  /** What signs a program in. */
  readonly token: string;
  stop(): Promise<void>;
}

/** A folder for runners of one test file, or several one after the other. */
export function newStateDir(): string {
  return mkdtempSync(join(tmpdir(), "escapement-test-"));
}

export function removeStateDir(stateDir: string): void {
  rmSync(stateDir, { recursive: true, force: true });
}

/** Runs the example jobs by `escapement dev`, in a process of its own, as `npm start` does. */
export async function startRealRunner(stateDir: string, ...args: string[]): Promise<RealRunner> {
  const dev = ["bin/escapement.ts", "dev", "--state-dir", stateDir, ...args];
  const child = spawn(process.execPath, ["--import", "tsx", "--conditions=escapement-source", ...dev], {
    cwd: root,
    stdio: ["ignore", "pipe", "inherit"],
  });
  const exited = once(child, "exit");
  const stop = async () => {
    child.kill("SIGKILL");
    await exited;
  };
  const lines = createInterface({ input: child.stdout });
  return new Promise((resolve, reject) => {
    lines.on("line", (line) => {
      const [link, token = ""] = /http:\/\/127\.0\.0\.1:\d+\/\?token=(\S+)/.exec(line) ?? [];
      if (link !== undefined) resolve({ link, token, stop });
    });
    lines.once("close", () => reject(new Error("The runner has ended before it said where its dashboard is.")));
  });
}
