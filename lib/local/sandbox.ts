import type { ChildProcess } from "node:child_process";
import type { Clock } from "./clock.ts";
import type { FunctionDefinition } from "./definitions.ts";
import type { FunctionError } from "./events.ts";
import { SandboxProcess } from "./sandbox-process.ts";
import { memoryOf, type NamedRun, runOfEvent, runOfLine, type Worker, type WorkerState } from "./workers.ts";

export interface Invocation {
  readonly requestId: string;
  readonly payload: string;
  /** When the sandbox is killed, by the runner's clock. */
  readonly deadlineMs: number;
}

export type InvocationResult = { readonly ok: true } | { readonly ok: false; readonly error: FunctionError };

export interface SandboxHooks {
  onInvoke(sandbox: Sandbox, requestId: string): void;
  /** It has ended an invocation and waits for the next, frozen. `timersLeft` counts those that were left running. */
  onIdle(sandbox: Sandbox, timersLeft: number): void;
  /** It has been idle for a minute. */
  onUnused(sandbox: Sandbox): void;
  onExit(sandbox: Sandbox): void;
  /** Lines that it printed. */
  onLines(lines: string[]): void;
  /** A line that Lambda itself writes to the log. */
  onPlatformLine(line: string): void;
}

export interface SandboxOptions {
  readonly id: string;
  readonly clock: Clock;
  /** How far its own clock is off. */
  readonly skewMs: number;
  readonly environment: Record<string, string>;
  readonly hooks: SandboxHooks;
}

interface Current {
  readonly requestId: string;
  readonly startedMs: number;
  readonly settle: (result: InvocationResult) => void;
  run: NamedRun | undefined;
}

/** What Lambda grants the code outside the handler. */
const INIT_LIMIT_MS = 10_000;
/** Nobody knows how long Lambda keeps an idle one; here it holds memory that others want. */
const IDLE_LIMIT_MS = 60_000;
/** How often the memory of one at work is looked at. */
const MEMORY_LOOK_MS = 250;

/**
 * A child process that handles one invocation at a time, as Lambda's execution environment does: frozen in between,
 * killed at the deadline.
 */
export class Sandbox {
  readonly fn: FunctionDefinition;
  /** Settles when the code has loaded, or with the reason why it did not. */
  readonly ready: Promise<FunctionError | undefined>;

  /** Settles when its process has ended, and all has been said about it. */
  readonly exited: Promise<void>;

  readonly #id: string;
  readonly #clock: Clock;
  readonly #skewMs: number;
  readonly #hooks: SandboxHooks;
  readonly #process: SandboxProcess;
  #settleReady!: (error: FunctionError | undefined) => void;
  #cancelDeadline = () => {};
  #killedFor: FunctionError | undefined;
  #answerNext: ((invocation: Invocation | undefined) => void) | undefined;
  #current: Current | undefined;
  #timersAfterInit: number | undefined;
  #state!: WorkerState;
  #sinceMs!: number;
  #heardMs: number;
  #endWork = () => {};

  constructor(fn: FunctionDefinition, options: SandboxOptions) {
    const { id, clock, skewMs, environment, hooks } = options;
    this.fn = fn;
    this.#id = id;
    this.#clock = clock;
    this.#skewMs = skewMs;
    this.#hooks = hooks;
    this.#enter("starting");
    this.#heardMs = this.#sinceMs;
    this.ready = new Promise((resolve) => {
      this.#settleReady = resolve;
    });
    this.#process = this.#start(environment);
    this.exited = this.#process.ended.then((how) => this.#reportEnd(how));
    this.#keepDeadline(clock.nowMs() + Math.max(INIT_LIMIT_MS, fn.timeoutMs), "Init timed out");
  }

  get child(): ChildProcess {
    return this.#process.child;
  }

  /** The invocation under way, and the run that it is as far as its event or its lines say it. */
  get current(): { requestId: string; job?: string; runId?: string } | undefined {
    return this.#current && { requestId: this.#current.requestId, ...this.#current.run };
  }

  /** How far its clock is ahead of the machine's. */
  clockAheadMs(): number {
    return this.#clock.nowMs() + this.#skewMs - Date.now();
  }

  /** As it is seen from outside. */
  view(): Worker {
    const memoryBytes = memoryOf(this.child.pid);
    return {
      id: this.#id,
      functionName: this.fn.name,
      state: this.#state,
      sinceMs: this.#sinceMs,
      heardMs: this.#heardMs,
      ...this.current,
      ...(memoryBytes !== undefined && { memoryBytes }),
    };
  }

  /** Works on one invocation. Only for a sandbox that is ready and waits. */
  invoke(invocation: Invocation): Promise<InvocationResult> {
    const { requestId, payload, deadlineMs } = invocation;
    const seconds = (this.fn.timeoutMs / 1000).toFixed(2);
    const words = `RequestId: ${requestId} Error: Task timed out after ${seconds} seconds`;
    this.#keepDeadline(deadlineMs, words);
    const memoryWatch = this.#watchMemory(requestId);
    return new Promise((resolve) => {
      const settle = (result: InvocationResult) => {
        clearInterval(memoryWatch);
        resolve(result);
      };
      this.#current = { requestId, startedMs: Date.now(), settle, run: runOfEvent(payload) };
      this.#enter("busy");
      this.#hooks.onPlatformLine(`START RequestId: ${requestId} Version: $LATEST`);
      this.#process.thaw();
      this.#answerNext?.(invocation);
      this.#answerNext = undefined;
      this.#hooks.onInvoke(this, requestId);
    });
  }

  kill(): void {
    this.#process.kill();
  }

  /** The Runtime API's "next": it is done with the last one. Undefined when the sandbox ends instead. */
  next(timers: number): Promise<Invocation | undefined> {
    this.#cancelDeadline();
    this.#process.freeze();
    this.#enter("idle");
    this.#heardMs = this.#sinceMs;
    this.#cancelDeadline = this.#clock.at(this.#sinceMs + IDLE_LIMIT_MS, () => this.#hooks.onUnused(this));
    return new Promise((resolve) => {
      this.#answerNext = resolve;
      if (this.#timersAfterInit === undefined) {
        this.#timersAfterInit = timers;
        this.#settleReady(undefined);
      } else {
        this.#hooks.onIdle(this, timers - this.#timersAfterInit);
      }
    });
  }

  /** The Runtime API's "response" and "error". False for an invocation that is not under way. */
  async settle(requestId: string, result: InvocationResult): Promise<boolean> {
    await this.#process.flush();
    if (this.#current?.requestId !== requestId) return false;
    const { startedMs, settle } = this.#current;
    const ending = result.ok ? "" : ` Error Type: ${result.error.errorType}`;
    this.#hooks.onPlatformLine(`END RequestId: ${requestId}`);
    this.#hooks.onPlatformLine(`REPORT RequestId: ${requestId} Duration: ${Date.now() - startedMs} ms${ending}`);
    this.#current = undefined;
    settle(result);
    return true;
  }

  /** The Runtime API's "init error". */
  initFailed(error: FunctionError): void {
    this.#settleReady(error);
  }

  #enter(state: WorkerState): void {
    this.#state = state;
    this.#endWork();
    this.#endWork = state === "idle" ? () => {} : this.#clock.work();
    this.#sinceMs = this.#clock.nowMs();
  }

  #printed(lines: string[]): void {
    this.#heardMs = this.#clock.nowMs();
    for (const line of lines) {
      if (this.#current) this.#current.run ??= runOfLine(line, this.fn);
    }
    this.#hooks.onLines(lines);
  }

  /** @throws where the machine starts no process */
  #start(environment: Record<string, string>): SandboxProcess {
    try {
      const clockAheadMs = this.clockAheadMs();
      return new SandboxProcess(this.fn, { environment, clockAheadMs, onLines: (lines) => this.#printed(lines) });
    } catch (error) {
      this.#endWork();
      throw error;
    }
  }

  /** Kills it then, unless it has ended its work. */
  #keepDeadline(timeMs: number, errorMessage: string): void {
    this.#cancelDeadline();
    this.#cancelDeadline = this.#clock.at(timeMs, () => {
      this.#killedFor = { errorType: "Sandbox.Timedout", errorMessage };
      this.kill();
    });
  }

  /** Where the system tells what a process occupies; elsewhere the heap's limit alone holds. */
  #watchMemory(requestId: string): NodeJS.Timeout {
    const look = () => {
      const memoryBytes = memoryOf(this.child.pid) ?? 0;
      if (this.#current?.requestId !== requestId || memoryBytes <= this.fn.memoryMb * 1024 * 1024) return;
      this.#hooks.onPlatformLine(
        `RequestId: ${requestId} Memory Size: ${this.fn.memoryMb} MB Max Memory Used: ${Math.round(memoryBytes / 1024 / 1024)} MB`,
      );
      this.kill();
    };
    return setInterval(look, MEMORY_LOOK_MS).unref();
  }

  async #reportEnd(how: string): Promise<void> {
    this.#cancelDeadline();
    this.#endWork();
    const words = `Runtime exited with error: ${how}`;
    const requestId = this.#current?.requestId;
    const error = this.#killedFor ?? {
      errorType: "Runtime.ExitError",
      errorMessage: requestId ? `RequestId: ${requestId} Error: ${words}` : words,
    };
    this.#settleReady(error);
    this.#answerNext?.(undefined);
    if (requestId) await this.settle(requestId, { ok: false, error });
    this.#hooks.onExit(this);
  }
}
