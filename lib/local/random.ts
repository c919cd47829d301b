export interface Random {
  /** A whole number from 0 to the bound, both included. */
  upTo(bound: number): number;
  chance(probability: number): boolean;
  pick<T>(values: readonly T[]): T;
}

/** The same numbers for the same seed, on every machine (mulberry32). */
export function randomFrom(seed: number): Random {
  let state = seed >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  return {
    upTo: (bound) => Math.floor(next() * (bound + 1)),
    chance: (probability) => next() < probability,
    pick(values) {
      const picked = values[Math.floor(next() * values.length)];
      if (picked === undefined) throw new RangeError("nothing to pick from");
      return picked;
    },
  };
}
