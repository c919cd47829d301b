import type { RunRecord } from "../run/index.ts";
import type { RunView } from "./run-types.ts";

/** How a job did of late: its newest runs, ten at most. Those at work, skipped or cancelled count as neither. */
export interface RecentRuns {
  /** Those themselves, newest first. */
  readonly runs: readonly Pick<RunView, "runId" | "status" | "durationMs">[];
  readonly succeeded: number;
  /** FAILED, TIMED_OUT and LOST ones. */
  readonly failed: number;
  /** The middle duration of those that succeeded; absent where none did. */
  readonly usualDurationMs?: number | undefined;
}

export const NO_RECENT_RUNS: RecentRuns = { runs: [], succeeded: 0, failed: 0 };

export function recentRuns(records: readonly RunRecord[]): RecentRuns {
  const runs = records.map(({ runId, status, startedMs, endedMs }) => {
    const durationMs = startedMs === undefined || endedMs === undefined ? undefined : endedMs - startedMs;
    return { runId, status, durationMs };
  });
  const succeeded = runs.filter(({ status }) => status === "SUCCEEDED");
  const failed = runs.filter(({ status }) => status === "FAILED" || status === "TIMED_OUT" || status === "LOST");
  const durationsMs = succeeded.flatMap(({ durationMs }) => durationMs ?? []).sort((one, other) => one - other);
  return {
    runs,
    succeeded: succeeded.length,
    failed: failed.length,
    usualDurationMs: durationsMs[Math.floor(durationsMs.length / 2)],
  };
}
