import { randomUUID } from "node:crypto";
import type { Clock } from "./clock.ts";
import { type DeadLetter, saveDeadLetter } from "./dead-letters.ts";
import type { FunctionDefinition } from "./definitions.ts";
import type { FunctionError, Tell } from "./events.ts";
import { functionArn } from "./place.ts";
import { keyOf, type QueuedEvent, QueueFiles } from "./queue-files.ts";
import type { Invocation, InvocationResult } from "./sandbox.ts";

/** Lambda waits a minute before the first retry and two before the second. */
const RETRY_DELAYS_MS = [60_000, 120_000];
/** The wait when this machine refused: a full disk, no more processes. */
const MACHINE_RETRY_DELAY_MS = 60_000;
/**
 * How long after its deadline an invocation comes again whose runner died. The lock that it may have held lasts until
 * the deadline, and whoever takes it over allows for 5 s between two clocks; with one second more it is free for sure.
 */
const TAKE_UP_DELAY_MS = 6_000;

export interface QueueOptions {
  readonly stateDir: string;
  readonly functions: ReadonlyMap<string, FunctionDefinition>;
  readonly clock: Clock;
  /** Waits for a sandbox, calls `begin` when it has one, and runs the invocation in it. */
  readonly run: (fn: FunctionDefinition, begin: () => Invocation) => Promise<InvocationResult>;
  /** How often each event is delivered: once, unless duplicates are asked for. */
  readonly deliveries: number;
  readonly tell: Tell;
}

/**
 * The queue in front of asynchronous invocations, as Lambda's: an event is on disk before it is acknowledged, is tried
 * again with the same request id when its function fails, and becomes a dead letter when it failed for good.
 *
 * @see https://docs.aws.amazon.com/lambda/latest/dg/invocation-async-error-handling.html
 */
export class AsyncQueue {
  readonly #options: QueueOptions;
  readonly #files: QueueFiles;
  readonly #appointments = new Map<string, () => void>();
  /** When each invocation under way began. */
  readonly #underWay = new Map<string, number>();
  /** Those that are due and have no sandbox yet. */
  readonly #ready = new Set<string>();
  /** Those that are due, and whose function is not deployed now. */
  readonly #orphans = new Set<QueuedEvent>();
  #state: "open" | "draining" | "stopped" = "open";
  #quiet: () => void = () => {};

  constructor(options: QueueOptions) {
    this.#options = options;
    this.#files = new QueueFiles(options.stateDir, options.tell);
  }

  /** Takes up what an earlier runner left. */
  resume(): void {
    for (const { underWayUntilMs, ...event } of this.#files.load()) {
      if (underWayUntilMs === undefined) this.#waitFor(event);
      else {
        const dueAtMs = underWayUntilMs + TAKE_UP_DELAY_MS;
        void this.#perform(event, () => this.#comeAgain({ ...event, dueAtMs }, "runner ended"));
      }
    }
  }

  /**
   * Puts an event in the queue and gives its request id.
   *
   * @throws where the disk does not take it
   */
  accept(functionName: string, payload: string, source: string): string {
    const nowMs = this.#options.clock.nowMs();
    const requestId = randomUUID();
    const event = {
      requestId,
      functionName,
      payload,
      acceptedAtMs: nowMs,
      dueAtMs: nowMs,
      invocations: 0,
      failures: 0,
    };
    this.#take(event, source);
    for (let copy = 2; copy <= this.#options.deliveries; copy += 1) {
      this.#take({ ...event, copy }, source);
      const message = `${functionName}: delivery ${copy} of the same event, ${requestId}`;
      this.#options.tell({ kind: "fault", fault: "duplicate", message, requestId });
    }
    return requestId;
  }

  #take(event: QueuedEvent, source: string): void {
    const { functionName, requestId } = event;
    this.#files.save(event);
    this.#options.tell({ kind: "delivered", functionName, requestId, source });
    this.#waitFor(event);
  }

  /** Begins nothing more and waits for what is under way. */
  async drain(): Promise<void> {
    if (this.#state === "open") this.#state = "draining";
    this.#cancelAll();
    if (this.#underWay.size === 0) return;
    await new Promise<void>((resolve) => {
      this.#quiet = resolve;
    });
  }

  /** From here on nothing begins and no result counts: what is under way stays in the queue. */
  stop(): void {
    this.#state = "stopped";
    this.#cancelAll();
    this.#quiet();
  }

  /** How many invocations are under way; once stopped, how many were cut short. */
  underWay(): number {
    return this.#underWay.size;
  }

  /** How many events wait: for their time, for a sandbox, or for their function. */
  waiting(): number {
    return this.#appointments.size + this.#ready.size + this.#orphans.size;
  }

  /** Takes up what waited for a function that is deployed now. */
  functionsChanged(): void {
    for (const event of this.#orphans) {
      if (!this.#options.functions.has(event.functionName)) continue;
      this.#orphans.delete(event);
      this.#waitFor(event);
    }
  }

  #cancelAll(): void {
    for (const cancel of this.#appointments.values()) cancel();
    this.#appointments.clear();
  }

  #waitFor(event: QueuedEvent): void {
    this.#at(event.dueAtMs, event, () => this.#attempt(event));
  }

  #at(timeMs: number, event: QueuedEvent, step: () => void | Promise<void>): void {
    if (this.#state !== "open") return;
    const cancel = this.#options.clock.at(timeMs, () => {
      this.#appointments.delete(keyOf(event));
      void this.#perform(event, step);
    });
    this.#appointments.set(keyOf(event), cancel);
  }

  /** Takes a step of the event's way. When this machine refuses, that is said, and the step comes again. */
  async #perform(event: QueuedEvent, step: () => void | Promise<void>): Promise<void> {
    try {
      await step();
    } catch (error) {
      const { functionName, requestId } = event;
      const message = `${functionName}: ${(error as Error).message}. ${requestId} is tried again in a minute.`;
      this.#options.tell({ kind: "warning", message });
      this.#at(this.#options.clock.nowMs() + MACHINE_RETRY_DELAY_MS, event, step);
    }
  }

  async #attempt(event: QueuedEvent): Promise<void> {
    const { functions, clock, tell } = this.#options;
    const fn = functions.get(event.functionName);
    if (!fn) {
      this.#orphans.add(event);
      const message = `An event for ${event.functionName} stays in the queue (${event.requestId}): there is no such function. It runs once there is one again.`;
      tell({ kind: "warning", message });
      return;
    }
    if (clock.nowMs() - event.acceptedAtMs > fn.asyncPolicy.maxAgeMs) {
      const errorMessage = `It waited longer than ${fn.asyncPolicy.maxAgeMs / 1000} seconds.`;
      return this.#giveUp(event, fn, "EventAgeExceeded", { errorType: "EventAgeExceeded", errorMessage });
    }
    const { functionName, requestId } = event;
    this.#ready.add(keyOf(event));
    const { result, durationMs } = await this.#invoke(event, fn);
    if (this.#state === "stopped") return;
    const error = result.ok ? undefined : result.error;
    tell({ kind: "finished", functionName, requestId, durationMs, ...(error && { error }) });
    this.#underWay.delete(keyOf(event));
    await this.#perform(event, () => {
      if (error)
        this.#failed({ ...event, invocations: event.invocations + 1, failures: event.failures + 1 }, fn, error);
      else this.#files.remove(event);
    });
    if (this.#underWay.size === 0) this.#quiet();
  }

  /** The clock goes as the machine's from its first step to its last: a slow disk or process takes no time from it. */
  async #invoke(event: QueuedEvent, fn: FunctionDefinition): Promise<{ result: InvocationResult; durationMs: number }> {
    const { clock, run } = this.#options;
    let endWork = () => {};
    try {
      const result = await run(fn, () => {
        endWork = clock.work();
        return this.#begin(event, fn);
      });
      return { result, durationMs: clock.nowMs() - (this.#underWay.get(keyOf(event)) ?? clock.nowMs()) };
    } finally {
      this.#ready.delete(keyOf(event));
      endWork();
    }
  }

  #begin(event: QueuedEvent, fn: FunctionDefinition): Invocation {
    const { clock, tell } = this.#options;
    const { requestId, payload } = event;
    const attempt = event.invocations + 1;
    const deadlineMs = clock.nowMs() + fn.timeoutMs;
    this.#files.save({ ...event, invocations: attempt, underWayUntilMs: deadlineMs });
    this.#ready.delete(keyOf(event));
    this.#underWay.set(keyOf(event), clock.nowMs());
    tell({ kind: "started", functionName: fn.name, requestId, attempt });
    return { requestId, payload, deadlineMs };
  }

  #failed(event: QueuedEvent, fn: FunctionDefinition, error: FunctionError): void {
    if (event.failures > fn.asyncPolicy.maxRetries) {
      this.#giveUp(event, fn, "RetriesExhausted", error);
    } else {
      const delayMs = RETRY_DELAYS_MS[event.failures - 1] ?? 0;
      this.#comeAgain({ ...event, dueAtMs: this.#options.clock.nowMs() + delayMs }, "failed");
    }
  }

  #comeAgain(event: QueuedEvent, why: "failed" | "runner ended"): void {
    const { functionName, requestId, dueAtMs } = event;
    this.#files.save(event);
    this.#options.tell({ kind: "again", functionName, requestId, dueAtMs, why });
    this.#waitFor(event);
  }

  #giveUp(
    event: QueuedEvent,
    fn: FunctionDefinition,
    condition: DeadLetter["requestContext"]["condition"],
    error: FunctionError,
  ): void {
    const { functionName, requestId } = event;
    const { destination } = fn.asyncPolicy;
    if (destination) {
      saveDeadLetter(this.#options.stateDir, requestId, {
        version: "1.0",
        timestamp: new Date(this.#options.clock.nowMs()).toISOString(),
        destination,
        requestContext: {
          requestId,
          functionArn: functionArn(functionName),
          condition,
          approximateInvokeCount: event.invocations,
        },
        requestPayload: JSON.parse(event.payload),
        responsePayload: error,
      });
    }
    this.#files.remove(event);
    this.#options.tell({ kind: "dead-lettered", functionName, requestId, error, ...(destination && { destination }) });
  }
}
