import { type ChildProcess, fork } from "node:child_process";
import { createRequire } from "node:module";
import { extname } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { inheritedConditions } from "./conditions.ts";
import { advice, IMPORTING, type Reading, type ReadRequest } from "./job-reading.ts";

/** All that a job file sees of this process's environment: no credential, token or setting of the shell gets in. */
const inheritedVariables = ["PATH", "HOME", "TMPDIR", "LANG", "NODE_OPTIONS"];

// Not import.meta.resolve: where the app is CommonJS, tsx makes this file CommonJS, too, and leaves only the URL.
const tsx = pathToFileURL(createRequire(import.meta.url).resolve("tsx")).href;

const script = fileURLToPath(new URL(`./job-reader-child${extname(import.meta.url)}`, import.meta.url));

/**
 * Reads job files by importing each in a child process, so that what a file does on import can neither stop the
 * synthesis nor change it. One child serves all files; one that ends or hangs is replaced for the next file.
 */
export class JobReader {
  readonly #timeLimitMs: number;
  #child: ChildProcess | undefined;

  constructor(timeLimitMs: number) {
    this.#timeLimitMs = timeLimitMs;
  }

  /**
   * Reads one file. One at a time: whatever the child does meanwhile is put down to this file, but for the time that the
   * child itself takes to start.
   */
  read(path: string, jobName: string): Promise<Reading> {
    this.#child ??= startChild();
    const child = this.#child;
    return new Promise((resolve) => {
      let timer: NodeJS.Timeout | undefined;
      const settle = (reading: Reading) => {
        clearTimeout(timer);
        child.removeAllListeners();
        resolve(reading);
      };
      const giveUp = (problem: string) => {
        this.close();
        settle({ problem });
      };
      const tooLong = `its import did not finish within ${this.#timeLimitMs / 1000} seconds. ${advice} If the machine is only busy, give loadJobs more time (timeLimitMs).`;
      child.on("message", (message) => {
        if (message === IMPORTING) timer = setTimeout(() => giveUp(tooLong), this.#timeLimitMs);
        else settle(message as Reading);
      });
      child.once("exit", (code, signal) =>
        giveUp(`it ended the process on import (${signal ?? `exit code ${code}`}). ${advice}`),
      );
      child.send({ path, jobName } satisfies ReadRequest);
    });
  }

  close(): void {
    this.#child?.kill("SIGKILL");
    this.#child = undefined;
  }
}

function startChild(): ChildProcess {
  const environment = Object.fromEntries(inheritedVariables.map((name) => [name, process.env[name]]));
  return fork(script, {
    execArgv: ["--import", tsx, ...inheritedConditions().map((condition) => `--conditions=${condition}`)],
    env: {
      ...environment,
      ESCAPEMENT_SYNTH: "1",
      // The AWS SDK would otherwise find credentials in the home directory and in the machine's metadata.
      AWS_SHARED_CREDENTIALS_FILE: "/dev/null",
      AWS_CONFIG_FILE: "/dev/null",
      AWS_EC2_METADATA_DISABLED: "true",
      // On Node 20 the SDK warns of its end, for each file anew.
      AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED: "true",
    },
    // Standard output is the synthesis's own: what a job file prints goes where it disturbs nobody.
    stdio: ["ignore", 2, 2, "ipc"],
  });
}
