import type { Delivery, Hold } from "../../lib/run/index.ts";
import { lockKey, stateKey } from "../../lib/store/keys.ts";
import { checkHeldOver, checkLock, checkStart, checkToken } from "./invariants.ts";
import { goneMs, type Invocation } from "./invocation.ts";
import { FLEET, type Time, type Wire } from "./wire.ts";

/** What a handler was told when it started. */
interface Told {
  readonly delivery: Delivery;
  readonly fencingToken: number;
}

/** A run that did not end by itself: what it started elsewhere goes on until then. */
interface HeldOver {
  readonly delivery: Delivery;
  readonly untilMs: number;
}

/** Sees every handler start and end, and whether that was right. */
export class Referee {
  /** The runs whose handler ever started. */
  readonly started = new Set<string>();
  readonly #told: Told[] = [];
  #heldOver: readonly HeldOver[] = [];
  readonly #unlocked = new Set<string>();
  readonly #time: Time;

  constructor(time: Time) {
    this.#time = time;
  }

  /** How many handlers there were. */
  get handlers(): number {
    return this.#told.length;
  }

  /** @param atWork the deliveries of the handlers that are at work */
  starts(delivery: Delivery, { fencingToken, steps }: Hold, atWork: readonly Delivery[], wire: Wire): void {
    const { job, runId, owner, overlap, locks = [] } = delivery;
    this.started.add(runId);
    // An operator has decided that it counts no longer; what it writes is refused.
    if (this.#unlocked.has(owner)) return;
    const record = wire.recordOf(job, runId);
    const locked = overlap === "allow" ? record : wire.itemAt(stateKey(FLEET, job));
    const ofJob = this.#told.filter((one) => one.delivery.job === job);
    const shutOut = ofJob.filter((one) => excludes(delivery, one.delivery)).map((one) => one.fencingToken);
    const start = { owner, runId, fencingToken, steps: steps.length };
    const beside = atWork.find((other) => !this.#unlocked.has(other.owner) && excludes(delivery, other));
    checkStart(start, locked, record, beside?.runId, Math.max(0, ...shutOut));
    for (const lock of locks) checkLock(runId, owner, wire.itemAt(lockKey(FLEET, lock)));
    const tokens = ofJob.map((one) => ({ runId: one.delivery.runId, fencingToken: one.fencingToken }));
    checkToken(runId, fencingToken, tokens);
    const held = this.#heldOver.find((one) => this.#time.nowMs < one.untilMs && excludes(delivery, one.delivery));
    checkHeldOver(runId, held?.delivery.runId);
    this.#told.push({ delivery, fencingToken });
  }

  /** Its handler was killed, or timed out. Time goes by in leaps: a process may have been due to end before. */
  endsBadly(invocation: Invocation): void {
    const { delivery } = invocation;
    if (delivery.holdMs === undefined || this.#unlocked.has(delivery.owner)) return;
    const endMs = Math.min(this.#time.nowMs, delivery.leaseExpiresAtMs, goneMs(invocation));
    this.#heldOver = [...this.#heldOver, { delivery, untilMs: endMs + delivery.holdMs }];
  }

  /** An operator takes its lock from this owner, whatever its handler does. */
  unlocks(owner: string): void {
    this.#unlocked.add(owner);
    this.#heldOver = this.#heldOver.filter(({ delivery }) => delivery.owner !== owner);
  }
}

/** Whether two must not be at work at once: one run, one job's lock, or one shared lock. */
function excludes(one: Delivery, other: Delivery): boolean {
  if (one.runId === other.runId) return true;
  if (one.overlap === "allow" || other.overlap === "allow") return false;
  return one.job === other.job || (one.locks ?? []).some((lock) => other.locks?.includes(lock));
}
