import type { Protocol } from "../command.ts";
import { recordLost, removeDeadLease, settleDeadRun } from "../dead-run.ts";
import type { RunRecord } from "../record.ts";
import { lostClaim } from "../records.ts";
import { isDead, type JobState } from "../state.ts";

/** Whether a process of the job died with its lock, or with its claim to a run, and nobody has recorded it. */
export function hasDead(state: JobState, runs: readonly RunRecord[], nowMs: number): boolean {
  return deadLease(state, nowMs) !== undefined || runs.some((run) => lostOf(run, nowMs) !== undefined);
}

/** Does what the next delivery would do: records them as LOST, under the protocol's own conditions, and frees the lock. */
export function* settleDead(job: string, state: JobState, runs: readonly RunRecord[], nowMs: number): Protocol<void> {
  if (deadLease(state, nowMs)) {
    const record = yield* settleDeadRun(job, state);
    if (record) yield* removeDeadLease(state, record);
  }
  for (const run of runs) {
    yield* recordLost(run, (seen) => seen && lostOf(seen, nowMs));
  }
}

function deadLease({ lease }: JobState, nowMs: number) {
  return lease && isDead(lease, nowMs) ? lease : undefined;
}

function lostOf(run: RunRecord, nowMs: number): RunRecord | undefined {
  return run.lease && isDead(run.lease, nowMs) ? lostClaim(run) : undefined;
}
