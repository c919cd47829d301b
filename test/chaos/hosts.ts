import { type ChildProcess, spawn } from "node:child_process";
import { closeSync, openSync } from "node:fs";
import type { HostEnvironment } from "./environment.ts";
import type { Answer } from "./history.ts";
import type { Invocation } from "./host.ts";

export interface HostOptions {
  readonly id: number;
  /** The bundle of `host.ts`. */
  readonly file: string;
  /** What it prints is appended to it. */
  readonly logFile: string;
  readonly endpoint: string;
  readonly environment: HostEnvironment;
}

/** One host's process. */
export class Host {
  readonly id: number;
  readonly ready: Promise<unknown>;
  readonly #child: ChildProcess;
  #answer: (answer: Answer) => void = () => {};

  constructor({ id, file, logFile, endpoint, environment }: HostOptions) {
    this.id = id;
    const log = openSync(logFile, "a");
    this.#child = spawn(process.execPath, [file], {
      stdio: ["ignore", log, log, "ipc"],
      env: {
        CHAOS_HOST: JSON.stringify(environment),
        ESCAPEMENT_JOB: environment.job,
        ESCAPEMENT_FLEET: FLEET,
        ESCAPEMENT_TABLE: TABLE,
        AWS_ENDPOINT_URL_DYNAMODB: endpoint,
        AWS_ENDPOINT_URL_LAMBDA: endpoint,
        AWS_LAMBDA_FUNCTION_NAME: environment.job,
        AWS_REGION: "eu-central-1",
        AWS_ACCESS_KEY_ID: "chaos",
        AWS_SECRET_ACCESS_KEY: "chaos",
        AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED: "true",
      },
    });
    closeSync(log);
    this.ready = new Promise((resolve, reject) => {
      this.#child.once("message", resolve);
      // A host that is killed early has died like any other; one that ends by itself cannot run its job.
      this.#child.once("exit", (code) =>
        code === null ? resolve(code) : reject(new Error(`no host: see ${logFile}`)),
      );
    });
    this.#child.on("message", (answer: Answer | "ready") => {
      if (answer !== "ready") this.#answer(answer);
    });
    this.#child.once("exit", () => this.#answer({ outcome: "died" }));
  }

  get isAlive(): boolean {
    return this.#child.exitCode === null && this.#child.signalCode === null;
  }

  /** Settles with the handler's answer, or when the process has died. */
  invoke(invocation: Invocation): Promise<Answer> {
    return new Promise((resolve) => {
      this.#answer = resolve;
      // Where it cannot be told, it has died or is about to.
      if (this.isAlive) this.#child.send(invocation, () => {});
      else resolve({ outcome: "died" });
    });
  }

  kill(): void {
    this.#child.kill("SIGKILL");
  }
}

export const FLEET = "chaos";
export const TABLE = "escapement";
