import { mkdirSync, readdirSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { isInstant } from "./clock.ts";
import type { Tell } from "./events.ts";
import { isJson, readJson, requireFields, writeJson } from "./json-file.ts";

/** An event on its way to a function. */
export interface QueuedEvent {
  /** The same for all its invocations, as Lambda's is. */
  readonly requestId: string;
  /** Tells deliveries of the same event apart: a duplicate has its request id, too. */
  readonly copy?: number;
  readonly functionName: string;
  readonly payload: string;
  readonly acceptedAtMs: number;
  /** Not before then. */
  readonly dueAtMs: number;
  readonly invocations: number;
  /** Invocations that ended in an error. One whose runner died is none of them. */
  readonly failures: number;
  /** A sandbox works on it, until then at most. */
  readonly underWayUntilMs?: number;
}

/** Names an event among all that are in the queue. */
export function keyOf({ requestId, copy }: QueuedEvent): string {
  return copy === undefined ? requestId : `${requestId}.${copy}`;
}

/** The events on disk, one small file each. */
export class QueueFiles {
  readonly #dir: string;
  readonly #tell: Tell;

  constructor(stateDir: string, tell: Tell) {
    this.#dir = join(stateDir, "queue");
    this.#tell = tell;
    mkdirSync(this.#dir, { recursive: true, mode: 0o700 });
  }

  save(event: QueuedEvent): void {
    writeJson(this.#path(keyOf(event)), event);
  }

  remove(event: QueuedEvent): void {
    rmSync(this.#path(keyOf(event)), { force: true });
  }

  /** All of them, the oldest first. A file that cannot be read is put aside, and said. */
  load(): QueuedEvent[] {
    return readdirSync(this.#dir)
      .filter((name) => name.endsWith(".json"))
      .flatMap((name) => this.#read(name.slice(0, -".json".length)) ?? [])
      .sort((a, b) => a.acceptedAtMs - b.acceptedAtMs);
  }

  #read(key: string): QueuedEvent | undefined {
    const path = this.#path(key);
    try {
      return checkEvent(readJson(path), key);
    } catch (error) {
      renameSync(path, `${path}.unreadable`);
      const message = `${path} cannot be read (${(error as Error).message}). It is kept as ${path}.unreadable and not run.`;
      this.#tell({ kind: "warning", message });
      return undefined;
    }
  }

  #path(key: string): string {
    return join(this.#dir, `${key}.json`);
  }
}

/** What a runner has written is right in every field: anything else was damaged, or written by other hands. */
function checkEvent(value: unknown, key: string): QueuedEvent {
  const event = (value ?? {}) as QueuedEvent;
  requireFields({
    requestId: typeof event.requestId === "string" && keyOf(event) === key,
    copy: event.copy === undefined || Number.isInteger(event.copy),
    functionName: typeof event.functionName === "string",
    payload: typeof event.payload === "string" && isJson(event.payload),
    acceptedAtMs: isInstant(event.acceptedAtMs),
    dueAtMs: isInstant(event.dueAtMs),
    invocations: Number.isInteger(event.invocations),
    failures: Number.isInteger(event.failures),
    underWayUntilMs: event.underWayUntilMs === undefined || isInstant(event.underWayUntilMs),
  } satisfies Record<keyof QueuedEvent, boolean>);
  return event;
}
