import { randomBytes } from "node:crypto";
import type { DashboardEvent } from "../api.ts";

/** An event as it goes over the line: its id, and its data as JSON. */
export interface LoggedEvent {
  readonly id: string;
  readonly data: string;
}

/** What is kept for readers that were away, or that are slow. */
const MAX_EVENTS = 2_000;
const MAX_CHARACTERS = 4_000_000;

/**
 * The newest events, in order. Readers go on after the last one that they have seen, as long as it is kept; there is one
 * copy of each event, however many read.
 */
export class EventLog {
  /** Ids of another log, such as an earlier server's, are none of this one's. */
  #name = randomBytes(4).toString("hex");
  #events: LoggedEvent[] = [];
  #characters = 0;
  /** How many events came before the oldest one that is kept. */
  #dropped = 0;
  readonly #waiting = new Set<() => void>();

  /** The id of the newest event. */
  get lastId(): string {
    return this.#idOf(this.#dropped + this.#events.length);
  }

  append(event: DashboardEvent): void {
    const data = JSON.stringify(event);
    this.#events.push({ id: this.#idOf(this.#dropped + this.#events.length + 1), data });
    this.#characters += data.length;
    while (this.#events.length > MAX_EVENTS || this.#characters > MAX_CHARACTERS) this.#dropOldest();
    this.#wake();
  }

  /** From here on no reader can go on after an event of before. */
  forget(): void {
    this.#name = randomBytes(4).toString("hex");
    this.#events = [];
    this.#characters = 0;
    this.#dropped = 0;
    this.#wake();
  }

  /** The events after this one, oldest first; undefined where it is not known, or what came after it is not kept. */
  after(id: string): readonly LoggedEvent[] | undefined {
    const [name, number] = id.split("-");
    const index = Number(number) - this.#dropped;
    if (name !== this.#name || !(index >= 0 && index <= this.#events.length)) return undefined;
    return this.#events.slice(index);
  }

  /** Settles at the next event, or when the signal aborts. */
  async changed(signal: AbortSignal): Promise<void> {
    if (signal.aborted) return;
    await new Promise<void>((resolve) => {
      const done = () => {
        this.#waiting.delete(done);
        signal.removeEventListener("abort", done);
        resolve();
      };
      this.#waiting.add(done);
      signal.addEventListener("abort", done);
    });
  }

  #idOf(number: number): string {
    return `${this.#name}-${number}`;
  }

  #dropOldest(): void {
    this.#characters -= this.#events.shift()?.data.length ?? 0;
    this.#dropped++;
  }

  #wake(): void {
    for (const done of this.#waiting) done();
  }
}
