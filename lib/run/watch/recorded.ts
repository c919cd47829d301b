import { parseRunId } from "../identity.ts";
import type { RunRecord } from "../record.ts";
import type { JobState } from "../state.ts";

/** The times of a schedule's occurrences that are known: recorded, at work before they have a record, or waiting. Ascending. */
export function recordedTimes(schedule: string, state: JobState, runs: readonly RunRecord[]): number[] {
  const { lease, last, queue = [] } = state;
  const times = [...runs, ...queue, lease, last].flatMap((run) => {
    const identity = run && parseRunId(run.runId);
    return identity?.kind === "scheduled" && identity.schedule === schedule ? identity.scheduledTimeMs : [];
  });
  return [...new Set(times)].sort((one, other) => one - other);
}
