import { type Command, type Protocol, requestCancel, unlock, withdraw } from "../../lib/run/index.ts";
import { stateKey } from "../../lib/store/keys.ts";
import { JOBS, SECOND } from "./plan.ts";
import type { Random } from "./random.ts";
import type { Referee } from "./referee.ts";
import { FLEET, type Time, type Wire } from "./wire.ts";

/** What an operator has begun. */
interface Action {
  readonly protocol: Protocol<unknown>;
  readonly next: IteratorResult<Command, unknown>;
}

/** They pause, resume and unlock jobs, ask who is at work to stop, and take out who waits, among all that goes on. */
export class Operators {
  readonly #random: Random;
  readonly #time: Time;
  readonly #wire: Wire;
  readonly #referee: Referee;
  #open: readonly Action[] = [];
  #serial = 0;

  constructor(random: Random, time: Time, wire: Wire, referee: Referee) {
    this.#random = random;
    this.#time = time;
    this.#wire = wire;
    this.#referee = referee;
  }

  move(): void {
    const { chance } = this.#random;
    const job = this.#random.pick(JOBS);
    if (chance(0.02)) this.#togglePause(job);
    if (chance(0.01)) this.#begin(requestCancel(job, this.#operator()));
    if (chance(0.01)) this.#withdraw(job);
    if (chance(0.005)) this.#unlock(job);
    this.#open = this.#open.map((action) => this.#advanced(action)).filter(({ next }) => !next.done);
  }

  #withdraw(job: string): void {
    const { queue = [] } = this.#wire.stateOf(job);
    if (queue.length > 0) this.#begin(withdraw(job, this.#random.pick(queue).runId, this.#operator()));
  }

  #unlock(job: string): void {
    const { lease } = this.#wire.stateOf(job);
    if (!lease) return;
    this.#referee.unlocks(lease.owner);
    this.#begin(unlock(job, this.#operator(), lease.owner));
  }

  #begin(protocol: Protocol<unknown>): void {
    this.#open = [...this.#open, { protocol, next: protocol.next() }];
  }

  #advanced({ protocol, next }: Action): Action {
    if (next.done || this.#random.chance(0.7)) return { protocol, next };
    const reply = this.#wire.replyTo(next.value, 0);
    return { protocol, next: reply ? protocol.next(reply) : next };
  }

  #operator() {
    return { by: "alice", reason: "maintenance", id: `action-${++this.#serial}`, retentionMs: 86_400 * SECOND };
  }

  #togglePause(job: string): void {
    const key = stateKey(FLEET, job);
    const { paused, ...rest } = this.#wire.itemAt(key) ?? { v: 1 };
    const pause = { by: "alice", reason: "maintenance", at: new Date(this.#time.nowMs).toISOString() };
    this.#wire.put({ ...rest, ...key, ...(!paused && { paused: pause }) });
  }
}
