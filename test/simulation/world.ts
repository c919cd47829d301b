import {
  type Begun,
  begin,
  type Command,
  type Delivery,
  type Finished,
  finish,
  type Hold,
  isFinal,
  type JobState,
  nextLookMs,
  type Outcome,
  type Protocol,
  type QueueEntry,
  type Renewed,
  type Reply,
  record,
  recordSteps,
  release,
  renew,
  requestCancel,
  type Stepped,
  strandedHead,
  waitsUntilMs,
} from "../../lib/run/index.ts";
import { decodeState } from "../../lib/store/codec.ts";
import { requestFor } from "../../lib/store/commands.ts";
import { jobPartition, type Key, lockKey, runKey, stateKey } from "../../lib/store/keys.ts";
import type { Item, Request } from "../../lib/store/request.ts";
import { replyTo } from "../../lib/store/run-store.ts";
import { checkChange, checkEnd, checkLock, checkStart, checkToken, checkTurn } from "./invariants.ts";
import { AT_WORK, type Beat, beats, goneMs, type Invocation, type Journey, mustStop } from "./invocation.ts";
import { ModelTable } from "./model-table.ts";
import { handOverOf, JOBS, planOf, SECOND, T0 } from "./plan.ts";
import { randomFrom } from "./random.ts";

const FLEET = "f";
const TIMEOUT_MS = 40 * SECOND;
const DEADLINE_MARGIN_MS = 3 * SECOND;
const SKEW_MS = 5 * SECOND;
const MAX_STEPS = 2;
/** How often the watchdog looks. */
const WATCH_MS = 300 * SECOND;
/** Lambda tries a failed asynchronous invocation again after one and after two more minutes. */
const RETRY_DELAYS_MS = [60 * SECOND, 120 * SECOND];

/** What a handler was told when it started. */
interface Told {
  readonly delivery: Delivery;
  readonly fencingToken: number;
}

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
 * Two jobs in bad times, some of whose runs need the same locks: duplicates, retries, crashes, lost replies, clocks that
 * are off, requests that land long after their process was killed. Throws a `Violation` as soon as an invariant is broken.
 */
export function simulate({ seed, bursts = 1, mutate = (request) => request }: WorldOptions): Simulated {
  const random = randomFrom(seed);
  const started = new Set<string>();
  const { planned, settingsAt } = planOf(random, bursts);
  const table = new ModelTable((before, after) => {
    checkChange(before, after, started);
    for (const job of JOBS) if (after["pk"] === jobPartition(FLEET, job) && isQueue(job)) checkTurn(before, after);
  });
  const underway: Request[] = [];
  const told: Told[] = [];
  let nowMs = T0;
  let turns = 0;
  let serial = 0;
  let watchDueMs = T0;
  const coming: Journey[] = planned.map((delivery) => ({ ...delivery, tries: 0 }));
  const journeys: Journey[] = coming.slice();
  let open: Journey[] = [];

  for (;;) {
    open = open.filter(({ end }) => !end);
    if (open.length === 0 && coming.length === 0 && JOBS.every((job) => !stateOf(job).queue)) break;
    if (!open.some(({ invocation }) => invocation))
      nowMs = Math.max(nowMs, Math.min(watchDueMs, ...[...open, ...coming.slice(0, 1)].map(({ dueMs }) => dueMs)));
    nowMs += random.chance(0.05) ? random.upTo(30 * SECOND) : random.upTo(SECOND);
    while (coming[0] && coming[0].dueMs <= nowMs) open.push(...coming.splice(0, 1));
    if (random.chance(0.02)) togglePause(random.pick(JOBS));
    if (random.chance(0.01)) cancel(random.pick(JOBS));
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
  for (const { first } of planned) {
    const { job, runId } = first;
    const isDeadLettered = journeys.some(({ first, end }) => first.runId === runId && end === "dead-lettered");
    checkEnd(runId, recordOf(job, runId), isDeadLettered, started);
  }
  return { handlers: told.length, turns };

  function isQueue(job: string): boolean {
    return settingsAt(job, nowMs).overlaps.every((overlap) => overlap === "queue");
  }

  function start(journey: Journey): void {
    const skewMs = random.upTo(2 * SKEW_MS) - SKEW_MS;
    const receivedMs = nowMs + skewMs;
    const hasWaited = journey.waitsUntilMs !== undefined && nowMs >= journey.waitsUntilMs;
    const times = { receivedMs, leaseExpiresAtMs: nowMs + TIMEOUT_MS };
    const delivery = { ...journey.first, owner: `owner-${++serial}`, ...times, hasWaited };
    const protocol = begin(delivery);
    const handlerEndsMs = nowMs + random.upTo(TIMEOUT_MS * 1.2);
    const common = { delivery, skewMs, handlerEndsMs, fails: random.chance(0.3), isCutOff: random.chance(0.3) };
    journey.invocation = { ...common, protocol, phase: "begin", next: protocol.next() };
  }

  function advance(journey: Journey, invocation: Invocation): void {
    const { next, phase, hold } = invocation;
    if (random.chance(0.03)) kill(journey, invocation);
    else if (hold && beats(invocation, nowMs) && random.chance(0.7)) beat(journey, invocation, hold);
    else if (phase === "handler") handle(journey, invocation);
    else if (phase === "stuck") return;
    else if (!next.done) send(journey, invocation, next.value);
    else if (phase === "begin") begun(journey, invocation, next.value as Begun);
    else if (phase === "step") stepped(journey, invocation, next.value as Stepped);
    else if (phase === "timing-out") timedOut(journey, invocation, next.value as Finished);
    else ended(journey, invocation, next.value as Finished | QueueEntry | undefined);
  }

  function ended(journey: Journey, { fails, delivery }: Invocation, result: Finished | QueueEntry | undefined): void {
    const finished = result && "recorded" in result ? result : undefined;
    handOver(delivery.job, finished ? finished.next : (result as QueueEntry | undefined));
    // As the middleware does: with the attempt recorded as lost meanwhile, to acknowledge it would lose the run.
    const isLost = finished?.recorded === false && finished.found && !isFinal(finished.found.status);
    fate(journey, !fails && !isLost);
  }

  /** Whoever ends starts who is next. Now and then that fails, or is delivered twice. */
  function handOver(job: string, next: QueueEntry | undefined): void {
    if (!next || random.chance(0.1)) return;
    for (let copy = random.chance(0.1) ? 1 : 0; copy >= 0; copy--) sendStart(job, next, `start-${++serial}`);
  }

  function sendStart(job: string, entry: QueueEntry, id: string): void {
    const journey = {
      first: handOverOf(job, entry, id, settingsAt(job, nowMs), random),
      tries: 0,
      dueMs: nowMs + random.upTo(SECOND),
    };
    journeys.push(journey);
    open.push(journey);
  }

  /** As the watchdog does: starts the first of those whom nobody will start. */
  function watch(): void {
    watchDueMs = nowMs + WATCH_MS;
    for (const job of JOBS) {
      const head = strandedHead(stateOf(job), nowMs);
      if (head) sendStart(job, head, `watch-${++serial}`);
    }
  }

  function stateOf(job: string): JobState {
    return decodeState(itemAt(stateKey(FLEET, job)) ?? {});
  }

  function send(journey: Journey, invocation: Invocation, command: Command): void {
    const reply = replyFor(invocation, command);
    if (!reply) return;
    journey.invocation = { ...invocation, next: (invocation.protocol as Protocol<unknown>).next(reply) };
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
    const { beat = { sentMs, protocol, next: protocol.next() } } = invocation;
    if (beat.next.done) return;
    if (random.chance(0.1)) {
      underway.push(toRequest(beat.next.value));
      journey.invocation = { ...invocation, beat: undefined };
      return;
    }
    const reply = replyFor(invocation, beat.next.value);
    const next = reply ? beat.protocol.next(reply) : beat.next;
    const isDone = next.done ? { beat: undefined, ...heard(beat, next.value) } : { beat: { ...beat, next } };
    journey.invocation = { ...invocation, ...isDone };
  }

  function heard({ sentMs }: Beat, renewed: Renewed): Partial<Invocation> {
    if (renewed.kind === "lost") return { isLost: true };
    return { confirmedMs: sentMs, ...(renewed.stop && { isAsked: true }) };
  }

  function begun(journey: Journey, invocation: Invocation, answer: Begun): void {
    const { delivery } = invocation;
    if (answer.kind === "wait") {
      const { heartbeatMs } = answer.holder;
      journey.waitsUntilMs ??= waitsUntilMs(nowMs, heartbeatMs);
      journey.dueMs = nowMs + nextLookMs(heartbeatMs);
      journey.invocation = undefined;
      return;
    }
    if (answer.kind !== "held") {
      handOver(delivery.job, answer.next);
      fate(journey, ["duplicate", "skipped", "queued"].includes(answer.kind));
      return;
    }
    if (delivery.cause !== undefined) turns++;
    const held: Invocation = { ...invocation, phase: "handler", hold: answer.hold, confirmedMs: answer.hold.startedMs };
    if (mustStop(held, nowMs)) {
      endHandler(journey, { ...held, fails: true });
      return;
    }
    checkHold(delivery, answer.hold);
    started.add(delivery.runId);
    told.push({ delivery, fencingToken: answer.hold.fencingToken });
    journey.invocation = held;
  }

  function checkHold(delivery: Delivery, { fencingToken, steps }: Hold): void {
    const { job, runId, owner, overlap, locks = [] } = delivery;
    const atWork = open.find(
      ({ invocation: other }) => other && AT_WORK.includes(other.phase) && excludes(delivery, other.delivery),
    );
    const record = recordOf(job, runId);
    const locked = overlap === "allow" ? record : itemAt(stateKey(FLEET, job));
    const before = told.filter((one) => excludes(delivery, one.delivery) && one.delivery.job === job);
    const newest = Math.max(0, ...before.map((one) => one.fencingToken));
    const start = { owner, runId, fencingToken, steps: steps.length };
    checkStart(start, locked, record, atWork?.first.runId, newest);
    for (const lock of locks) checkLock(runId, owner, itemAt(lockKey(FLEET, lock)));
    const ofJob = told.filter((one) => one.delivery.job === job);
    checkToken(
      runId,
      fencingToken,
      ofJob.map((one) => ({ ...one, runId: one.delivery.runId })),
    );
  }

  function handle(journey: Journey, invocation: Invocation): void {
    const { hold, handlerEndsMs, delivery } = invocation;
    if (!hold) return;
    const endedMs = nowMs + invocation.skewMs;
    if (nowMs >= handlerEndsMs) {
      endHandler(journey, invocation);
    } else if (invocation.isAsked && random.chance(0.3)) {
      endHandler(journey, { ...invocation, fails: false }, "CANCELLED");
    } else if (mustStop(invocation, nowMs) && random.chance(0.3)) {
      endHandler(journey, { ...invocation, fails: true });
    } else if (nowMs >= delivery.leaseExpiresAtMs - DEADLINE_MARGIN_MS) {
      const protocol = record(hold, { status: "TIMED_OUT", endedMs });
      journey.invocation = { ...invocation, protocol, phase: "timing-out", next: protocol.next() };
    } else if (hold.steps.length < MAX_STEPS && random.chance(0.05)) {
      const steps = [...hold.steps, { name: `step-${hold.steps.length + 1}` }];
      const protocol = recordSteps({ ...hold, steps });
      journey.invocation = { ...invocation, hold: { ...hold, steps }, protocol, phase: "step", next: protocol.next() };
    }
  }

  /** A step that is not on the record: the run is somebody else's by now, and the handler has to end. */
  function stepped(journey: Journey, invocation: Invocation, { recorded }: Stepped): void {
    if (recorded) journey.invocation = { ...invocation, phase: "handler" };
    else endHandler(journey, { ...invocation, fails: true });
  }

  function endHandler(
    journey: Journey,
    invocation: Invocation,
    status: Outcome["status"] = invocation.fails ? "FAILED" : "SUCCEEDED",
  ): void {
    const { hold, skewMs } = invocation;
    if (!hold) return;
    const protocol = finish(hold, { status, endedMs: nowMs + skewMs });
    journey.invocation = { ...invocation, protocol, phase: "finish", next: protocol.next() };
  }

  /** Released only when the handler has confirmed that it stopped; else the invocation stays until it is killed. */
  function timedOut(journey: Journey, invocation: Invocation, finished: Finished): void {
    const { hold } = invocation;
    if (!hold || random.chance(0.5)) {
      journey.invocation = { ...invocation, phase: "stuck" };
      return;
    }
    const protocol = release(hold, finished);
    journey.invocation = { ...invocation, protocol, phase: "finish", next: protocol.next(), fails: true };
  }

  /** The process is gone at once; a request that it had sent may still land, now or much later. */
  function kill(journey: Journey, { next, phase, beat }: Invocation): void {
    if (beat && !beat.next.done && random.chance(0.5)) underway.push(toRequest(beat.next.value));
    if (phase !== "handler" && phase !== "stuck" && !next.done && random.chance(0.5))
      underway.push(toRequest(next.value));
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

  function togglePause(job: string): void {
    const key = stateKey(FLEET, job);
    const { paused, ...rest } = itemAt(key) ?? { ...key, v: 1 };
    const pause = { by: "alice", reason: "maintenance", at: new Date(nowMs).toISOString() };
    table.items.set(`${key.pk}/${key.sk}`, paused ? rest : { ...rest, paused: pause });
  }

  /** An operator asks whoever is at work to stop. */
  function cancel(job: string): void {
    const protocol = requestCancel(job, { by: "alice", id: `cancel-${++serial}`, retentionMs: 86_400 * SECOND });
    let step = protocol.next();
    while (!step.done) {
      const request = toRequest(step.value);
      step = protocol.next(replyTo(step.value, request, { ...table.send(request), nowMs }));
    }
  }

  function recordOf(job: string, runId: string): Item | undefined {
    return itemAt(runKey(FLEET, job, runId));
  }

  function itemAt({ pk, sk }: Key): Item | undefined {
    return table.items.get(`${pk}/${sk}`);
  }
}

/** Whether two must not be at work at once: one run, one job's lock, or one shared lock. */
function excludes(one: Delivery, other: Delivery): boolean {
  if (one.runId === other.runId) return true;
  if (one.overlap === "allow" || other.overlap === "allow") return false;
  return one.job === other.job || (one.locks ?? []).some((lock) => other.locks?.includes(lock));
}
