/** A value that is the same object whenever its canonical text is the same. */
export interface Interned<T> {
  readonly id: number;
  readonly value: T;
}

export class Interner<T> {
  readonly #known = new Map<string, Interned<T>>();

  intern(value: T): Interned<T> {
    const text = canonical(value);
    const known = this.#known.get(text) ?? { id: this.#known.size, value };
    this.#known.set(text, known);
    return known;
  }
}

/**
 * Only told, never decided by. What is compared with a clock (a lease's end, lateness) is not among these; a reading of
 * the clock counts by which of them it is past.
 */
const TIMES = ["startedAt", "endedAt", "startedMs", "endedMs", "receivedMs", "queuedAt", "queuedMs", "ttl", "at"];
const HISTORY = ["attempts", "consecutiveFailures", "error", "previousError", "previousSuccess"];
const TOLD = new Set([...TIMES, ...HISTORY]);

/** A text that is equal for values between which nothing decides. */
export function canonical(value: unknown): string {
  return (
    JSON.stringify(value, (_name, part: unknown) => {
      if (typeof part !== "object" || part === null || Array.isArray(part)) return part;
      const kept = Object.entries(part).filter(([name]) => !TOLD.has(name));
      return Object.fromEntries(kept.sort(([one], [other]) => (one < other ? -1 : 1)));
    }) ?? ""
  );
}
