import type { Protocol } from "./command.ts";
import { answerFromRefusal, comeAgain } from "./decide.ts";
import type { Delivery } from "./delivery.ts";
import { type Busy, giveBack } from "./locks.ts";
import type { Begun, Hold, Holder } from "./outcome.ts";
import type { RunRecord } from "./record.ts";
import { skippedBy } from "./records.ts";

/**
 * What becomes of a run that holds its job's lock and finds a shared one held: it counts as overlap. The job's lock is
 * given back in any case, and only after a skip is recorded: no other delivery may start the run between the two.
 */
export function* stepBack(hold: Hold, busy: Busy, record: RunRecord | undefined): Protocol<Begun> {
  const own = { ...hold.delivery, locks: [] };
  const answer = yield* answerTo(hold, busy, record);
  yield* giveBack(own);
  return answer;
}

function* answerTo({ delivery, fencingToken }: Hold, busy: Busy, record: RunRecord | undefined): Protocol<Begun> {
  const { lock, lease, nowMs } = busy;
  if (!lease) return comeAgain(`the lock ${lock} changed under every look`);
  const holder = yield* askWhoIsLess(delivery, busy);
  if (holder) return { kind: "wait", holder };
  const sharedLock = { name: lock, job: lease.job };
  if (record) return comeAgain(`job ${lease.job} holds the lock ${lock} and this run has attempts left`);

  const skipped = skippedBy(delivery, fencingToken, { heldBy: lease.runId, sharedLock }, nowMs);
  const reply = yield { kind: "put-skipped", record: skipped };
  const isMyOwnWrite = reply.record?.status === "SKIPPED" && reply.record.requestId === delivery.requestId;
  if (!reply.applied && !isMyOwnWrite) return answerFromRefusal(reply.record, delivery, fencingToken);
  return { kind: "skipped", reason: "overlap", runId: delivery.runId, heldBy: lease.runId, sharedLock };
}

/** Asks a holder of a lower priority to stop, if it can hear; undefined: there is nobody to wait for. */
function* askWhoIsLess(delivery: Delivery, { lock, lease, isAsked, nowMs }: Busy): Protocol<Holder | undefined> {
  const { priority = 0, job, runId, hasWaited } = delivery;
  if (hasWaited || lease?.heartbeatMs === undefined || lease.priority >= priority) return undefined;
  const { owner, heartbeatMs } = lease;
  if (!isAsked) {
    const reason = `it needs the lock ${lock}`;
    const stop = { owner, kind: "priority", by: `${job} ${runId}`, reason, atMs: nowMs } as const;
    yield { kind: "ask-lock-holder", lock, stop };
  }
  return { owner, runId: lease.runId, heartbeatMs };
}
