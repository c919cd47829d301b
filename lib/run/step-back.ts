import type { Protocol } from "./command.ts";
import { answerFromRefusal, comeAgain } from "./decide.ts";
import type { Delivery } from "./delivery.ts";
import { joinQueue, queued } from "./join.ts";
import { placeOf } from "./line.ts";
import { type Busy, giveBack } from "./locks.ts";
import type { Begun, Hold, Holder } from "./outcome.ts";
import type { RunRecord } from "./record.ts";
import { skippedBy } from "./records.ts";
import { isHeldOver, type JobState, NOTHING_YET } from "./state.ts";

const MAX_ROUNDS = 5;

/** What the run found when it took its job's lock. */
interface Found {
  /** As it is since. */
  readonly state: JobState;
  /** Whether it takes turns, as the state told before: with the lock its entry in the queue has gone. */
  readonly isInTurn: boolean;
  /** Its own, from an attempt of before. */
  readonly record?: RunRecord | undefined;
}

/**
 * What becomes of a run that holds its job's lock and finds a shared one held: it counts as overlap. The job's lock is
 * given back in any case, once the answer is written.
 */
export function* stepBack(hold: Hold, busy: Busy, found: Found): Protocol<Begun> {
  const own = { ...hold.delivery, locks: [] };
  const answer = yield* answerTo(hold, busy, found);
  yield* giveBack(own);
  return answer;
}

function* answerTo({ delivery, fencingToken }: Hold, busy: Busy, { state, isInTurn, record }: Found): Protocol<Begun> {
  const { lock, lease, nowMs } = busy;
  if (!lease) return comeAgain(`the lock ${lock} changed under every look, or a later run of the job holds it`);
  // Two of one queue that waited here would hand each other the turn, round and round.
  const holder = isInTurn ? undefined : yield* askWhoIsLess(delivery, busy);
  if (holder) return { kind: "wait", holder };
  const sharedLock = { name: lock, job: lease.job };
  if (isInTurn) {
    const answer = yield* waitInLine(delivery, state, lease.runId, nowMs);
    return answer.kind === "queued" ? { ...answer, sharedLock } : answer;
  }
  if (record) return comeAgain(`job ${lease.job} holds the lock ${lock} and this run has attempts left`);

  const heldOver = isHeldOver(lease, nowMs) ? true : undefined;
  const skipped = skippedBy(delivery, fencingToken, { heldBy: lease.runId, heldOver, sharedLock }, nowMs);
  const reply = yield { kind: "put-skipped", record: skipped };
  const isMyOwnWrite = reply.record?.status === "SKIPPED" && reply.record.requestId === delivery.requestId;
  if (!reply.applied && !isMyOwnWrite) return answerFromRefusal(reply, delivery, fencingToken);
  return { kind: "skipped", reason: "overlap", runId: delivery.runId, heldBy: lease.runId, heldOver, sharedLock };
}

/**
 * First in the job's queue again, since its entry has gone with the lock: whoever waits came later. The watchdog or the
 * next delivery looks again.
 */
function* waitInLine(delivery: Delivery, state: JobState, heldBy: string, nowMs: number): Protocol<Begun> {
  let seen = state;
  for (let round = 1; round <= MAX_ROUNDS; round++) {
    const place = placeOf(seen, delivery.runId);
    if (place) return queued(place.runId, place.at);
    const answer = yield* joinQueue(delivery, seen, nowMs, heldBy);
    if (answer.kind !== "again") return answer;
    seen = answer.seen.state ?? NOTHING_YET;
  }
  return comeAgain(`the job's queue changed ${MAX_ROUNDS} times while it was looked at`);
}

/** Asks a holder of a lower priority to stop, if it can hear; undefined: there is nobody to wait for. */
function* askWhoIsLess(delivery: Delivery, { lock, lease, isAsked, nowMs }: Busy): Protocol<Holder | undefined> {
  const { priority = 0, job, runId, hasWaited } = delivery;
  if (hasWaited || lease?.heartbeatMs === undefined || lease.priority >= priority) return undefined;
  // Nobody would hear.
  if (isHeldOver(lease, nowMs)) return undefined;
  const { owner, heartbeatMs } = lease;
  if (!isAsked) {
    const reason = `it needs the lock ${lock}`;
    const stop = { owner, kind: "priority", by: `${job} ${runId}`, reason, atMs: nowMs } as const;
    yield { kind: "ask-lock-holder", lock, stop };
  }
  return { owner, runId: lease.runId, heartbeatMs };
}
