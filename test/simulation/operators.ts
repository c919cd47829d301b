import { requestCancel, unlock, withdraw } from "../../lib/run/index.ts";
import { stateKey } from "../../lib/store/keys.ts";
import { JOBS, SECOND } from "./plan.ts";
import type { Platform } from "./platform.ts";
import { Protocols } from "./protocols.ts";
import type { Random } from "./random.ts";
import type { Referee } from "./referee.ts";
import { FLEET, type Time, type Wire } from "./wire.ts";

/** They pause, resume and unlock jobs, ask who is at work to stop, take out who waits, and backfill, among all that goes on. */
export class Operators {
  readonly #random: Random;
  readonly #time: Time;
  readonly #wire: Wire;
  readonly #referee: Referee;
  readonly #platform: Platform;
  readonly #actions: Protocols;
  #serial = 0;

  constructor(random: Random, time: Time, wire: Wire, referee: Referee, platform: Platform) {
    this.#random = random;
    this.#time = time;
    this.#wire = wire;
    this.#referee = referee;
    this.#platform = platform;
    this.#actions = new Protocols(random, wire);
  }

  move(): void {
    const { chance } = this.#random;
    const job = this.#random.pick(JOBS);
    if (chance(0.02)) this.#togglePause(job);
    if (chance(0.01)) this.#actions.begin(requestCancel(job, this.#operator()));
    if (chance(0.01)) this.#withdraw(job);
    if (chance(0.005)) this.#unlock(job);
    if (chance(0.003)) this.#backfill(job);
    this.#actions.move();
  }

  #withdraw(job: string): void {
    const { queue = [] } = this.#wire.stateOf(job);
    if (queue.length > 0) this.#actions.begin(withdraw(job, this.#random.pick(queue).runId, this.#operator()));
  }

  #unlock(job: string): void {
    const { lease } = this.#wire.stateOf(job);
    if (!lease) return;
    this.#referee.unlocks(lease.owner);
    this.#actions.begin(unlock(job, this.#operator(), lease.owner));
  }

  /** Sometimes two of them at once. */
  #backfill(job: string): void {
    const runId = this.#platform.pastOccurrence(job);
    for (let copy = runId ? this.#random.upTo(1) : -1; copy >= 0; copy--)
      this.#platform.start(job, { runId: runId as string, trigger: { kind: "operator" }, cause: "backfill" });
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
