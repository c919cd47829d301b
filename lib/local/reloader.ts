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
  #atWork = false;
  #again = false;
  #stopped = false;
  #said: string | undefined;

  constructor(options: ReloaderOptions) {
    this.#options = options;
    this.#removeOld();
    this.#stopWatching = watchProject(options.stateDir, () => void this.#changed());
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    await this.#stopWatching();
  }

  async #changed(): Promise<void> {
    this.#again = true;
    if (this.#atWork) return;
    this.#atWork = true;
    while (this.#again && !this.#stopped) {
      this.#again = false;
      await this.#reload();
    }
    this.#atWork = false;
  }

  async #reload(): Promise<void> {
    try {
      await this.#takeOver();
    } catch (error) {
      // What was overtaken by a further change is nobody's fault: the next one says whether it is right.
      if (!this.#again) this.#sayOnce(`Not reloaded, what ran before goes on: ${(error as Error).message}`);
    }
  }

  async #takeOver(): Promise<void> {
    const { stateDir, keeper, use } = this.#options;
    this.#count += 1;
    const dir = join(stateDir, `cdk.out.${this.#count}`);
    try {
      await synthesize(dir, keeper);
      // What was changed meanwhile is in the next one.
      if (this.#again || this.#stopped) return;
      await use(readAssembly(dir));
      this.#said = undefined;
    } finally {
      this.#removeOld();
    }
  }

  #sayOnce(message: string): void {
    if (this.#stopped || message === this.#said) return;
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
