import { acquireAsSeen, acquiredNewest, isMine } from "./acquire.ts";
import { beginBeside } from "./beside.ts";
import type { Protocol, Reply } from "./command.ts";
import { readRecord, removeDeadLease, settleDeadRun } from "./dead-run.ts";
import {
  answerFromLease,
  answerFromRecord,
  answerFromState,
  comeAgain,
  isLate,
  isScheduled,
  mayHaveRun,
  reasonToSkip,
} from "./decide.ts";
import type { Delivery } from "./delivery.ts";
import { joinQueue, leaveQueue, queued } from "./join.ts";
import { leaseFor } from "./lease.ts";
import { hasToWait, placeOf, sinceFirst, strandedHead, takesTurns } from "./line.ts";
import type { Again, Begun } from "./outcome.ts";
import { isFinal, type RunRecord } from "./record.ts";
import { replace } from "./replace.ts";
import { skipRun } from "./skip.ts";
import { NOTHING_YET } from "./state.ts";

/** A state that changes under every look is contended; each look costs requests, and the platform delivers again. */
const MAX_ROUNDS = 5;

/**
 * Decides what a delivery may do, and takes the job's lock where its handler may run.
 *
 * The common case is one conditional update. When it is refused, the state that refused it says why; every later write
 * insists that what was seen still holds, and one that is refused starts the decision again.
 */
export function* begin(delivery: Delivery): Protocol<Begun> {
  const protocol = delivery.overlap === "allow" ? beginBeside(delivery) : beginLocked(delivery);
  let seen: Reply | undefined;
  let step = protocol.next();
  while (!step.done) {
    const reply = yield step.value;
    if (reply.state) seen = reply;
    step = protocol.next(reply);
  }
  return withNext(step.value, seen, delivery);
}

/** Whoever does not run looks after the queue: its head may have been left to this delivery, or to one that crashed. */
function withNext(begun: Begun, seen: Reply | undefined, { runId }: Delivery): Begun {
  if (begun.kind === "held" || !seen?.state) return begun;
  // The next one would meet the same shared lock, and the one after it, round and round.
  if ("sharedLock" in begun) return begun;
  const next = strandedHead(seen.state, seen.nowMs);
  // What this delivery was told of its own run, its start would be told, too, round and round.
  return next && next.runId !== runId ? { ...begun, next } : begun;
}

function* beginLocked(delivery: Delivery): Protocol<Begun> {
  const { job, runId, receivedMs } = delivery;
  // A started run has mostly been seen before.
  const triesAtOnce = isScheduled(delivery) && !isLate(delivery, receivedMs) && delivery.cause === undefined;
  let seen: Reply = triesAtOnce
    ? yield { kind: "acquire-newest", job, lease: leaseFor(delivery, 1, receivedMs), highWater: runId }
    : yield { kind: "read-state", job };
  if (isMine(seen, delivery)) return yield* acquiredNewest(delivery, seen.state);

  for (let round = 1; round <= MAX_ROUNDS; round++) {
    const answer = yield* decide(delivery, seen);
    if (answer.kind !== "again") return answer;
    seen = answer.seen;
  }
  return comeAgain(`the job's state changed ${MAX_ROUNDS} times while it was looked at`);
}

/** One round. The order matters: each answer is right only because the ones above it were not. */
function* decide(delivery: Delivery, { state = NOTHING_YET, nowMs }: Reply): Protocol<Begun | Again> {
  const known = answerFromState(state, delivery, nowMs);
  if (known?.kind === "duplicate" && isFinal(known.status)) return yield* leaveQueue(delivery, state, known);
  if (known) return known;

  const isNotItsTurn = takesTurns(state, delivery) && hasToWait(state, delivery, nowMs);
  const place = placeOf(state, delivery.runId);
  if (isNotItsTurn && place) return queued(place.runId, place.at);

  const skip = reasonToSkip(state, delivery, nowMs);
  // A live lease of this run was answered above.
  const isMyRunDead = state.lease?.runId === delivery.runId;

  // Read after the state: what a run recorded before it gave the lock back is seen here.
  let record: RunRecord | undefined;
  if (isMyRunDead) record = yield* settleDeadRun(delivery.job, state);
  else if (mayHaveRun(state, delivery)) record = yield* readRecord(delivery.job, delivery.runId);

  // Claimed without a lock: the job's policy was another one then.
  const live = record?.lease && answerFromLease(record.lease, delivery, nowMs);
  if (live) return live;
  const answer = record && answerFromRecord(record, delivery, skip, state.fence);
  if (record && answer) {
    if (isMyRunDead) yield* removeDeadLease(state, record);
    return yield* leaveQueue(delivery, state, answer);
  }
  const waits = !record && skip === "overlap" ? yield* replace(delivery, state, nowMs) : undefined;
  if (waits) return waits;
  const dated = sinceFirst(delivery, state, record);
  if (!record && skip) return yield* skipRun(dated, state, skip, nowMs);
  if (isNotItsTurn) return yield* joinQueue(dated, state, nowMs);
  return yield* acquireAsSeen(dated, state, record, nowMs);
}
