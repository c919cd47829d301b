import type { FunctionDefinition } from "./definitions.ts";
import type { Invocation, InvocationResult, Sandbox } from "./sandbox.ts";

export interface SandboxPoolOptions {
  readonly limit: number;
  readonly start: (fn: FunctionDefinition) => Sandbox;
  /** What is deployed now under the function's name: a sandbox of anything else is of no use. */
  readonly current: (fn: FunctionDefinition) => FunctionDefinition | undefined;
}

/** Runs invocations in a bounded number of sandboxes, warm ones first; the rest waits its turn. */
export class SandboxPool {
  readonly #limit: number;
  readonly #start: (fn: FunctionDefinition) => Sandbox;
  readonly #current: (fn: FunctionDefinition) => FunctionDefinition | undefined;
  readonly #all = new Set<Sandbox>();
  /** Frozen ones, the longest unused first. */
  readonly #idle = new Set<Sandbox>();
  /** Those whose process has yet to end: until then it takes the place of another. */
  readonly #ending = new Set<Sandbox>();
  readonly #waiting: {
    fn: FunctionDefinition;
    give: (sandbox: Sandbox) => void;
    fail: (error: unknown) => void;
  }[] = [];
  #stopped = false;

  constructor(options: SandboxPoolOptions) {
    this.#limit = options.limit;
    this.#start = options.start;
    this.#current = options.current;
  }

  /**
   * @throws where the machine starts no process, and what `begin` throws
   * @param begin called when a sandbox is ready for the invocation, so that its time counts from there
   */
  async run(fn: FunctionDefinition, begin: () => Invocation): Promise<InvocationResult> {
    const sandbox = await new Promise<Sandbox>((give, fail) => {
      this.#waiting.push({ fn, give, fail });
      this.#serve();
    });
    const initError = await sandbox.ready;
    if (initError) return { ok: false, error: initError };
    return sandbox.invoke(this.#begin(sandbox, begin));
  }

  /** To be called when a sandbox waits for its next invocation. */
  becameIdle(sandbox: Sandbox): void {
    if (!this.#all.has(sandbox) || this.#ending.has(sandbox)) return;
    this.#idle.add(sandbox);
    if (this.#current(sandbox.fn) !== sandbox.fn) this.end(sandbox);
    this.#serve();
  }

  /** Ends an idle one: from now on nobody gets it. */
  end(sandbox: Sandbox): void {
    this.#idle.delete(sandbox);
    this.#ending.add(sandbox);
    sandbox.kill();
  }

  /** To be called when functions have changed: the idle sandboxes of those before end; others do with their invocation. */
  endOutdated(): void {
    for (const sandbox of this.#idle) if (this.#current(sandbox.fn) !== sandbox.fn) this.end(sandbox);
  }

  /** To be called when a sandbox's process has ended. */
  exited(sandbox: Sandbox): void {
    for (const sandboxes of [this.#idle, this.#ending, this.#all]) sandboxes.delete(sandbox);
    this.#serve();
  }

  /** Gives out no more sandboxes: who waits for one waits on. */
  stop(): void {
    this.#stopped = true;
  }

  close(): void {
    this.stop();
    for (const sandbox of this.#all) sandbox.kill();
  }

  #begin(sandbox: Sandbox, begin: () => Invocation): Invocation {
    try {
      return begin();
    } catch (error) {
      // Nothing has begun: it waits for the next one.
      this.becameIdle(sandbox);
      throw error;
    }
  }

  #serve(): void {
    for (let next = this.#waiting[0]; next && !this.#stopped; next = this.#waiting[0]) {
      try {
        const sandbox = this.#take(this.#current(next.fn) ?? next.fn);
        if (!sandbox) return;
        next.give(sandbox);
      } catch (error) {
        next.fail(error);
      }
      this.#waiting.shift();
    }
  }

  /** A warm sandbox, else a new one; undefined where the limit is reached. Then another function's idle one makes room. */
  #take(fn: FunctionDefinition): Sandbox | undefined {
    const idle = [...this.#idle];
    const warm = idle.find((sandbox) => sandbox.fn === fn);
    if (warm) {
      this.#idle.delete(warm);
      return warm;
    }
    if (this.#all.size >= this.#limit) {
      const [longestUnused] = idle;
      if (longestUnused && this.#ending.size < this.#waiting.length) this.end(longestUnused);
      return undefined;
    }
    const sandbox = this.#start(fn);
    this.#all.add(sandbox);
    return sandbox;
  }
}
