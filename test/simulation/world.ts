import {
  type Begun,
  begin,
  type Command,
  type Delivery,
  type Finished,
  finish,
  goneAtMs,
  type Hold,
  type JobState,
  nextLookMs,
  type Outcome,
  type Overlap,
  type Protocol,
  type QueueEntry,
  type Renewed,
  type Reply,
  record,
  release,
  renew,
  requestCancel,
  stopAtMs,
  strandedHead,
  waitsUntilMs,
} from "../../lib/run/index.ts";
import { decodeState } from "../../lib/store/codec.ts";
import { requestFor } from "../../lib/store/commands.ts";
import type { Item, Request } from "../../lib/store/request.ts";
import { replyTo } from "../../lib/store/run-store.ts";
import { checkChange, checkEnd, checkStart, checkTurn } from "./invariants.ts";
import { ModelTable } from "./model-table.ts";
import { handOverOf, JOB, planOf, SECOND, T0 } from "./plan.ts";
import { randomFrom } from "./random.ts";

const FLEET = "f";
const PARTITION = `${FLEET}#job#${JOB}`;
const STATE = `${PARTITION}/state`;
const TIMEOUT_MS = 40 * SECOND;
const DEADLINE_MARGIN_MS = 3 * SECOND;
const SKEW_MS = 5 * SECOND;
/** How often the watchdog looks. */
const WATCH_MS = 300 * SECOND;
/** Lambda tries a failed asynchronous invocation again after one and after two more minutes. */
const RETRY_DELAYS_MS = [60 * SECOND, 120 * SECOND];

/** A delivery on its way through its (up to three) invocations. */
interface Journey {
  readonly first: Delivery;
  tries: number;
  dueMs: number;
  /** It has asked a holder to stop, and looks again until then. */
  waitsUntilMs?: number | undefined;
  invocation?: Invocation | undefined;
  end?: "acknowledged" | "dead-lettered";
}

interface Invocation {
  readonly delivery: Delivery;
  readonly skewMs: number;
  readonly protocol: Protocol<Begun> | Protocol<unknown>;
  readonly phase: "begin" | "handler" | "timing-out" | "stuck" | "finish";
  readonly step: IteratorResult<Command, unknown>;
  readonly handlerEndsMs: number;
  readonly fails: boolean;
  readonly hold?: Hold;
  /** With a heartbeat: when the last good request was sent, by the own clock. */
  readonly confirmedMs?: number;
  readonly beat?: Beat | undefined;
  readonly isLost?: boolean;
  /** It has heard that it shall stop. */
  readonly isAsked?: boolean;
  /** No renewal of it reaches the table. */
  readonly isCutOff: boolean;
}

/** A renewal of the lease that is under way. */
interface Beat {
  readonly sentMs: number;
  readonly protocol: Protocol<Renewed>;
  readonly step: IteratorResult<Command, Renewed>;
}

/** The handler is at work, or may be: a time-out has not stopped it yet. */
const AT_WORK: readonly string[] = ["handler", "timing-out", "stuck"] satisfies Invocation["phase"][];

export interface WorldOptions {
  readonly seed: number;
  /** Of occurrences, hours apart. @default 1 */
  readonly bursts?: number;
  /** A change of the conditions, to see that the checks bite. */
  readonly mutate?: (request: Request, command: Command) => Request;
}

/** How many handlers ran, and how many of them after they had waited for their turn. */
export interface Simulated {
  readonly handlers: number;
  readonly turns: number;
}

/**
 * One job in bad times: duplicates, retries, crashes, lost replies, clocks that are off, requests that land long after
 * their process was killed. Throws a `Violation` as soon as an invariant is broken.
 */
export function simulate({ seed, bursts = 1, mutate = (request) => request }: WorldOptions): Simulated {
  const random = randomFrom(seed);
  const started = new Set<string>();
  const { planned, settingsAt } = planOf(random, bursts);
  const table = new ModelTable((before, after) => {
    checkChange(before, after, started);
    if (settingsAt(nowMs).overlaps.every((overlap) => overlap === "queue")) checkTurn(before, after);
  });
  const underway: Request[] = [];
  let nowMs = T0;
  let handlers = 0;
  let turns = 0;
  let serial = 0;
  let watchDueMs = T0;
  const journeys: Journey[] = planned.map((delivery) => ({ ...delivery, tries: 0 }));
  let open = journeys;

  for (;;) {
    open = open.filter(({ end }) => !end);
    if (open.length === 0 && !state().queue) break;
    if (!open.some(({ invocation }) => invocation))
      nowMs = Math.max(nowMs, Math.min(watchDueMs, ...open.map(({ dueMs }) => dueMs)));
    nowMs += random.chance(0.05) ? random.upTo(30 * SECOND) : random.upTo(SECOND);
    if (random.chance(0.02)) togglePause();
    if (random.chance(0.01)) cancel();
    if (underway.length > 0 && random.chance(0.03)) apply(underway.splice(random.upTo(underway.length - 1), 1)[0]);
    if (nowMs >= watchDueMs) watch();
    for (const late of open) {
      if (late.invocation && nowMs >= late.invocation.delivery.leaseExpiresAtMs) kill(late, late.invocation);
      // A handler that goes on when its lease ends is ended with its process.
      if (late.invocation && nowMs >= goneMs(late.invocation)) kill(late, late.invocation);
    }
    const ready = open.filter(({ invocation, dueMs }) => invocation || dueMs <= nowMs);
    if (ready.length === 0) continue;
    const journey = random.pick(ready);
    if (journey.invocation) advance(journey, journey.invocation);
    else start(journey);
  }
  for (const request of underway.splice(0)) apply(request);
  for (const { first } of journeys) {
    const { runId } = first;
    const isDeadLettered = journeys.some(({ first, end }) => first.runId === runId && end === "dead-lettered");
    checkEnd(runId, recordOf(runId), isDeadLettered, started);
  }
  return { handlers, turns };

  function start(journey: Journey): void {
    const skewMs = random.upTo(2 * SKEW_MS) - SKEW_MS;
    const receivedMs = nowMs + skewMs;
    const hasWaited = journey.waitsUntilMs !== undefined && nowMs >= journey.waitsUntilMs;
    const times = { receivedMs, leaseExpiresAtMs: nowMs + TIMEOUT_MS };
    const delivery = { ...journey.first, owner: `owner-${++serial}`, ...times, hasWaited };
    const protocol = begin(delivery);
    const handlerEndsMs = nowMs + random.upTo(TIMEOUT_MS * 1.2);
    const common = { delivery, skewMs, handlerEndsMs, fails: random.chance(0.3), isCutOff: random.chance(0.3) };
    journey.invocation = { ...common, protocol, phase: "begin", step: protocol.next() };
  }

  function advance(journey: Journey, invocation: Invocation): void {
    const { step, phase, hold } = invocation;
    if (random.chance(0.03)) kill(journey, invocation);
    else if (hold && beats(invocation) && random.chance(0.7)) beat(journey, invocation, hold);
    else if (phase === "handler") handle(journey, invocation);
    else if (phase === "stuck") return;
    else if (!step.done) send(journey, invocation, step.value);
    else if (phase === "begin") begun(journey, invocation, step.value as Begun);
    else if (phase === "timing-out") timedOut(journey, invocation, step.value as Finished);
    else ended(journey, invocation, step.value as Finished | QueueEntry | undefined);
  }

  function ended(journey: Journey, { fails }: Invocation, result: Finished | QueueEntry | undefined): void {
    handOver(result && "recorded" in result ? result.next : result);
    fate(journey, !fails);
  }

  /** Whoever ends starts who is next. Now and then that fails, or is delivered twice. */
  function handOver(next: QueueEntry | undefined): void {
    if (!next || random.chance(0.1)) return;
    for (let copy = random.chance(0.1) ? 1 : 0; copy >= 0; copy--) sendStart(next, `start-${++serial}`);
  }

  function sendStart(entry: QueueEntry, id: string): void {
    const journey = {
      first: handOverOf(entry, id, settingsAt(nowMs), random),
      tries: 0,
      dueMs: nowMs + random.upTo(SECOND),
    };
    journeys.push(journey);
    open.push(journey);
  }

  /** As the watchdog does: starts the first of those whom nobody will start. */
  function watch(): void {
    watchDueMs = nowMs + WATCH_MS;
    const head = strandedHead(state(), nowMs);
    if (head) sendStart(head, `watch-${++serial}`);
  }

  function state(): JobState {
    return decodeState(table.items.get(STATE) ?? {});
  }

  function send(journey: Journey, invocation: Invocation, command: Command): void {
    const reply = replyFor(invocation, command);
    if (!reply) return;
    journey.invocation = { ...invocation, step: (invocation.protocol as Protocol<unknown>).next(reply) };
  }

  /** A request that is lost, or whose reply is, is sent again at the next turn. */
  function replyFor({ skewMs }: Invocation, command: Command): Reply | undefined {
    if (random.chance(0.05)) return undefined;
    const request = toRequest(command);
    const answer = table.send(request);
    if (random.chance(0.05)) return undefined;
    return replyTo(command, request, { ...answer, nowMs: Math.min(nowMs + skewMs, tableMs()) });
  }

  /** Renews the lease, one request after the other; one that takes long is given up, and may land later. */
  function beat(journey: Journey, invocation: Invocation, hold: Hold): void {
    const sentMs = nowMs + invocation.skewMs;
    const protocol = renew(hold, sentMs, undefined);
    const { beat = { sentMs, protocol, step: protocol.next() } } = invocation;
    if (beat.step.done) return;
    if (random.chance(0.1)) {
      underway.push(toRequest(beat.step.value));
      journey.invocation = { ...invocation, beat: undefined };
      return;
    }
    const reply = replyFor(invocation, beat.step.value);
    if (!reply) journey.invocation = { ...invocation, beat };
    else journey.invocation = { ...invocation, beat: undefined, ...heard(beat, reply) };
  }

  function heard({ protocol, sentMs }: Beat, reply: Reply): Partial<Invocation> {
    const renewed = protocol.next(reply).value as Renewed;
    if (renewed.kind === "lost") return { isLost: true };
    return { confirmedMs: sentMs, ...(renewed.stop && { isAsked: true }) };
  }

  /** Whether the lease is to be renewed now. */
  function beats({ delivery, phase, confirmedMs = 0, skewMs, isLost = false, isCutOff }: Invocation): boolean {
    if (delivery.heartbeatMs === undefined || !AT_WORK.includes(phase) || isLost || isCutOff) return false;
    return nowMs + skewMs >= confirmedMs + delivery.heartbeatMs;
  }

  function mustStop({ delivery, confirmedMs, skewMs, isLost = false }: Invocation): boolean {
    if (delivery.heartbeatMs === undefined || confirmedMs === undefined) return false;
    return isLost || nowMs + skewMs >= stopAtMs(confirmedMs, delivery.heartbeatMs);
  }

  function goneMs({ delivery, confirmedMs, skewMs, phase }: Invocation): number {
    if (delivery.heartbeatMs === undefined || confirmedMs === undefined || !AT_WORK.includes(phase))
      return Number.POSITIVE_INFINITY;
    return goneAtMs(confirmedMs, delivery.heartbeatMs) - skewMs;
  }

  function begun(journey: Journey, invocation: Invocation, answer: Begun): void {
    const { runId, owner } = invocation.delivery;
    if (answer.kind === "wait") {
      const { heartbeatMs } = answer.holder;
      journey.waitsUntilMs ??= waitsUntilMs(nowMs, heartbeatMs);
      journey.dueMs = nowMs + nextLookMs(heartbeatMs);
      journey.invocation = undefined;
      return;
    }
    if (answer.kind !== "held") {
      handOver(answer.next);
      fate(journey, ["duplicate", "skipped", "queued"].includes(answer.kind));
      return;
    }
    if (invocation.delivery.cause !== undefined) turns++;
    const held: Invocation = { ...invocation, phase: "handler", hold: answer.hold, confirmedMs: answer.hold.startedMs };
    if (mustStop(held)) {
      endHandler(journey, { ...held, fails: true });
      return;
    }
    const { overlap } = invocation.delivery;
    const atWork = open.find(
      ({ first, invocation: other }) =>
        other && AT_WORK.includes(other.phase) && (first.runId === runId || excludesOthers(overlap, other.delivery)),
    );
    const { fencingToken, steps } = answer.hold;
    const locked = overlap === "allow" ? recordOf(runId) : table.items.get(STATE);
    checkStart({ owner, runId, fencingToken, steps: steps.length }, locked, recordOf(runId), atWork?.first.runId);
    started.add(runId);
    handlers++;
    journey.invocation = held;
  }

  function handle(journey: Journey, invocation: Invocation): void {
    const { hold, handlerEndsMs, delivery } = invocation;
    if (!hold) return;
    const endedMs = nowMs + invocation.skewMs;
    if (nowMs >= handlerEndsMs) {
      endHandler(journey, invocation);
    } else if (invocation.isAsked && random.chance(0.3)) {
      endHandler(journey, { ...invocation, fails: false }, "CANCELLED");
    } else if (mustStop(invocation) && random.chance(0.3)) {
      endHandler(journey, { ...invocation, fails: true });
    } else if (nowMs >= delivery.leaseExpiresAtMs - DEADLINE_MARGIN_MS) {
      const protocol = record(hold, { status: "TIMED_OUT", endedMs });
      journey.invocation = { ...invocation, protocol, phase: "timing-out", step: protocol.next() };
    }
  }

  function endHandler(
    journey: Journey,
    invocation: Invocation,
    status: Outcome["status"] = invocation.fails ? "FAILED" : "SUCCEEDED",
  ): void {
    const { hold, skewMs } = invocation;
    if (!hold) return;
    const protocol = finish(hold, { status, endedMs: nowMs + skewMs });
    journey.invocation = { ...invocation, protocol, phase: "finish", step: protocol.next() };
  }

  /** Released only when the handler has confirmed that it stopped; else the invocation stays until it is killed. */
  function timedOut(journey: Journey, invocation: Invocation, finished: Finished): void {
    const { hold } = invocation;
    if (!hold || random.chance(0.5)) {
      journey.invocation = { ...invocation, phase: "stuck" };
      return;
    }
    const protocol = release(hold, finished);
    journey.invocation = { ...invocation, protocol, phase: "finish", step: protocol.next(), fails: true };
  }

  /** The process is gone at once; a request that it had sent may still land, now or much later. */
  function kill(journey: Journey, { step, phase, beat }: Invocation): void {
    if (beat && !beat.step.done && random.chance(0.5)) underway.push(toRequest(beat.step.value));
    if (phase !== "handler" && phase !== "stuck" && !step.done && random.chance(0.5))
      underway.push(toRequest(step.value));
    fate(journey, false);
  }

  function fate(journey: Journey, acknowledged: boolean): void {
    journey.invocation = undefined;
    journey.waitsUntilMs = undefined;
    const delayMs = RETRY_DELAYS_MS[journey.tries++];
    if (acknowledged) journey.end = "acknowledged";
    else if (delayMs === undefined) journey.end = "dead-lettered";
    else journey.dueMs = nowMs + delayMs;
  }

  function toRequest(command: Command): Request {
    return mutate(requestFor(FLEET, command), command);
  }

  function apply(request: Request | undefined): void {
    if (request) table.send(request);
  }

  /** The upper end of what a `Date` header in whole seconds says, of a clock that is off itself. */
  function tableMs(): number {
    return Math.floor((nowMs + random.upTo(4 * SECOND)) / SECOND) * SECOND + 999;
  }

  function togglePause(): void {
    const { paused, ...rest } = table.items.get(STATE) ?? { pk: PARTITION, sk: "state", v: 1 };
    const pause = { by: "alice", reason: "maintenance", at: new Date(nowMs).toISOString() };
    table.items.set(STATE, paused ? rest : { ...rest, paused: pause });
  }

  /** An operator asks whoever is at work to stop. */
  function cancel(): void {
    const protocol = requestCancel(JOB, { by: "alice", id: `cancel-${++serial}`, retentionMs: 86_400 * SECOND });
    let step = protocol.next();
    while (!step.done) {
      const request = toRequest(step.value);
      step = protocol.next(replyTo(step.value, request, { ...table.send(request), nowMs }));
    }
  }

  function recordOf(runId: string): Item | undefined {
    return table.items.get(`${PARTITION}/${runId.startsWith("manual#") ? "" : "run#"}${runId}`);
  }
}

function excludesOthers(overlap: Overlap, other: Delivery): boolean {
  return overlap !== "allow" && other.overlap !== "allow";
}
