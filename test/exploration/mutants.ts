import {
  type Begun,
  begin,
  type Command,
  type Delivery,
  type Finished,
  finish,
  type Hold,
  type JobState,
  type Outcome,
  type Protocol,
  type Reply,
  type RunStatus,
  record,
  release,
  SKEW_TOLERANCE_MS,
} from "../../lib/run/index.ts";
import { type Condition, mayReplaceRecord, noRecord } from "../../lib/store/conditions.ts";
import type { Item, Request } from "../../lib/store/request.ts";
import type { Mutant } from "./process.ts";

const DONE: Reply = { applied: true, nowMs: 0 };
const notFinal: Condition = { path: "status", oneOf: ["RUNNING", "FAILED", "TIMED_OUT", "LOST"] };

/**
 * Faults that a protocol like this one could have: in a condition, in what a reply is taken for, or in the order.
 * Each with the scope in which it shows, and what it breaks there.
 */
export const MUTANTS: Readonly<Record<string, readonly [scope: string, breaks: string, Mutant]>> = {
  // Conditions, by the places of their clauses in lib/store/commands.ts and conditions.ts.
  "takes a lock that is held": ["manual", "I1", without("acquire-newest", [0])],
  "starts at once on a paused job": ["pause", "ignores the pause", without("acquire-newest", [1])],
  "starts an old occurrence unread": ["pause", "I2", without("acquire-newest", [2])],
  "takes the lock whatever happened since the look": ["pause", "I1", without("acquire-as-seen", [0, 1])],
  "takes away a pause on which it does not insist": ["pause-over", "was taken away", { request: pauseGoes }],
  "starts on a job paused since the look": ["pause", "ignores the pause", without("acquire-as-seen", [2])],
  "lets an acquire move the mark back": ["three", "the mark went back", without("acquire-as-seen", [3])],
  "skips whatever happened since the look": ["pause", "I8", without("raise-high-water", [0, 1])],
  "lets a skip move the mark back": ["pause-next", "the mark went back", without("raise-high-water", [2])],
  "removes a lease that is no longer the dead one": ["next-twice", "I1", without("remove-dead-lease", [0, 1])],
  "releases without an owner check": ["attempts", "I1", without("release", [0])],
  "replaces any record": ["attempts", "I5", without("put-record", [0])],
  "finishes without a fence": ["twice", "I4", { request: withoutFence }],
  "lets a write of the same attempt replace its end": ["twice", "I5", { request: sameFenceReplaces }],
  "writes a step without a fence": ["steps", "I4", { request: stepWithoutFence }],
  "lets an old copy of a step's write take back a newer one": ["steps", "I9", { request: stepAfterStep }],
  "forgets the steps of a run that died": ["steps", "I9", { request: lostWithoutSteps }],
  "skips a run that has a record": ["pause", "I8", without("put-skipped", [0])],
  "gives a lock the fence of the one before": ["pause", "I3", { request: withoutNewFence }],

  // The queue.
  "lets a newcomer overtake those who wait": ["queue-full", "overtakes", without("acquire-newest", [3])],
  "joins behind a holder that has left": ["queue-lost", "nobody will start it", joiningBlindly()],
  "joins without writing so": ["queue-lost", "I6", { begin: (delivery) => pretending(begin(delivery), isJoining) }],
  "steps back without a place in the queue": [
    "queue-shared",
    "I6",
    { begin: (delivery) => pretending(begin(delivery), isJoining) },
  ],
  "takes the head's lock whatever happened since the look": ["queue-full", "I1", without("acquire-as-seen", [0, 1])],
  "takes anybody's entry out": ["large-queue-skips", "I6", { request: anybodysEntry }],
  "takes the entry out before it has the lock": ["queue-attempts", "overtakes", { begin: leavingFirst }],
  "starts nobody at its end": ["queue-lost", "nobody will start it", { finish: startingNobody }],
  "starts nobody when it does not run": [
    "large-queue-skips",
    "nobody will start it",
    { begin: startingNobodyUnlessHeld },
  ],
  // Heartbeats, requests to stop, shared locks.
  "renews a lease that is another's": ["beats", "I3", without("renew", [0])],
  "takes back what a later renewal gave": ["beats", "I1", without("renew", [1])],
  "leaves out the tolerance for the clock of a lease's owner": ["beats", "I1", { request: shorterLease }],
  "lets a request to stop outlive its lease": ["cancel", "outlives", { request: stopStays }],
  "records a cancellation without a fence": ["cancel", "I4", { request: cancelledWithoutFence }],
  "runs beside a holder that did not stop in time": ["replace", "I1", { begin: impatient }],
  "takes a shared lock that is held": ["shared", "I1", without("take-lock", [0])],
  "releases a shared lock without an owner check": ["shared", "I1", without("release-lock", [0])],
  "takes another order of shared locks in another job": ["two-shared", "L1", { begin: unsorted }],

  // A new policy, while it is deployed.
  "takes a number though the run has taken the lock since the look": ["policies", "I1", without("take-number", [0])],
  "reads its token from the fence": ["policies-tokens", "I3", onState(({ fence }) => ({ leaseFence: fence }))],
  "claims under a lock whatever was claimed since the look": ["policies", "I8", byFence("RUNNING")],
  "records a loss over what was claimed since the look": ["policies-attempts", "I8", byFence("LOST")],

  // What a reply is taken for.
  "takes its own lease, whose reply was lost, for another's": ["twice", "I6", { reply: ownLeaseIsAnothers }],
  "trusts a clock without a margin": ["pause", "I1", { reply: withoutMargin }],
  "lets the last run answer though it failed": ["synchronous", "I6", onState(lastIsFinal)],
  "takes a live lease of its own delivery for another's": ["pause", "I6", onState(leaseIsAnothers)],
  "answers a duplicate of a run that is not delivered again": ["synchronous", "I6", onState(leaseIsRedelivered)],
  "looks at the pause before the duplicates": ["pause", "I8", onState(pauseHidesRest)],

  // The order.
  "releases before it records": ["pause", "I8", { finish: releasedFirst }],
  "releases at a time-out while the handler works": ["attempts", "I1", { record: finish }],
  "records a skip before it raises the mark": ["pause", "I2", { begin: (delivery) => recordedFirst(begin(delivery)) }],
  "skips on a paused job without raising the mark": ["pause", "I2", { begin: unmarked }],
  "runs without claiming the record": ["pause", "I2", { begin: unclaimed }],
  "neither reads its own record nor claims it": ["next", "I2", { begin: unclaimed, reply: ownRecordUnread }],
  "acknowledges what it cannot decide": ["pause", "I6", { begin: acknowledging }],
};

/** Takes clauses out of one command's condition. */
function without(kind: Command["kind"], places: readonly number[]): Mutant {
  const clausesOf = (condition: Condition) => ("allOf" in condition ? condition.allOf : [condition]);
  return {
    request: (request, command) =>
      command.kind === kind && "condition" in request && request.condition
        ? withCondition(request, { allOf: clausesOf(request.condition).filter((_, place) => !places.includes(place)) })
        : request,
  };
}

/** As the record of an end is written: over any that is older and not final. */
function byFence(status: RunStatus): Mutant {
  return {
    request: (request, command) => {
      if (command.kind !== "put-as-seen" || command.record.status !== status || command.record.lease) return request;
      return withCondition(request, mayReplaceRecord(command.record));
    },
  };
}

function pauseGoes(request: Request, command: Command): Request {
  const isOver = command.kind === "acquire-as-seen" && command.pauseOver !== undefined;
  return isOver && request.kind === "update" ? { ...request, remove: [...request.remove, "paused"] } : request;
}

function withoutFence(request: Request, command: Command): Request {
  if (command.kind !== "put-record") return request;
  return withCondition(request, { anyOf: [noRecord, notFinal] });
}

function sameFenceReplaces(request: Request, command: Command): Request {
  if (command.kind !== "put-record") return request;
  const notNewer: Condition = { path: "fence", is: "<=", value: command.record.fence };
  return withCondition(request, { anyOf: [noRecord, { allOf: [notNewer, notFinal] }] });
}

function stepWithoutFence(request: Request, command: Command): Request {
  return isStep(command) ? withoutFence(request, command) : request;
}

function stepAfterStep(request: Request, command: Command): Request {
  if (command.kind !== "put-record" || !isStep(command)) return request;
  const fence = command.record.fence;
  const isOlder: Condition = { path: "fence", is: "<", value: fence };
  const isThisAttempt: Condition = { path: "fence", is: "=", value: fence };
  const isRunning: Condition = { path: "status", is: "=", value: "RUNNING" };
  const anyOf = [noRecord, { allOf: [isOlder, notFinal] }, { allOf: [isThisAttempt, isRunning] }];
  return withCondition(request, { anyOf });
}

function lostWithoutSteps(request: Request): Request {
  if (request.kind !== "put" || request.item["status"] !== "LOST") return request;
  const { steps: _, stepCount: __, ...item } = request.item;
  return { ...request, item };
}

function isStep(command: Command): boolean {
  return command.kind === "put-record" && command.record.status === "RUNNING" && command.record.steps !== undefined;
}

/** It would start itself where it sees that the holder has left. */
function joiningBlindly(): Mutant {
  return { ...without("join-queue", [0, 1]), begin: startingNobodyUnlessHeld };
}

function anybodysEntry(request: Request): Request {
  if (!("condition" in request) || !request.condition || !("allOf" in request.condition)) return request;
  const isPlace = (clause: Condition) => "path" in clause && clause.path.startsWith("queue[");
  return withCondition(request, { allOf: request.condition.allOf.filter((clause) => !isPlace(clause)) });
}

function cancelledWithoutFence(request: Request, command: Command): Request {
  const isCancellation = command.kind === "put-record" && command.record.status === "CANCELLED";
  return isCancellation ? withoutFence(request, command) : request;
}

function stopStays(request: Request): Request {
  return request.kind === "update" ? { ...request, remove: request.remove.filter((name) => name !== "stop") } : request;
}

function shorterLease(request: Request): Request {
  const lease = request.kind === "update" ? (request.set["lease"] as Item | undefined) : undefined;
  if (request.kind !== "update" || !lease) return request;
  const expiresAt = new Date(Date.parse(String(lease["expiresAt"])) - SKEW_TOLERANCE_MS).toISOString();
  return { ...request, set: { ...request.set, lease: { ...lease, expiresAt } } };
}

/** When its wait is over it takes the holder for dead. */
function* impatient(delivery: Delivery): Protocol<Begun> {
  const protocol = begin({ ...delivery, hasWaited: false });
  let step = protocol.next();
  while (!step.done) {
    const reply = yield step.value;
    const isOver = delivery.hasWaited && reply.state?.lease;
    step = protocol.next(isOver ? { ...reply, nowMs: delivery.leaseExpiresAtMs * 2 } : reply);
  }
  return step.value;
}

function unsorted(delivery: Delivery): Protocol<Begun> {
  const { job, locks = [] } = delivery;
  return begin(job === "other" ? { ...delivery, locks: locks.toReversed() } : delivery);
}

function withoutNewFence(request: Request): Request {
  return request.kind === "update" ? { ...request, increment: undefined } : request;
}

function withCondition(request: Request, condition: Condition): Request {
  return request.kind === "update" || request.kind === "put" ? { ...request, condition } : request;
}

/** Shows the protocol another state than the one that is there. */
function onState(change: (state: JobState) => Partial<JobState>): Mutant {
  return { reply: (reply) => (reply.state ? { ...reply, state: { ...reply.state, ...change(reply.state) } } : reply) };
}

function lastIsFinal({ last }: JobState): Partial<JobState> {
  return { last: last && { ...last, status: "SUCCEEDED" } };
}

function leaseIsAnothers({ lease }: JobState): Partial<JobState> {
  return { lease: lease && { ...lease, deliveryId: "another" } };
}

function leaseIsRedelivered({ lease }: JobState): Partial<JobState> {
  return { lease: lease && { ...lease, redelivered: true } };
}

function pauseHidesRest({ paused }: JobState): Partial<JobState> {
  return paused ? { last: undefined, lease: undefined } : {};
}

function ownLeaseIsAnothers(reply: Reply, { owner }: Delivery): Reply {
  const { state, applied } = reply;
  if (applied || state?.lease?.owner !== owner) return reply;
  return { ...reply, state: { ...state, lease: { ...state.lease, owner: "another", deliveryId: "another" } } };
}

function withoutMargin(reply: Reply): Reply {
  return { ...reply, nowMs: reply.nowMs + SKEW_TOLERANCE_MS };
}

function ownRecordUnread(reply: Reply, { runId }: Delivery, command: Command): Reply {
  return command.kind === "read-record" && command.runId === runId ? { ...reply, record: undefined } : reply;
}

function* releasedFirst(hold: Hold, outcome: Outcome): Protocol<Finished> {
  yield* release(hold, { recorded: false });
  return yield* record(hold, outcome);
}

/** The two halves of a skip, the other way round. */
function* recordedFirst(protocol: Protocol<Begun>): Protocol<Begun> {
  let step = protocol.next();
  while (!step.done) {
    const command = step.value;
    if (command.kind !== "raise-high-water") {
      step = protocol.next(yield command);
      continue;
    }
    const second = protocol.next(DONE);
    if (second.done) return second.value;
    const reply = yield second.value;
    yield command;
    step = protocol.next(reply);
  }
  return step.value;
}

function unmarked(delivery: Delivery): Protocol<Begun> {
  return pretending(begin(delivery), (command) => command.kind === "raise-high-water" && command.whilePaused);
}

function unclaimed(delivery: Delivery): Protocol<Begun> {
  return pretending(begin(delivery), (command) => command.kind === "put-as-seen");
}

/** Leaves commands out, and tells the protocol that they were done. */
function* pretending(protocol: Protocol<Begun>, isLeftOut: (command: Command) => boolean): Protocol<Begun> {
  let step = protocol.next();
  while (!step.done) step = protocol.next(isLeftOut(step.value) ? DONE : yield step.value);
  return step.value;
}

function* acknowledging(delivery: Delivery): Protocol<Begun> {
  const begun = yield* begin(delivery);
  return begun.kind === "come-again" ? { kind: "duplicate", runId: delivery.runId, status: "RUNNING" } : begun;
}

function isJoining(command: Command): boolean {
  return command.kind === "join-queue";
}

/** Two writes in the place of one: first the entry goes, then the lock is taken. */
function* leavingFirst(delivery: Delivery): Protocol<Begun> {
  const protocol = begin(delivery);
  let step = protocol.next();
  while (!step.done) {
    const command = step.value;
    if (command.kind === "acquire-as-seen" && command.leaves) {
      const { leaves, ...rest } = command;
      yield { kind: "leave-queue", job: command.job, leaves };
      step = protocol.next(yield { ...rest, takesTurns: false });
    } else step = protocol.next(yield command);
  }
  return step.value;
}

function* startingNobody(hold: Hold, outcome: Outcome): Protocol<Finished> {
  const { next: _, ...finished } = yield* finish(hold, outcome);
  return finished;
}

function* startingNobodyUnlessHeld(delivery: Delivery): Protocol<Begun> {
  const begun = yield* begin(delivery);
  return begun.kind === "held" ? begun : { ...begun, next: undefined };
}
