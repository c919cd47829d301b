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
import { leaseFor } from "./lease.ts";
import type { Again, Begun } from "./outcome.ts";
import type { RunRecord } from "./record.ts";
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
  return yield* delivery.overlap === "allow" ? beginBeside(delivery) : beginLocked(delivery);
}

function* beginLocked(delivery: Delivery): Protocol<Begun> {
  const { job, runId, receivedMs } = delivery;
  const triesAtOnce = isScheduled(delivery) && !isLate(delivery, receivedMs);
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
  if (known) return known;

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
    return answer;
  }
  const waits = !record && skip === "overlap" ? yield* replace(delivery, state, nowMs) : undefined;
  if (waits) return waits;
  if (!record && skip) return yield* skipRun(delivery, state, skip, nowMs);
  return yield* acquireAsSeen(delivery, state, record, nowMs);
}
