import { type RunRecord, scheduledRunId } from "../../run/index.ts";
import type { ListedJob } from "../../store/index.ts";
import type { Occurrence } from "../occurrences.ts";
import { rerunId, worksFor } from "./rerun.ts";
import type { Selection } from "./selections.ts";

/** One run of a backfill. */
export interface Planned {
  readonly occurrence: Occurrence;
  /** Its own identity; or a manual run that works for its time, where its record is not to be replaced. */
  readonly runId: string;
  readonly manual: boolean;
  readonly was: RunRecord["status"] | "missing";
}

interface Asked {
  readonly only: Selection | undefined;
  /** When the backfill was begun, where it goes on. */
  readonly sinceMs?: number | undefined;
}

/**
 * The runs that a backfill has to start.
 *
 * An occurrence without a record, or one that failed and has attempts left, runs under its own identity. One that
 * succeeded, was skipped or cancelled, or has no attempt left, is run again by a manual run that names its time, unless
 * one is at it or has done so since: for `skipped` and failed ones any that succeeded, for `all` one since this very
 * backfill began. Two backfills that see the same plan the same identities, so that the second start is a duplicate.
 *
 * @param records all of the job's from the range's beginning on, up to now
 */
export function planRuns(
  job: Pick<ListedJob, "retries">,
  occurrences: readonly Occurrence[],
  records: readonly RunRecord[],
  { only, sinceMs = Number.POSITIVE_INFINITY }: Asked,
): Planned[] {
  const byId = new Map(records.map((record) => [record.runId, record]));
  return occurrences.flatMap((occurrence): Planned[] => {
    const ownId = scheduledRunId(occurrence.timeMs, occurrence.schedule);
    const record = byId.get(ownId);
    const was = record?.status ?? "missing";
    const mine = records.filter((rerun) => worksFor(rerun, occurrence));
    const isDone = (rerun: RunRecord) =>
      rerun.status === "RUNNING" || isDoneSince(rerun, sinceMs) || (only !== "all" && rerun.status === "SUCCEEDED");
    if (!isSelected(was, only) || (record && isDoneSince(record, sinceMs)) || mine.some(isDone)) return [];
    const newest = record && newestOf([record, ...mine]);
    if (!newest) return [{ occurrence, runId: ownId, manual: false, was }];
    const goesOn = isFailed(newest.status) && newest.attempt <= job.retries;
    const runId = goesOn ? newest.runId : rerunId(occurrence, newest);
    return [{ occurrence, runId, manual: runId !== ownId, was }];
  });
}

/** None of them is at work. */
function newestOf(records: readonly RunRecord[]): RunRecord | undefined {
  return [...records].sort((one, other) => (one.endedMs ?? 0) - (other.endedMs ?? 0)).at(-1);
}

function isSelected(was: Planned["was"], only: Selection | undefined): boolean {
  switch (only) {
    case "missing":
      return was === "missing";
    case "failed":
      return isFailed(was);
    case "skipped":
      return was === "SKIPPED";
    case "all":
      return was !== "RUNNING";
    case undefined:
      return was === "missing" || isFailed(was);
  }
}

function isFailed(was: Planned["was"]): boolean {
  return was === "FAILED" || was === "TIMED_OUT" || was === "LOST";
}

/** An operator's run since the backfill began: its own. */
function isDoneSince(record: RunRecord, sinceMs: number): boolean {
  return record.status === "SUCCEEDED" && record.trigger.kind === "operator" && (record.startedMs ?? 0) >= sinceMs;
}
