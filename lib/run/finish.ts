import { noteEnd } from "./beside.ts";
import type { Protocol } from "./command.ts";
import { strandedHead } from "./line.ts";
import { giveBack } from "./locks.ts";
import type { Finished, Hold, Outcome } from "./outcome.ts";
import type { RunRecord } from "./record.ts";
import { endedRecord, tallyAfter } from "./records.ts";
import type { QueueEntry } from "./state.ts";

/**
 * Writes how the run ended, then gives the lock back. In this order: while the record is missing the lock stays closed.
 */
export function* finish(hold: Hold, outcome: Outcome): Protocol<Finished> {
  const finished = yield* record(hold, outcome);
  return { ...finished, next: yield* release(hold, finished) };
}

/** What is left to do after a commit, which has recorded the run's success already. */
export function* finishCommitted(hold: Hold, committed: RunRecord): Protocol<Finished> {
  const finished: Finished = { recorded: true, record: committed };
  return { ...finished, next: yield* release(hold, finished) };
}

/**
 * The first half. A time-out is recorded at once and released only when the handler has confirmed that it stopped;
 * until then the lock stays closed, since the handler may still be at work.
 */
export function* record(hold: Hold, outcome: Outcome): Protocol<Finished> {
  const ended = endedRecord(hold, outcome);
  const reply = yield { kind: "put-record", record: ended };
  if (reply.applied) return { recorded: true, record: ended };
  const found = reply.record;
  const isMyOwnEarlierWrite = found?.fence === ended.fence && found.status === ended.status;
  return isMyOwnEarlierWrite ? { recorded: true, record: found } : { recorded: false, found };
}

/**
 * The second half, due also when the record was refused. Refused itself, the lock is no longer mine to give back. Returns
 * the run whose turn it is now, for this one to start.
 */
export function* release(hold: Hold, finished: Finished): Protocol<QueueEntry | undefined> {
  const { delivery, tally } = hold;
  const stands = finished.recorded ? finished.record : finished.found;
  const reply = yield* delivery.overlap === "allow"
    ? noteEnd(hold, finished)
    : giveBack(delivery, stands && tallyAfter(tally, stands));
  return reply?.state && strandedHead(reply.state, reply.nowMs);
}
