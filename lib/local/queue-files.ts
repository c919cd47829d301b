import { mkdirSync, readdirSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { Tell } from "./events.ts";
import { readJson, writeJson } from "./json-file.ts";

/** An event on its way to a function. */
export interface QueuedEvent {
  /** The same for all its invocations, as Lambda's is. */
  readonly requestId: string;
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
    writeJson(this.#path(event.requestId), event);
  }

  remove(requestId: string): void {
    rmSync(this.#path(requestId), { force: true });
  }

  /** All of them, the oldest first. A file that cannot be read is put aside, and said. */
  load(): QueuedEvent[] {
    return readdirSync(this.#dir)
      .filter((name) => name.endsWith(".json"))
      .flatMap((name) => this.#read(join(this.#dir, name)) ?? [])
      .sort((a, b) => a.acceptedAtMs - b.acceptedAtMs);
  }

  #read(path: string): QueuedEvent | undefined {
    try {
      const event = readJson(path) as QueuedEvent;
      if (typeof event.requestId === "string" && typeof event.payload === "string") return event;
      throw new Error("it holds no event");
    } catch (error) {
      renameSync(path, `${path}.unreadable`);
      const message = `${path} cannot be read (${(error as Error).message}). It is kept as ${path}.unreadable and not run.`;
      this.#tell({ kind: "warning", message });
      return undefined;
    }
  }

  #path(requestId: string): string {
    return join(this.#dir, `${requestId}.json`);
  }
}
