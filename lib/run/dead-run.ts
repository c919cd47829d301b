import type { Protocol, Reply } from "./command.ts";
import type { RunRecord } from "./record.ts";
import { lostRecord, tallyAfter } from "./records.ts";
import type { JobState } from "./state.ts";

/** Records the end of the dead lease's attempt, unless the run's record knows it; returns the record that stands. */
export function* settleDeadRun(job: string, { lease, fence }: JobState): Protocol<RunRecord | undefined> {
  if (!lease || fence === undefined) return undefined;
  const found = yield* readRecord(job, lease.runId);
  return yield* recordLost(found, (seen) => lostRecord(job, lease, fence, seen));
}

/**
 * Writes that an attempt is lost, unless its record says how it ended; returns the record that stands. Refused, the record
 * has got a step that has to be kept, or was claimed by another delivery: of these there are few.
 */
export function* recordLost(
  found: RunRecord | undefined,
  lostAfter: (found: RunRecord | undefined) => RunRecord | undefined,
): Protocol<RunRecord | undefined> {
  let seen = found;
  for (let lost = lostAfter(seen); lost; lost = lostAfter(seen)) {
    const reply = yield { kind: "put-as-seen", record: lost, seen };
    if (reply.applied) return lost;
    seen = reply.record;
  }
  return seen;
}

/** Refused, somebody else removed it or took the lock: the answer stays the same. */
export function* removeDeadLease(state: JobState, record: RunRecord): Protocol<Reply> {
  return yield { kind: "remove-dead-lease", job: record.job, seen: state, tally: tallyAfter(state, record) };
}

export function* readRecord(job: string, runId: string): Protocol<RunRecord | undefined> {
  return (yield { kind: "read-record", job, runId }).record;
}
