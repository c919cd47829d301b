/**
 * Opens a database at its first use, and anew after its disk refused something. LevelDB's log is broken at the place of a
 * write that failed: it would acknowledge more, and not find it again at the next start. Opened anew it has all that was
 * acknowledged before, and takes more as soon as the disk does.
 */
export class Reopening<T extends { close(): Promise<void> }> {
  readonly #open: () => Promise<T>;
  #atWork = 0;
  #quiet: () => void = () => {};
  #current: T | undefined;
  #broken = false;
  #opening: Promise<T> | undefined;

  constructor(open: () => Promise<T>) {
    this.#open = open;
  }

  /** @throws what `work` throws, and why it cannot be opened */
  async use<R>(work: (opened: T) => Promise<R>): Promise<R> {
    const opened = this.#current && !this.#broken ? this.#current : await this.#openAnew();
    this.#atWork += 1;
    try {
      const result = await work(opened);
      // Nothing that may stand behind the broken place is acknowledged.
      if (this.#broken) throw new Error("The disk refused another write meanwhile.");
      return result;
    } catch (error) {
      this.#broken ||= (error as { code?: string }).code === "LEVEL_IO_ERROR";
      throw error;
    } finally {
      this.#atWork -= 1;
      if (this.#atWork === 0) this.#quiet();
    }
  }

  async close(): Promise<void> {
    await this.#current?.close();
  }

  /** Once for all that wait for it. */
  #openAnew(): Promise<T> {
    this.#opening ??= (async () => {
      try {
        await this.#ended();
        await this.#current?.close();
        this.#current = await this.#open();
        this.#broken = false;
        return this.#current;
      } finally {
        this.#opening = undefined;
      }
    })();
    return this.#opening;
  }

  /** Settles when nothing is at work. */
  async #ended(): Promise<void> {
    if (this.#atWork === 0) return;
    await new Promise<void>((resolve) => {
      this.#quiet = resolve;
    });
  }
}
