/** What undoes the steps that were taken, the last one first, and once. */
export class Closers {
  readonly #steps: (() => unknown)[] = [];
  #closed: Promise<void> | undefined;

  add(step: () => unknown): void {
    this.#steps.push(step);
  }

  readonly close = (): Promise<void> => {
    this.#closed ??= this.#close();
    return this.#closed;
  };

  async #close(): Promise<void> {
    for (const step of this.#steps.reverse()) await step();
  }
}
