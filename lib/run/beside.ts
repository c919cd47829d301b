import type { Protocol, Reply } from "./command.ts";
import { readRecord, recordLost, removeDeadLease, settleDeadRun } from "./dead-run.ts";
import {
  answerFromLease,
  answerFromRecord,
  answerFromRefusal,
  answerFromState,
  comeAgain,
  heedsPause,
  isLate,
  isNewest,
  isScheduled,
  reasonToSkip,
} from "./decide.ts";
import type { Delivery } from "./delivery.ts";
import { leaveQueue } from "./join.ts";
import { placeOf, sinceFirst } from "./line.ts";
import type { Again, Begun, Finished, Hold } from "./outcome.ts";
import { previousSuccess } from "./previous-success.ts";
import { isFinal, type RunRecord } from "./record.ts";
import { attemptsBefore, claimedRecord, lostClaim, lostError, tallyAfter } from "./records.ts";
import { skipRun } from "./skip.ts";
import { isDead, type JobState, NOTHING_YET, pauseOver } from "./state.ts";

const MAX_ROUNDS = 5;

/**
 * `begin` for the overlap policy `allow`: no lock is taken. The state gives out the fencing token; who writes the run's
 * record first may run, and that record says until when nobody else may.
 */
export function* beginBeside(delivery: Delivery): Protocol<Begun> {
  const { job, runId, receivedMs } = delivery;
  const triesAtOnce = isScheduled(delivery) && !isLate(delivery, receivedMs) && delivery.cause === undefined;
  let seen: Reply = triesAtOnce
    ? yield { kind: "take-number", job, nowMs: receivedMs, evenIfPaused: false, highWater: runId }
    : yield { kind: "read-state", job };
  // Newer than everything seen: it has no record.
  if (triesAtOnce && seen.applied) return yield* claimBeside(delivery, seen.state, undefined, receivedMs);

  for (let round = 1; round <= MAX_ROUNDS; round++) {
    const answer = yield* decide(delivery, seen);
    if (answer.kind !== "again") return answer;
    seen = answer.seen;
  }
  return comeAgain(`the job's state changed ${MAX_ROUNDS} times while it was looked at`);
}

function* decide(delivery: Delivery, { state = NOTHING_YET, nowMs }: Reply): Protocol<Begun | Again> {
  const { job, runId } = delivery;
  const known = answerFromState(state, delivery, nowMs);
  if (known?.kind === "duplicate" && isFinal(known.status)) return yield* leaveQueue(delivery, state, known);
  if (known) return known;
  // Left by a run that died when the job had a lock: it would stand for an attempt of this one's record.
  if (state.lease && isDead(state.lease, nowMs)) {
    const dead = yield* settleDeadRun(job, state);
    if (dead) return { kind: "again", seen: yield* removeDeadLease(state, dead) };
  }
  // Whoever holds a lock or waits for it, by a policy of before, is no reason.
  const reason = reasonToSkip({ ...state, lease: undefined }, delivery, nowMs);
  const skip = reason === "overlap" ? undefined : reason;

  const found = yield* readRecord(job, runId);
  const live = found?.lease && answerFromLease(found.lease, delivery, nowMs);
  if (live) return live;
  // The process of a dead attempt is gone: records that, unless it has ended in the meantime.
  const record = yield* recordLost(found, (seen) =>
    seen?.fence === found?.fence ? seen && lostClaim(seen) : undefined,
  );
  const taken = record?.lease && answerFromLease(record.lease, delivery, nowMs);
  if (taken) return taken;
  const answer = record && answerFromRecord(record, delivery, skip, state.fence);
  if (answer) return yield* leaveQueue(delivery, state, answer);
  const dated = sinceFirst(delivery, state, record);
  if (!record && skip) return yield* skipRun(dated, state, skip, nowMs);

  const highWater = isScheduled(delivery) && isNewest(state, delivery) ? runId : undefined;
  const evenIfPaused = !heedsPause(delivery);
  const over = pauseOver(state, nowMs);
  const leaves = placeOf(state, runId);
  const reply = yield {
    kind: "take-number",
    job,
    nowMs,
    seen: state,
    evenIfPaused,
    pauseOver: over,
    highWater,
    leaves,
  };
  if (!reply.applied) return { kind: "again", seen: reply };
  return yield* claimBeside(dated, reply.state, record, nowMs);
}

/** Of two that saw the same record, or none, one writes first. */
function* claimBeside(
  delivery: Delivery,
  state: JobState = NOTHING_YET,
  seen: RunRecord | undefined,
  startedMs: number,
): Protocol<Begun> {
  const { fence = 0, last, lastSuccess, consecutiveFailures } = state;
  const attempt = (seen?.attempt ?? 0) + 1;
  const hold: Hold = {
    delivery,
    fencingToken: fence,
    attempt,
    startedMs,
    attempts: seen ? attemptsBefore(fence, seen) : [],
    previousError: seen && (seen.error ?? lostError(seen.attempt)),
    steps: seen?.steps ?? [],
    tally: { last, lastSuccess, consecutiveFailures },
  };
  const reply = yield { kind: "put-as-seen", record: claimedRecord(hold), seen };
  const isMine = reply.applied || reply.record?.lease?.owner === delivery.owner;
  if (!isMine) return answerFromRefusal(reply, delivery, fence);
  return { kind: "held", hold: { ...hold, previousSuccess: yield* previousSuccess(hold) } };
}

/** Of so many runs that end at the same moment each notes it; beyond that the counts on the state are a little low. */
const MAX_NOTES = 20;

/** There is no lock to give back: only what the run leaves on the state, beside what others left there meanwhile. */
export function* noteEnd(hold: Hold, finished: Finished): Protocol<Reply | undefined> {
  const stands = finished.recorded ? finished.record : finished.found;
  if (!stands) return undefined;
  let tally = hold.tally;
  let reply: Reply | undefined;
  for (let round = 1; round <= MAX_NOTES; round++) {
    reply = yield { kind: "note-end", job: hold.delivery.job, seen: tally, tally: tallyAfter(tally, stands) };
    const { applied, state } = reply;
    const isMyOwnWrite = state?.last?.runId === stands.runId && state.last.endedMs === stands.endedMs;
    if (applied || isMyOwnWrite || !state) break;
    tally = state;
  }
  return reply;
}
