import { hasDead, isAttemptDue, LOOK_BACK_MS, type RunRecord, settleDead } from "../../lib/run/index.ts";
import { JOBS, SECOND } from "./plan.ts";
import type { Platform } from "./platform.ts";
import { Protocols } from "./protocols.ts";
import type { Random } from "./random.ts";
import type { Time, Wire } from "./wire.ts";

/** It settles who died, starts attempts that nobody else brings, and occurrences that it takes for missed, rightly or not. */
export class Watchdog {
  readonly #random: Random;
  readonly #time: Time;
  readonly #wire: Wire;
  readonly #platform: Platform;
  readonly #settling: Protocols;

  constructor(random: Random, time: Time, wire: Wire, platform: Platform) {
    this.#random = random;
    this.#time = time;
    this.#wire = wire;
    this.#platform = platform;
    this.#settling = new Protocols(random, wire);
  }

  /** More often than every five minutes: more of it has to meet what goes on. */
  move(): void {
    const { chance } = this.#random;
    const job = this.#random.pick(JOBS);
    if (chance(0.01)) this.#settle(job);
    if (chance(0.01)) this.#startAttempts(job);
    if (chance(0.003)) this.#catchUp(job);
    this.#settling.move();
  }

  #settle(job: string): void {
    const state = this.#wire.stateOf(job);
    const runs = this.#recentRuns(job);
    // Its clock is off, too.
    const nowMs = this.#time.nowMs + this.#random.upTo(9 * SECOND) - 5 * SECOND;
    if (hasDead(state, runs, nowMs)) this.#settling.begin(settleDead(job, state, runs, nowMs));
  }

  #startAttempts(job: string): void {
    const { nowMs } = this.#time;
    const retries = this.#platform.attemptsOf(job) - 1;
    const isDue = (run: RunRecord) => isAttemptDue(run, this.#wire.stateOf(job), retries, nowMs);
    for (const { runId, trigger } of this.#recentRuns(job).filter(isDue))
      this.#platform.start(job, { runId, trigger, cause: "next-attempt" });
  }

  #recentRuns(job: string): RunRecord[] {
    return this.#wire.recordsOf(job, this.#time.nowMs - LOOK_BACK_MS);
  }

  #catchUp(job: string): void {
    const runId = this.#platform.pastOccurrence(job);
    if (runId) this.#platform.start(job, { runId, trigger: { kind: "schedule" }, cause: "catch-up" });
  }
}
