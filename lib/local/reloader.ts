import { readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { readAssembly } from "./assembly.ts";
import type { Assembly } from "./definitions.ts";
import type { Tell } from "./events.ts";
import type { Keeper } from "./keeper.ts";
import { watchProject } from "./project-watch.ts";
import { synthesize } from "./synthesize.ts";

/** Each synthesis has a folder of its own: what runs goes on from the one that it began with. */
const FOLDER = /^cdk\.out\.(\d+)$/;

export interface ReloaderOptions {
  readonly stateDir: string;
  readonly keeper: Keeper;
  readonly tell: Tell;
  /** Takes an assembly into use, whole or not at all. @throws why not */
  readonly use: (assembly: Assembly) => Promise<void>;
  /** Whether something that runs still needs files of this folder. */
  readonly isInUse: (dir: string) => boolean;
}

/** Synthesizes the project anew when a file of it has changed. An error leaves what runs as it is, and is said. */
export class Reloader {
  readonly #options: ReloaderOptions;
  readonly #stopWatching: () => Promise<void>;
  #count = 1;
  /** Of the synthesis at work: a further change aborts it. */
  #overtaken: AbortController | undefined;
  #stopped = false;
  #said: string | undefined;

  constructor(options: ReloaderOptions) {
    this.#options = options;
    this.#removeOld();
    this.#stopWatching = watchProject(options.stateDir, () => void this.#changed());
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    this.#overtaken?.abort();
    await this.#stopWatching();
  }

  async #changed(): Promise<void> {
    if (this.#overtaken) return this.#overtaken.abort();
    do {
      this.#overtaken = new AbortController();
      await this.#reload(this.#overtaken.signal);
    } while (this.#overtaken.signal.aborted && !this.#stopped);
    this.#overtaken = undefined;
  }

  async #reload(overtaken: AbortSignal): Promise<void> {
    try {
      await this.#takeOver(overtaken);
    } catch (error) {
      // What was overtaken by a further change is nobody's fault: the next one says whether it is right.
      if (!overtaken.aborted) this.#sayOnce(`Not reloaded, what ran before goes on: ${(error as Error).message}`);
    }
  }

  async #takeOver(overtaken: AbortSignal): Promise<void> {
    const { stateDir, keeper, tell, use } = this.#options;
    this.#count += 1;
    const dir = join(stateDir, `cdk.out.${this.#count}`);
    try {
      await synthesize(dir, { keeper, tell, signal: overtaken });
      // What was changed meanwhile is in the next one.
      if (overtaken.aborted) return;
      await use(readAssembly(dir));
      this.#said = undefined;
    } finally {
      this.#removeOld();
    }
  }

  #sayOnce(message: string): void {
    if (message === this.#said) return;
    this.#said = message;
    this.#options.tell({ kind: "warning", message });
  }

  #removeOld(): void {
    const { stateDir, isInUse } = this.#options;
    for (const name of readdirSync(stateDir)) {
      const dir = join(stateDir, name);
      if (FOLDER.test(name) && !isInUse(dir)) rmSync(dir, { recursive: true, force: true });
    }
  }
}
