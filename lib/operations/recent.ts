import type { RunRecord } from "../run/index.ts";

/** How a job did of late: of its newest runs, ten at most. Those at work, skipped or cancelled count as neither. */
export interface RecentRuns {
  readonly succeeded: number;
  /** FAILED, TIMED_OUT and LOST ones. */
  readonly failed: number;
  /** The middle duration of those that succeeded; absent where none did. */
  readonly usualDurationMs?: number | undefined;
}

export const NO_RECENT_RUNS: RecentRuns = { succeeded: 0, failed: 0 };

export function recentRuns(records: readonly RunRecord[]): RecentRuns {
  const succeeded = records.filter(({ status }) => status === "SUCCEEDED");
  const failed = records.filter(({ status }) => status === "FAILED" || status === "TIMED_OUT" || status === "LOST");
  const durationsMs = succeeded
    .flatMap(({ startedMs, endedMs }) => (startedMs === undefined || endedMs === undefined ? [] : endedMs - startedMs))
    .sort((one, other) => one - other);
  return {
    succeeded: succeeded.length,
    failed: failed.length,
    usualDurationMs: durationsMs[Math.floor(durationsMs.length / 2)],
  };
}
