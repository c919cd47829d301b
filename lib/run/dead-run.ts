import type { Protocol } from "./command.ts";
import type { RunRecord } from "./record.ts";
import { lostRecord, tallyAfter } from "./records.ts";
import type { JobState } from "./state.ts";

/** Records the end of the dead lease's attempt, unless the run's record knows it; returns the record that stands. */
export function* settleDeadRun(job: string, { lease, fence }: JobState): Protocol<RunRecord | undefined> {
  if (!lease || fence === undefined) return undefined;
  const found = yield* readRecord(job, lease.runId);
  const lost = lostRecord(job, lease, fence, found);
  if (!lost) return found;
  const reply = yield { kind: "put-record", record: lost };
  return reply.applied ? lost : reply.record;
}

/** Refused, somebody else removed it or took the lock: the answer stays the same. */
export function* removeDeadLease(state: JobState, record: RunRecord): Protocol<void> {
  yield { kind: "remove-dead-lease", job: record.job, seen: state, tally: tallyAfter(state, record) };
}

export function* readRecord(job: string, runId: string): Protocol<RunRecord | undefined> {
  return (yield { kind: "read-record", job, runId }).record;
}
