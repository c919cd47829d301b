import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";

/** The second emulator: independent of ours, in another language. Held at one version, whose differences are known. */
const MOTO = "moto[server,dynamodb]==5.2.5";
const folder = join(import.meta.dirname, "../../node_modules/.cache/moto");
const python = join(folder, "bin/python");

export interface Moto {
  readonly endpoint: string;
  stop(): void;
}

/** Starts moto in a Python environment of its own, made at the first time. Where that cannot be, says why. */
export async function startMoto(): Promise<Moto | { readonly missing: string }> {
  const missing = install();
  if (missing !== undefined) return { missing };
  const server = spawn(python, ["-m", "moto.server", "-H", "127.0.0.1", "-p", "0"], {
    stdio: ["ignore", "pipe", "pipe"],
  });
  const endpoint = await addressOf(server);
  if (endpoint === undefined) return { missing: "moto did not start" };
  return { endpoint, stop: () => void server.kill() };
}

function install(): string | undefined {
  if (spawnSync("python3", ["--version"]).status !== 0) return "there is no python3";
  if (!existsSync(python) && spawnSync("python3", ["-m", "venv", folder]).status !== 0) {
    return "python3 cannot make an environment (python3-venv)";
  }
  const isThere = spawnSync(python, ["-m", "moto.server", "--help"]).status === 0;
  if (isThere) return undefined;
  const { status } = spawnSync(python, ["-m", "pip", "install", "--quiet", MOTO]);
  return status === 0 ? undefined : "PyPI cannot be reached";
}

/** The server prints its address, on one of its two outputs. */
function addressOf(server: ChildProcess): Promise<string | undefined> {
  return new Promise((resolve) => {
    for (const output of [server.stdout, server.stderr]) {
      createInterface({ input: output as NonNullable<typeof output> }).on("line", (line) => {
        const [address] = /http:\/\/127\.0\.0\.1:\d+/.exec(line) ?? [];
        if (address !== undefined) resolve(address);
      });
    }
    server.once("close", () => resolve(undefined));
  });
}
