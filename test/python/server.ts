import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createWriteStream } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { pythonEnvironment } from "./environment.ts";

export interface PythonServer {
  readonly endpoint: string;
  stop(): Promise<void>;
}

interface PythonServerProps {
  /** Names its log in `node_modules/.cache`. */
  readonly name: string;
  /** The file that lists what it needs. */
  readonly requirements: string;
  readonly args: readonly string[];
  readonly env?: NodeJS.ProcessEnv;
}

/**
 * Starts a server on this machine, which prints its address when it is ready. Where Python or PyPI is missing, says so.
 * @throws Error when it is installed and does not start
 */
export async function startPythonServer(
  props: PythonServerProps,
): Promise<PythonServer | { readonly missing: string }> {
  const environment = pythonEnvironment(props.requirements);
  if ("missing" in environment) return environment;
  const server = spawn(environment.python, props.args, { env: props.env ?? process.env });
  const log = join(import.meta.dirname, "../../node_modules/.cache", `${props.name}.log`);
  const endpoint = await addressOf(server, log);
  if (endpoint === undefined) throw new Error(`${props.name} did not start. ${log} says why.`);
  return {
    endpoint,
    async stop() {
      if (server.exitCode !== null || server.signalCode !== null) return;
      const exit = once(server, "exit");
      server.kill();
      await exit;
    },
  };
}

/** Undefined when it ends without having printed one. */
function addressOf(server: ChildProcess, logFile: string): Promise<string | undefined> {
  const log = createWriteStream(logFile);
  return new Promise((resolve) => {
    for (const output of [server.stdout, server.stderr]) {
      createInterface({ input: output as NonNullable<typeof output> }).on("line", (line) => {
        log.write(`${line}\n`);
        const [address] = /http:\/\/127\.0\.0\.1:\d+/.exec(line) ?? [];
        if (address !== undefined) resolve(address);
      });
    }
    server.once("close", () => resolve(undefined));
  });
}
