import {
  type Begun,
  begin,
  type Command,
  type Finished,
  finish,
  type Hold,
  isFinal,
  nextLookMs,
  type Outcome,
  type Protocol,
  type QueueEntry,
  type Renewed,
  record,
  recordSteps,
  release,
  renew,
  type Stepped,
  waitsUntilMs,
} from "../../lib/run/index.ts";
import { AT_WORK, type Beat, beats, type Invocation, type Journey, mustStop } from "./invocation.ts";
import { SECOND } from "./plan.ts";
import type { Platform } from "./platform.ts";
import type { Random } from "./random.ts";
import type { Referee } from "./referee.ts";
import type { Time, Wire } from "./wire.ts";

const TIMEOUT_MS = 40 * SECOND;
const DEADLINE_MARGIN_MS = 3 * SECOND;
const SKEW_MS = 5 * SECOND;
const MAX_STEPS = 2;

/** What the processes do: the middleware's part, and a handler that takes its time, fails or goes on when it must not. */
export class Running {
  /** How many handlers started after they had waited for their turn. */
  turns = 0;
  readonly #random: Random;
  readonly #time: Time;
  readonly #wire: Wire;
  readonly #platform: Platform;
  readonly #referee: Referee;
  #serial = 0;

  constructor(random: Random, time: Time, wire: Wire, platform: Platform, referee: Referee) {
    this.#random = random;
    this.#time = time;
    this.#wire = wire;
    this.#platform = platform;
    this.#referee = referee;
  }

  /** One thing more that the journey's process does. */
  move(journey: Journey): void {
    const { invocation } = journey;
    if (invocation) this.#advance(journey, invocation);
    else this.#start(journey);
  }

  #start(journey: Journey): void {
    const { nowMs } = this.#time;
    const skewMs = this.#random.upTo(2 * SKEW_MS) - SKEW_MS;
    const hasWaited = journey.waitsUntilMs !== undefined && nowMs >= journey.waitsUntilMs;
    const times = { receivedMs: nowMs + skewMs, leaseExpiresAtMs: nowMs + TIMEOUT_MS };
    const delivery = { ...journey.first, owner: `owner-${++this.#serial}`, ...times, hasWaited };
    const handlerEndsMs = nowMs + this.#random.upTo(TIMEOUT_MS * 1.2);
    const [fails, isCutOff] = [this.#random.chance(0.3), this.#random.chance(0.3)];
    const protocol = begin(delivery);
    const sent = { protocol, next: protocol.next() };
    journey.invocation = { delivery, skewMs, handlerEndsMs, fails, isCutOff, phase: "begin", ...sent };
  }

  #advance(journey: Journey, invocation: Invocation): void {
    const { next, phase, hold } = invocation;
    if (this.#random.chance(0.03)) this.#platform.kill(journey, invocation);
    else if (hold && beats(invocation, this.#time.nowMs) && this.#random.chance(0.7))
      this.#beat(journey, invocation, hold);
    else if (phase === "handler") this.#handle(journey, invocation);
    else if (phase === "stuck") return;
    else if (!next.done) this.#send(journey, invocation, next.value);
    else if (phase === "begin") this.#begun(journey, invocation, next.value as Begun);
    else if (phase === "step") this.#stepped(journey, invocation, next.value as Stepped);
    else if (phase === "timing-out") this.#timedOut(journey, invocation, next.value as Finished);
    else this.#ended(journey, invocation, next.value as Finished | QueueEntry | undefined);
  }

  #send(journey: Journey, invocation: Invocation, command: Command): void {
    const reply = this.#wire.replyTo(command, invocation.skewMs);
    if (!reply) return;
    journey.invocation = { ...invocation, next: (invocation.protocol as Protocol<unknown>).next(reply) };
  }

  /** Renews the lease, one request after the other; one that takes long is given up, and may land later. */
  #beat(journey: Journey, invocation: Invocation, hold: Hold): void {
    const sentMs = this.#time.nowMs + invocation.skewMs;
    const protocol = renew(hold, sentMs, undefined);
    const { beat = { sentMs, protocol, next: protocol.next() } } = invocation;
    if (beat.next.done) return;
    if (this.#random.chance(0.1)) {
      this.#wire.delay(beat.next.value);
      journey.invocation = { ...invocation, beat: undefined };
      return;
    }
    const reply = this.#wire.replyTo(beat.next.value, invocation.skewMs);
    const next = reply ? beat.protocol.next(reply) : beat.next;
    const isDone = next.done ? { beat: undefined, ...heard(beat, next.value) } : { beat: { ...beat, next } };
    journey.invocation = { ...invocation, ...isDone };
  }

  #begun(journey: Journey, invocation: Invocation, answer: Begun): void {
    const { delivery } = invocation;
    const { nowMs } = this.#time;
    if (answer.kind === "wait") {
      const { heartbeatMs } = answer.holder;
      journey.waitsUntilMs ??= waitsUntilMs(nowMs, heartbeatMs);
      journey.dueMs = nowMs + nextLookMs(heartbeatMs);
      journey.invocation = undefined;
      return;
    }
    if (answer.kind !== "held") {
      this.#platform.handOver(delivery.job, answer.next);
      this.#platform.end(journey, ["duplicate", "skipped", "queued"].includes(answer.kind));
      return;
    }
    if (delivery.cause !== undefined) this.turns++;
    const { hold } = answer;
    const held: Invocation = { ...invocation, phase: "handler", hold, confirmedMs: hold.startedMs };
    if (mustStop(held, nowMs)) {
      this.#endHandler(journey, { ...held, fails: true });
      return;
    }
    const atWork = this.#platform.open.flatMap(({ invocation: other }) =>
      other && AT_WORK.includes(other.phase) ? [other.delivery] : [],
    );
    this.#referee.starts(delivery, hold, atWork, this.#wire);
    journey.invocation = held;
  }

  #handle(journey: Journey, invocation: Invocation): void {
    const { hold, handlerEndsMs, delivery, skewMs } = invocation;
    const { nowMs } = this.#time;
    if (!hold) return;
    if (nowMs >= handlerEndsMs) {
      this.#endHandler(journey, invocation);
    } else if (invocation.isAsked && this.#random.chance(0.3)) {
      this.#endHandler(journey, { ...invocation, fails: false }, "CANCELLED");
    } else if (mustStop(invocation, nowMs) && this.#random.chance(0.3)) {
      this.#endHandler(journey, { ...invocation, fails: true });
    } else if (nowMs >= delivery.leaseExpiresAtMs - DEADLINE_MARGIN_MS) {
      const protocol = record(hold, { status: "TIMED_OUT", endedMs: nowMs + skewMs });
      journey.invocation = { ...invocation, protocol, phase: "timing-out", next: protocol.next() };
    } else if (hold.steps.length < MAX_STEPS && this.#random.chance(0.05)) {
      const steps = [...hold.steps, { name: `step-${hold.steps.length + 1}` }];
      const protocol = recordSteps({ ...hold, steps });
      journey.invocation = { ...invocation, hold: { ...hold, steps }, protocol, phase: "step", next: protocol.next() };
    }
  }

  /** A step that is not on the record: the run is somebody else's by now, and the handler has to end. */
  #stepped(journey: Journey, invocation: Invocation, { recorded }: Stepped): void {
    if (recorded) journey.invocation = { ...invocation, phase: "handler" };
    else this.#endHandler(journey, { ...invocation, fails: true });
  }

  #endHandler(
    journey: Journey,
    invocation: Invocation,
    status: Outcome["status"] = invocation.fails ? "FAILED" : "SUCCEEDED",
  ): void {
    const { hold, skewMs } = invocation;
    if (!hold) return;
    const protocol = finish(hold, { status, endedMs: this.#time.nowMs + skewMs });
    journey.invocation = { ...invocation, protocol, phase: "finish", next: protocol.next() };
  }

  /**
   * Released only when the handler has confirmed that it stopped, and if the job asks for no hold; else the invocation
   * stays until it is killed, or fails with its lock.
   */
  #timedOut(journey: Journey, invocation: Invocation, finished: Finished): void {
    const { hold, delivery } = invocation;
    if (!hold || this.#random.chance(0.5)) {
      journey.invocation = { ...invocation, phase: "stuck" };
    } else if (delivery.holdMs !== undefined) {
      this.#referee.endsBadly(invocation);
      this.#platform.end(journey, false);
    } else {
      const protocol = release(hold, finished);
      journey.invocation = { ...invocation, protocol, phase: "finish", next: protocol.next(), fails: true };
    }
  }

  #ended(journey: Journey, { fails, delivery }: Invocation, result: Finished | QueueEntry | undefined): void {
    const finished = result && "recorded" in result ? result : undefined;
    this.#platform.handOver(delivery.job, finished ? finished.next : (result as QueueEntry | undefined));
    // As the middleware does: with the attempt recorded as lost meanwhile, to acknowledge it would lose the run.
    const isLost = finished?.recorded === false && finished.found && !isFinal(finished.found.status);
    this.#platform.end(journey, !fails && !isLost);
  }
}

function heard({ sentMs }: Beat, renewed: Renewed): Partial<Invocation> {
  if (renewed.kind === "lost") return { isLost: true };
  return { confirmedMs: sentMs, ...(renewed.stop && { isAsked: true }) };
}
