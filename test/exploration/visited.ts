const INITIAL_SLOTS = 1 << 16;

/**
 * The states that were seen, as 64-bit hashes: 16 bytes or less for each, where the states themselves would fill the
 * memory. The chance that any two of ten million states share a hash, and one of them is left out, is 1 in 300 000.
 */
export class Visited {
  #slots = new Uint32Array(2 * INITIAL_SLOTS);
  #count = 0;

  get count(): number {
    return this.#count;
  }

  get bytes(): number {
    return this.#slots.byteLength;
  }

  /** True when the state is new. */
  add(state: readonly number[]): boolean {
    let high = 0x9e3779b9;
    let low = 0x85ebca6b;
    for (const part of state) {
      high = mixed(high ^ part, 0x21f0aaad);
      low = mixed(low + part, 0x735a2d97) ^ high;
    }
    // An empty slot is all zeros.
    if (!this.#insert(high >>> 0, low >>> 0 || 1)) return false;
    this.#count++;
    if (this.#count * 4 > this.#slots.length) this.#grow();
    return true;
  }

  #insert(high: number, low: number): boolean {
    const slots = this.#slots;
    const mask = slots.length / 2 - 1;
    for (let at = high & mask; ; at = (at + 1) & mask) {
      if (slots[2 * at + 1] === 0) {
        slots[2 * at] = high;
        slots[2 * at + 1] = low;
        return true;
      }
      if (slots[2 * at] === high && slots[2 * at + 1] === low) return false;
    }
  }

  #grow(): void {
    const old = this.#slots;
    this.#slots = new Uint32Array(2 * old.length);
    for (let at = 0; at < old.length; at += 2) {
      if (old[at + 1] !== 0) this.#insert(old[at] ?? 0, old[at + 1] ?? 0);
    }
  }
}

function mixed(value: number, factor: number): number {
  const product = Math.imul(value ^ (value >>> 16), factor);
  return product ^ (product >>> 15);
}
