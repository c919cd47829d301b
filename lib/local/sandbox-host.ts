import { randomUUID } from "node:crypto";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import type { Clock } from "./clock.ts";
import type { FunctionDefinition } from "./definitions.ts";
import type { Tell } from "./events.ts";
import type { Faults } from "./faults.ts";
import type { Keeper } from "./keeper.ts";
import { LogFile, logStreamName } from "./log-file.ts";
import { type Invocation, type InvocationResult, Sandbox } from "./sandbox.ts";
import { type Surroundings, sandboxEnvironment } from "./sandbox-environment.ts";
import { SandboxPool } from "./sandbox-pool.ts";
import type { Worker } from "./workers.ts";

export interface SandboxHostOptions {
  readonly logsDir: string;
  readonly keeper: Keeper;
  readonly around: Surroundings;
  readonly clock: Clock;
  readonly faults: Faults;
  /** Those that are deployed now. */
  readonly functions: ReadonlyMap<string, FunctionDefinition>;
  readonly tell: Tell;
}

/** Sandboxes at work at the same time. */
const LIMIT = 2 * availableParallelism();

/** Starts sandboxes, and ties them to their logs, to the keeper, and to the Runtime API. */
export class SandboxHost {
  /** Those alive, each by the secret in its Runtime API path. */
  readonly sandboxes = new Map<string, Sandbox>();
  readonly #pool: SandboxPool;
  readonly #warned = new Set<string>();
  readonly #options: SandboxHostOptions;

  constructor(options: SandboxHostOptions) {
    this.#options = options;
    this.#pool = new SandboxPool({
      limit: LIMIT,
      start: (fn) => this.#start(fn),
      current: (fn) => options.functions.get(fn.name),
    });
  }

  /** Waits for a sandbox, calls `begin` when it has one, and runs the invocation in it. */
  async run(fn: FunctionDefinition, begin: () => Invocation): Promise<InvocationResult> {
    let begunMs = 0;
    const result = await this.#pool.run(fn, () => {
      begunMs = performance.now();
      return begin();
    });
    if (result.ok) this.#options.faults.noteDuration(fn.name, Math.ceil(performance.now() - begunMs));
    return result;
  }

  workers(): Worker[] {
    return [...this.sandboxes.values()].map((sandbox) => sandbox.view());
  }

  /** Whether a sandbox has its code from this folder. */
  uses(dir: string): boolean {
    return [...this.sandboxes.values()].some(({ fn }) => fn.assetDir.startsWith(`${dir}/`));
  }

  /** To be called when functions have changed. */
  endOutdated(): void {
    this.#pool.endOutdated();
  }

  /** Begins no more invocations; those under way go on. */
  stop(): void {
    this.#pool.stop();
  }

  /** Kills all sandboxes and waits for their end. */
  async close(): Promise<void> {
    this.#pool.close();
    await Promise.all([...this.sandboxes.values()].map((sandbox) => sandbox.exited));
  }

  #start(fn: FunctionDefinition): Sandbox {
    const { logsDir, keeper, around, clock, faults, tell } = this.#options;
    const id = randomUUID();
    const skewMs = faults.clockSkewMs();
    if (skewMs !== 0) {
      const message = `${fn.name}: the clock of sandbox ${id} is ${Math.abs(skewMs)} ms ${skewMs > 0 ? "ahead" : "behind"}`;
      tell({ kind: "fault", fault: "skew", message });
    }
    const logStream = logStreamName(clock.nowMs(), id);
    const log = new LogFile(join(logsDir, fn.name), logStream, clock, tell);
    const environment = sandboxEnvironment(fn, around, { runtimePath: `/${id}`, logStream });
    const sandbox: Sandbox = new Sandbox(fn, {
      id,
      clock,
      skewMs,
      environment,
      hooks: {
        onInvoke: (busy, requestId) => this.#mayCrash(busy, requestId),
        onIdle: (idle, timersLeft) => this.#keepOrEnd(idle, timersLeft),
        onUnused: (unused) => this.#pool.end(unused),
        onExit: (ended) => {
          this.sandboxes.delete(id);
          this.#pool.exited(ended);
        },
        onPlatformLine: (line) => log.append(`${line}\n`),
        onLines: (lines) => {
          log.append(`${lines.join("\n")}\n`);
          const of = sandbox.current;
          const atMs = clock.nowMs();
          for (const line of lines.filter(Boolean)) tell({ kind: "log", functionName: fn.name, atMs, line, ...of });
        },
      },
    });
    keeper.keep(sandbox.child);
    this.sandboxes.set(id, sandbox);
    return sandbox;
  }

  /** Kills it in the midst of its work, where that is drawn. */
  #mayCrash(sandbox: Sandbox, requestId: string): void {
    const { faults, tell } = this.#options;
    const { name } = sandbox.fn;
    const delayMs = faults.crashAfterMs(name);
    if (delayMs === undefined) return;
    const crash = () => {
      if (sandbox.current?.requestId !== requestId) return;
      const message = `${name}: killed ${delayMs} ms after it began with ${requestId}`;
      tell({ kind: "fault", fault: "crash", message, requestId });
      sandbox.kill();
    };
    setTimeout(crash, delayMs).unref();
  }

  /** In Lambda a timer that outlived its run fires in the midst of a later one. Here its sandbox ends, and it is said. */
  #keepOrEnd(sandbox: Sandbox, timersLeft: number): void {
    if (timersLeft <= 0) {
      this.#pool.becameIdle(sandbox);
      return;
    }
    sandbox.kill();
    const { name } = sandbox.fn;
    if (this.#warned.has(name)) return;
    this.#warned.add(name);
    const message = `${name} returned with ${timersLeft} timer(s) still running. In Lambda they fire in the midst of a later invocation: await them or clear them. Here the sandbox was ended.`;
    this.#options.tell({ kind: "warning", message });
  }
}
