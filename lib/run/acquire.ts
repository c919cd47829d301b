import type { Protocol, Reply } from "./command.ts";
import { settleDeadRun } from "./dead-run.ts";
import { answerFromRefusal, heedsPause, isNewest, isScheduled } from "./decide.ts";
import type { Delivery } from "./delivery.ts";
import { leaseFor } from "./lease.ts";
import { placeOf, takesTurns } from "./line.ts";
import { giveBack, takeShared } from "./locks.ts";
import type { Again, Begun, Hold } from "./outcome.ts";
import { previousSuccess } from "./previous-success.ts";
import type { RunRecord } from "./record.ts";
import { attemptsBefore, lostError, runningRecord, tallyAfter } from "./records.ts";
import { type JobState, type Lease, pauseOver } from "./state.ts";
import { stepBack } from "./step-back.ts";

type HeldState = JobState & { readonly lease: Lease; readonly leaseFence: number };

/**
 * Takes the lock, which is free or was left by a dead run, and claims the run.
 * @param record the run's own, with attempts left
 */
export function* acquireAsSeen(
  delivery: Delivery,
  state: JobState,
  record: RunRecord | undefined,
  nowMs: number,
): Protocol<Begun | Again> {
  const { job, runId } = delivery;
  const isMyRunDead = state.lease?.runId === runId;
  const deadRecord = isMyRunDead ? record : yield* settleDeadRun(job, state);
  const attempt = (record?.attempt ?? 0) + 1;
  const highWater = isScheduled(delivery) && isNewest(state, delivery) ? runId : undefined;
  const isInTurn = takesTurns(state, delivery);
  const reply = yield {
    kind: "acquire-as-seen",
    job,
    lease: leaseFor(delivery, attempt, nowMs),
    seen: state,
    evenIfPaused: !heedsPause(delivery),
    pauseOver: pauseOver(state, nowMs),
    highWater,
    leaves: placeOf(state, runId),
    takesTurns: isInTurn,
    tally: deadRecord && tallyAfter(state, deadRecord),
  };
  if (!isMine(reply, delivery)) return { kind: "again", seen: reply };
  const hold = holdOf(delivery, reply.state, record);
  const busy = yield* takeShared(hold, hold.startedMs);
  if (busy) return yield* stepBack(hold, busy, { state: reply.state, isInTurn, record });
  // Newer than everything, as on the fast way: there is no record, and whoever would write one raises the mark first.
  const refused = highWater === undefined ? yield* claim(hold, record) : undefined;
  return refused ?? (yield* heldAnswer(hold));
}

/** Goes on from the fast way, which asks for no record: there is none. */
export function* acquiredNewest(delivery: Delivery, state: HeldState): Protocol<Begun> {
  const hold = holdOf(delivery, state);
  const busy = yield* takeShared(hold, hold.startedMs);
  const isInTurn = takesTurns(state, delivery);
  return busy ? yield* stepBack(hold, busy, { state, isInTurn }) : yield* heldAnswer(hold);
}

/** Makes the lock that was got known to the caller. */
function* heldAnswer(hold: Hold): Protocol<Begun> {
  return { kind: "held", hold: { ...hold, previousSuccess: yield* previousSuccess(hold) } };
}

/** My own write, also when its reply was lost and the repetition was refused. With the lease came its token. */
export function isMine(reply: Reply, { owner }: Delivery): reply is Reply & { state: HeldState } {
  return reply.state?.lease?.owner === owner;
}

/**
 * Writes the run's record before its handler starts, as it was seen: whichever record is first decides. Under way since
 * before the lock was taken can be a skip of the same occurrence, and while a new policy is deployed a claim without a
 * lock. Refused, it returns the answer.
 */
function* claim(hold: Hold, seen: RunRecord | undefined): Protocol<Begun | undefined> {
  const { delivery, fencingToken } = hold;
  const reply = yield { kind: "put-as-seen", record: runningRecord(hold), seen };
  const isMyOwnWrite = reply.record?.fence === fencingToken && reply.record.status === "RUNNING";
  if (reply.applied || isMyOwnWrite) return undefined;
  yield* giveBack(delivery);
  return answerFromRefusal(reply, delivery, fencingToken);
}

function holdOf(delivery: Delivery, { lease, leaseFence, ...tally }: HeldState, record?: RunRecord): Hold {
  const { last, lastSuccess, consecutiveFailures } = tally;
  return {
    delivery,
    fencingToken: leaseFence,
    attempt: lease.attempt,
    startedMs: lease.startedMs,
    attempts: record ? attemptsBefore(leaseFence, record) : [],
    previousError: record && (record.error ?? lostError(record.attempt)),
    steps: record?.steps ?? [],
    tally: { last, lastSuccess, consecutiveFailures },
  };
}
