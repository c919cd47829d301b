import { type ChildProcess, spawn } from "node:child_process";
import { setImmediate as nextTurn } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import type { FunctionDefinition } from "./definitions.ts";
import { exitWords, saysOutOfHeap } from "./exit-words.ts";
import { signalGroup } from "./keeper.ts";
import { LineSplitter } from "./line-splitter.ts";

export interface SandboxProcessOptions {
  readonly environment: Record<string, string>;
  /** How far its clock is to be ahead of the machine's. */
  readonly clockAheadMs: number;
  onLines(lines: string[]): void;
}

const bootstrap = fileURLToPath(new URL("./bootstrap.mjs", import.meta.url));

/** The child process of a sandbox. Signals reach what it has started, too. */
export class SandboxProcess {
  readonly child: ChildProcess;
  /** Settles when it has ended, and all that it printed is told: with how, in Lambda's words. */
  readonly ended: Promise<string>;
  readonly #outputs: LineSplitter[] = [];
  #ranOutOfHeap = false;

  /** @throws where the machine starts no process */
  constructor({ memoryMb, assetDir }: FunctionDefinition, options: SandboxProcessOptions) {
    const { environment, clockAheadMs, onLines } = options;
    // A group of its own: Ctrl-C does not reach it, and signals reach what it has started.
    this.child = spawn(process.execPath, [`--max-old-space-size=${memoryMb}`, bootstrap, String(clockAheadMs)], {
      cwd: assetDir,
      env: environment,
      stdio: ["ignore", "pipe", "pipe"],
      detached: true,
    });
    for (const stream of [this.child.stdout, this.child.stderr]) {
      const output = new LineSplitter((lines) => {
        this.#ranOutOfHeap ||= lines.some(saysOutOfHeap);
        onLines(lines);
      });
      stream?.setEncoding("utf8").on("data", (text: string) => output.push(text));
      stream?.on("end", () => output.end());
      this.#outputs.push(output);
    }
    this.ended = this.#end();
  }

  freeze(): void {
    signalGroup(this.child, "SIGSTOP");
  }

  thaw(): void {
    signalGroup(this.child, "SIGCONT");
  }

  kill(): void {
    signalGroup(this.child, "SIGKILL");
  }

  /** Waits until what it printed before is told, a line that has no end yet, too. */
  async flush(): Promise<void> {
    // It is in its pipe already, to be read in this turn of the event loop.
    await nextTurn();
    for (const output of this.#outputs) output.end();
  }

  #end(): Promise<string> {
    return new Promise((resolve) => {
      this.child.once("error", (error) => resolve(`it could not be started: ${error.message}`));
      this.child.once("exit", (code, signal) => {
        // What it has started would otherwise live on.
        this.kill();
        // What it printed last is in its pipe already, to be read in this turn of the event loop.
        void nextTurn().then(() => resolve(exitWords(code, signal, this.#ranOutOfHeap)));
      });
    });
  }
}
