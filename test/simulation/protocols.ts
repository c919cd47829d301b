import type { Command, Protocol } from "../../lib/run/index.ts";
import type { Random } from "./random.ts";
import type { Wire } from "./wire.ts";

interface Begun {
  readonly protocol: Protocol<unknown>;
  readonly next: IteratorResult<Command, unknown>;
}

/** Protocols that operators and the watchdog have begun: each goes on now and then, on a look that grows old meanwhile. */
export class Protocols {
  readonly #random: Random;
  readonly #wire: Wire;
  #open: readonly Begun[] = [];

  constructor(random: Random, wire: Wire) {
    this.#random = random;
    this.#wire = wire;
  }

  begin(protocol: Protocol<unknown>): void {
    this.#open = [...this.#open, { protocol, next: protocol.next() }];
  }

  move(): void {
    this.#open = this.#open.map((begun) => this.#advanced(begun)).filter(({ next }) => !next.done);
  }

  #advanced({ protocol, next }: Begun): Begun {
    if (next.done || this.#random.chance(0.7)) return { protocol, next };
    // A copy of it may land much later.
    if (this.#random.chance(0.02)) this.#wire.delay(next.value);
    const reply = this.#wire.replyTo(next.value, 0);
    return { protocol, next: reply ? protocol.next(reply) : next };
  }
}
