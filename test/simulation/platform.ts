import { type QueueEntry, type Start, startOf, strandedHead } from "../../lib/run/index.ts";
import { AT_WORK, goneMs, type Invocation, type Journey } from "./invocation.ts";
import { deliveryOf, JOBS, type planOf, SECOND, T0 } from "./plan.ts";
import type { Random } from "./random.ts";
import type { Referee } from "./referee.ts";
import type { Time, Wire } from "./wire.ts";

/** How often the watchdog looks. */
const WATCH_MS = 300 * SECOND;
/** Lambda tries a failed asynchronous invocation again after one and after two more minutes. */
const RETRY_DELAYS_MS = [60 * SECOND, 120 * SECOND];

type Plan = ReturnType<typeof planOf>;

/** What Lambda and the watchdog do: they deliver, try again, end processes at their deadline, and start who is next. */
export class Platform {
  readonly journeys: Journey[];
  open: Journey[] = [];
  readonly #coming: Journey[];
  readonly #deployedAt: Plan["deployedAt"];
  readonly #random: Random;
  readonly #time: Time;
  readonly #wire: Wire;
  readonly #referee: Referee;
  #serial = 0;
  #watchDueMs = T0;

  constructor({ planned, deployedAt }: Plan, random: Random, time: Time, wire: Wire, referee: Referee) {
    this.#coming = planned.map((delivery) => ({ ...delivery, tries: 0 }));
    this.journeys = this.#coming.slice();
    this.#deployedAt = deployedAt;
    this.#random = random;
    this.#time = time;
    this.#wire = wire;
    this.#referee = referee;
  }

  /** Nothing is to come, and nobody waits. */
  isOver(): boolean {
    this.open = this.open.filter(({ end }) => !end);
    return this.open.length === 0 && this.#coming.length === 0 && JOBS.every((job) => !this.#wire.stateOf(job).queue);
  }

  /** Time goes on; where no process is at work, to what is due next. */
  pass(): void {
    const { open } = this;
    const next = [...open, ...this.#coming.slice(0, 1)].map(({ dueMs }) => dueMs);
    if (!open.some(({ invocation }) => invocation))
      this.#time.nowMs = Math.max(this.#time.nowMs, Math.min(this.#watchDueMs, ...next));
    this.#time.nowMs += this.#random.chance(0.05) ? this.#random.upTo(30 * SECOND) : this.#random.upTo(SECOND);
    while (this.#coming[0] && this.#coming[0].dueMs <= this.#time.nowMs) open.push(...this.#coming.splice(0, 1));
  }

  /** Starts the first of those whom nobody will start, and ends the processes whose time is over. */
  look(): void {
    const { nowMs } = this.#time;
    if (nowMs >= this.#watchDueMs) this.#watch();
    for (const journey of this.open) {
      const { invocation } = journey;
      // A handler that goes on when its lease ends is ended with its process.
      const isOver = invocation && (nowMs >= invocation.delivery.leaseExpiresAtMs || nowMs >= goneMs(invocation));
      if (isOver) this.kill(journey, invocation);
    }
  }

  ready(): readonly Journey[] {
    return this.open.filter(({ invocation, dueMs }) => invocation || dueMs <= this.#time.nowMs);
  }

  /** Whoever ends starts who is next. Now and then that fails, or is delivered twice. */
  handOver(job: string, next: QueueEntry | undefined): void {
    if (!next || this.#random.chance(0.1)) return;
    for (let copy = this.#random.chance(0.1) ? 1 : 0; copy >= 0; copy--) this.start(job, startOf(next, ""));
  }

  /** The process is gone at once; a request that it had sent may still land, now or much later. */
  kill(journey: Journey, invocation: Invocation): void {
    const { next, phase, beat } = invocation;
    if (AT_WORK.includes(phase)) this.#referee.endsBadly(invocation);
    if (beat && !beat.next.done && this.#random.chance(0.5)) this.#wire.delay(beat.next.value);
    if (phase !== "handler" && phase !== "stuck" && !next.done && this.#random.chance(0.5))
      this.#wire.delay(next.value);
    this.end(journey, false);
  }

  end(journey: Journey, acknowledged: boolean): void {
    journey.invocation = undefined;
    journey.waitsUntilMs = undefined;
    const delayMs = RETRY_DELAYS_MS[journey.tries++];
    if (acknowledged) journey.end = "acknowledged";
    else if (delayMs === undefined) journey.end = "dead-lettered";
    else journey.dueMs = this.#time.nowMs + delayMs;
  }

  /** By the newest of its deployments. */
  attemptsOf(job: string): number {
    return this.#deployedAt(job, this.#time.nowMs).at(-1)?.maxAttempts ?? 1;
  }

  /** A scheduled run whose time has come, if there is any. */
  pastOccurrence(job: string): string | undefined {
    const past = this.journeys.filter(
      ({ first: { job: itsJob, scheduledTimeMs = Number.POSITIVE_INFINITY } }) =>
        itsJob === job && scheduledTimeMs <= this.#time.nowMs,
    );
    return past.length > 0 ? this.#random.pick(past).first.runId : undefined;
  }

  #watch(): void {
    this.#watchDueMs = this.#time.nowMs + WATCH_MS;
    for (const job of JOBS) {
      const head = strandedHead(this.#wire.stateOf(job), this.#time.nowMs);
      if (head) this.start(job, startOf(head, ""));
    }
  }

  /** Sends a start of its own, which is delivered once, and tried again as any event. */
  start(job: string, start: Omit<Start, "id">): void {
    const deployed = this.#deployedAt(job, this.#time.nowMs);
    const first = deliveryOf(job, { ...start, id: `start-${++this.#serial}` }, deployed, this.#random);
    const journey = { first, tries: 0, dueMs: this.#time.nowMs + this.#random.upTo(SECOND) };
    this.journeys.push(journey);
    this.open.push(journey);
  }
}
