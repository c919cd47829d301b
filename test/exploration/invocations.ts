import type { Delivery } from "../../lib/run/index.ts";
import type { Process, Processes } from "./process.ts";
import { invocationOf, runsOf, type Scope, startOf, TICK_MS, timeOf } from "./scope.ts";
import { startName } from "./starts.ts";
import type { Waiting } from "./world.ts";

/** One process for each reading of the clock that makes a difference. */
export class Invocations {
  readonly #scope: Scope;
  readonly #processes: Processes;
  readonly #known = new Map<string, readonly Process[]>();

  constructor(scope: Scope, processes: Processes) {
    this.#scope = scope;
    this.#processes = processes;
  }

  at(index: number, { nth, run }: Waiting, tick: number): readonly Process[] {
    const key = `${index} ${nth} ${run} ${tick}`;
    const known = this.#known.get(key) ?? this.#made(index, nth + 1, run, tick);
    this.#known.set(key, known);
    return known;
  }

  /** One that waits looks again: in time, or for the last time. */
  again({ index, nth, delivery, skewTicks }: Process, tick: number): readonly Process[] {
    const receivedMs = timeOf(tick + skewTicks);
    const owner = `delivery-${index}-${nth}-${tick}`;
    const looks: Delivery[] = [false, true].map((hasWaited) => ({ ...delivery, owner, receivedMs, hasWaited }));
    return looks.map((look) => this.#processes.invoked(index, nth, look, tick, skewTicks, `${tick} ${skewTicks}`));
  }

  #made(index: number, nth: number, run: number | undefined, tick: number): readonly Process[] {
    const started = run === undefined ? undefined : runsOf(this.#scope)[run];
    const invoked = new Set<Process>();
    // A heartbeat counts by one clock throughout: what matters is how far two of them are apart.
    const skews = this.#scope.heartbeatTicks === undefined ? [0, 1, -1] : [1, -1];
    for (const skewTicks of skews) {
      const receivedMs = timeOf(tick) + skewTicks * TICK_MS;
      const delivery =
        started === undefined
          ? invocationOf(this.#scope, index, nth, tick, receivedMs)
          : startOf(this.#scope, started, startName(index), tick, receivedMs);
      const { lateAfterMs, heartbeatMs } = delivery;
      const isLate = lateAfterMs !== undefined && lateAfterMs < receivedMs;
      // A lease with a heartbeat begins by the own clock.
      const received = heartbeatMs === undefined ? `${isLate}` : `${isLate} ${tick} ${skewTicks}`;
      const skew = heartbeatMs === undefined ? 0 : skewTicks;
      invoked.add(this.#processes.invoked(index, nth, delivery, tick, skew, received));
    }
    return [...invoked];
  }
}
