import type { Request } from "@middy/core";
import type { Answer } from "./execute.ts";
import type { RunLog } from "./log.ts";

/** What one request holds while its handler runs: the handler's end, to be passed on, and the answer of the run around it. */
export interface HeldRun {
  readonly handler: Deferred<unknown>;
  readonly answer: Promise<Answer>;
  readonly log: RunLog;
}

export interface Deferred<T> {
  readonly promise: Promise<T>;
  resolve(value: T): void;
  reject(reason: unknown): void;
  /** What is settled after this does not count: the promise stays open. */
  ignore(): void;
}

const HELD_RUN: unique symbol = Symbol("escapement.held-run");

type Slot = { [HELD_RUN]?: HeldRun | undefined };

/** Keeps the run in the request, the only place that belongs to one invocation. */
export function holdRun(request: Pick<Request, "internal">, held: HeldRun): void {
  (request.internal as Slot)[HELD_RUN] = held;
}

/** The run of this request, once: who takes it ends it. */
export function takeRun(request: Pick<Request, "internal">): HeldRun | undefined {
  const slot = request.internal as Slot;
  const held = slot[HELD_RUN];
  slot[HELD_RUN] = undefined;
  return held;
}

/** Whether the error is Middy's `timeoutEarly`, which ends the waiting for a handler and not the handler. */
export function isMiddyTimeout(thrown: unknown): boolean {
  try {
    const { name, cause } = thrown as { name?: unknown; cause?: { package?: unknown } };
    return name === "TimeoutError" && cause?.package === "@middy/core";
  } catch {
    // Whatever was thrown cannot even be looked at.
    return false;
  }
}

export function deferred<T>(): Deferred<T> {
  let settle: { resolve(value: T): void; reject(reason: unknown): void } | undefined;
  const promise = new Promise<T>((resolve, reject) => {
    settle = { resolve, reject };
  });
  return {
    promise,
    resolve: (value) => settle?.resolve(value),
    reject: (reason) => settle?.reject(reason),
    ignore() {
      settle = undefined;
    },
  };
}
