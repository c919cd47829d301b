import type { Protocol, Reply } from "./command.ts";
import {
  answerFromRecord,
  answerFromRefusal,
  answerFromState,
  comeAgain,
  isLate,
  isNewest,
  isScheduled,
  mayHaveRun,
  newestOf,
  reasonToSkip,
} from "./decide.ts";
import type { Delivery } from "./delivery.ts";
import { runTimeMs } from "./identity.ts";
import type { Begun } from "./outcome.ts";
import type { RunRecord, SkipReason } from "./record.ts";
import { attemptsBefore, lostError, lostRecord, runningRecord, skippedRecord, tallyAfter } from "./records.ts";
import type { JobState, Lease, Success } from "./state.ts";

/** A state that changes under every look is contended; each look costs a request, and the platform delivers again. */
const MAX_ROUNDS = 5;

const NOTHING_YET: JobState = { consecutiveFailures: 0 };

type HeldState = JobState & { readonly lease: Lease; readonly fence: number };
type Held = Extract<Begun, { kind: "held" }>;
/** The state changed between the look and the write: look again. */
type Again = { readonly kind: "again"; readonly seen: Reply };

/**
 * Decides what a delivery may do, and takes the job's lock where its handler may run.
 *
 * The common case is one conditional update. When it is refused, the state that refused it says why; every later write
 * insists that what was seen still holds, and one that is refused starts the decision again.
 */
export function* begin(delivery: Delivery): Protocol<Begun> {
  const { job } = delivery;
  const triesAtOnce = isScheduled(delivery) && !isLate(delivery, delivery.receivedMs);
  let seen: Reply = triesAtOnce
    ? yield {
        kind: "acquire-newest",
        job,
        lease: leaseFor(delivery, 1, delivery.receivedMs),
        highWater: delivery.runId,
      }
    : yield { kind: "read-state", job };
  if (isMine(seen, delivery)) return yield* held(seen.state, delivery, undefined);

  for (let round = 1; round <= MAX_ROUNDS; round++) {
    const answer = yield* decide(seen, delivery);
    if (answer.kind !== "again") return answer;
    seen = answer.seen;
  }
  return comeAgain(`the job's state changed ${MAX_ROUNDS} times while it was looked at`);
}

/** One round. The order matters: each answer is right only because the ones above it were not. */
function* decide({ state = NOTHING_YET, nowMs }: Reply, delivery: Delivery): Protocol<Begun | Again> {
  const known = answerFromState(state, delivery, nowMs);
  if (known) return known;

  const skip = reasonToSkip(state, delivery, nowMs);
  // A live lease of this run was answered above.
  const isMyRunDead = state.lease?.runId === delivery.runId;

  // Read after the state: what a run recorded before it gave the lock back is seen here.
  let record: RunRecord | undefined;
  if (isMyRunDead) record = yield* settleDeadRun(state, delivery.job);
  else if (mayHaveRun(state, delivery)) record = yield* readRecord(delivery.job, delivery.runId);

  const answer = record && answerFromRecord(record, delivery, skip, state.fence);
  if (record && answer) {
    if (isMyRunDead) yield* removeDeadLease(state, record);
    return answer;
  }
  if (!record && skip) return yield* skipRun(state, delivery, skip, nowMs);
  return yield* acquireAsSeen(state, delivery, record, nowMs);
}

function* readRecord(job: string, runId: string): Protocol<RunRecord | undefined> {
  return (yield { kind: "read-record", job, runId }).record;
}

/** Records the end of the dead lease's attempt, unless the run's record knows it; returns the record that stands. */
function* settleDeadRun({ lease, fence }: JobState, job: string): Protocol<RunRecord | undefined> {
  if (!lease || fence === undefined) return undefined;
  const found = yield* readRecord(job, lease.runId);
  const lost = lostRecord(job, lease, fence, found);
  if (!lost) return found;
  const reply = yield { kind: "put-record", record: lost };
  return reply.applied ? lost : reply.record;
}

/** Refused, somebody else did it or took the lock: the answer stays the same. */
function* removeDeadLease(state: JobState, record: RunRecord): Protocol<void> {
  yield { kind: "remove-dead-lease", job: record.job, seen: state, tally: tallyAfter(state, record) };
}

/**
 * First the state, so that no other delivery takes the fast way any more; then the record, only if none exists. The
 * other way round, a duplicate could start between the two. A manual run never takes the fast way.
 */
function* skipRun(state: JobState, delivery: Delivery, reason: SkipReason, nowMs: number): Protocol<Begun | Again> {
  const { job, runId } = delivery;
  if (isScheduled(delivery)) {
    const highWater = newestOf(state, delivery);
    const reply = yield { kind: "raise-high-water", job, seen: state, whilePaused: reason === "paused", highWater };
    if (!reply.applied) return { kind: "again", seen: reply };
  }
  const skipped = skippedRecord(delivery, state, reason, nowMs);
  const reply = yield { kind: "put-skipped", record: skipped };
  const isMyOwnWrite = reply.record?.status === "SKIPPED" && reply.record.requestId === delivery.requestId;
  if (reply.applied || isMyOwnWrite) return { kind: "skipped", reason, runId, heldBy: skipped.heldBy };
  return answerFromRefusal(reply.record, delivery, state.fence);
}

/** Takes the lock that is free or was left by a dead run, and claims the run where no record of it was seen. */
function* acquireAsSeen(
  state: JobState,
  delivery: Delivery,
  record: RunRecord | undefined,
  nowMs: number,
): Protocol<Begun | Again> {
  const { job, runId } = delivery;
  const { lease: dead } = state;
  const isMyRunDead = dead?.runId === runId;
  const deadRecord = isMyRunDead ? record : yield* settleDeadRun(state, job);
  const attempt = Math.max(record?.attempt ?? 0, isMyRunDead ? dead.attempt : 0) + 1;
  const reply = yield {
    kind: "acquire-as-seen",
    job,
    lease: leaseFor(delivery, attempt, nowMs),
    seen: state,
    evenIfPaused: !isScheduled(delivery),
    highWater: isScheduled(delivery) && isNewest(state, delivery) ? runId : undefined,
    tally: deadRecord && tallyAfter(state, deadRecord),
  };
  if (!isMine(reply, delivery)) return { kind: "again", seen: reply };
  const begun = yield* held(reply.state, delivery, record);
  return record ? begun : yield* claim(begun);
}

/**
 * Writes the run's record before its handler starts. A skip of the same occurrence, under way since before the lock was
 * taken, writes its record only if none exists: whichever record is first decides.
 */
function* claim(begun: Held): Protocol<Begun> {
  const { delivery, fencingToken } = begun.hold;
  const reply = yield { kind: "put-record", record: runningRecord(begun.hold) };
  const isMyOwnWrite = reply.record?.fence === fencingToken && reply.record.status === "RUNNING";
  if (reply.applied || isMyOwnWrite) return begun;
  yield { kind: "release", job: delivery.job, owner: delivery.owner };
  return answerFromRefusal(reply.record, delivery, fencingToken);
}

function* held(state: HeldState, delivery: Delivery, record: RunRecord | undefined): Protocol<Held> {
  const { fence, lease, last, lastSuccess, consecutiveFailures } = state;
  return {
    kind: "held",
    hold: {
      delivery,
      fencingToken: fence,
      attempt: lease.attempt,
      startedMs: lease.startedMs,
      attempts: record ? attemptsBefore(fence, record) : [],
      previousError: record && (record.error ?? lostError(record.attempt)),
      previousSuccess: yield* previousSuccess(state, delivery),
      tally: { last, lastSuccess, consecutiveFailures },
    },
  };
}

/** The state knows the newest success; only a run that is not newer than that has to look among the records. */
function* previousSuccess({ lastSuccess, lease }: HeldState, delivery: Delivery): Protocol<Success | undefined> {
  const beforeMs = runTimeMs(delivery.runId) ?? lease.startedMs;
  if (!lastSuccess || lastSuccess.scheduledTimeMs < beforeMs) return lastSuccess;
  let reply = yield { kind: "find-success", job: delivery.job, beforeMs };
  while (!reply.success && reply.cursor) {
    reply = yield { kind: "find-success", job: delivery.job, beforeMs, cursor: reply.cursor };
  }
  return reply.success;
}

function leaseFor(delivery: Delivery, attempt: number, startedMs: number): Lease {
  const { owner, runId, deliveryId, redelivered, leaseExpiresAtMs, trigger, requestId, logStream, retentionMs } =
    delivery;
  const expiresAtMs = leaseExpiresAtMs;
  return {
    owner,
    runId,
    deliveryId,
    redelivered,
    attempt,
    startedMs,
    expiresAtMs,
    trigger,
    requestId,
    logStream,
    retentionMs,
  };
}

/** My own write, also when its reply was lost and the repetition was refused. */
function isMine(reply: Reply, { owner }: Delivery): reply is Reply & { state: HeldState } {
  return reply.state?.lease?.owner === owner && reply.state.fence !== undefined;
}
