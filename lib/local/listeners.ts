import { type RunnerEvent, type Tell, tellSafely } from "./events.ts";

/** Hands each event to whoever listens just then. */
export class Listeners {
  readonly #listeners = new Set<Tell>();

  readonly tell = (event: RunnerEvent): void => {
    for (const listener of this.#listeners) listener(event);
  };

  /** The function returned ends it. */
  subscribe(listen: Tell): () => void {
    const listener = tellSafely(listen);
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }
}
