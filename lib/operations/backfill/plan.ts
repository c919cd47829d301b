import { manualRunId, parseRunId, type RunRecord, scheduledRunId } from "../../run/index.ts";
import type { ListedJob } from "../../store/index.ts";
import type { Occurrence } from "../occurrences.ts";
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
  /** The backfill's. */
  readonly id: string;
  readonly only: Selection | undefined;
  readonly nowMs: number;
  /** When the backfill was begun, where it goes on. */
  readonly sinceMs?: number | undefined;
}

/**
 * The runs that a backfill has to start.
 *
 * An occurrence without a record, or one that failed and has attempts left, runs under its own identity. One that
 * succeeded, was skipped or cancelled, or has no attempt left, is run again by a manual run that names its time, unless
 * one has done so since: for `skipped` and failed ones any that succeeded, for `all` one of this very backfill.
 *
 * @param records all of the job's from the range's beginning on, up to now
 */
export function planRuns(
  job: Pick<ListedJob, "retries">,
  occurrences: readonly Occurrence[],
  records: readonly RunRecord[],
  { id, only, nowMs, sinceMs = Number.POSITIVE_INFINITY }: Asked,
): Planned[] {
  const byId = new Map(records.map((record) => [record.runId, record]));
  const reruns = records.filter(({ workTimeMs, schedule }) => workTimeMs !== undefined && schedule === undefined);
  return occurrences.flatMap((occurrence): Planned[] => {
    const ownId = scheduledRunId(occurrence.timeMs, occurrence.schedule);
    const record = byId.get(ownId);
    const was = record?.status ?? "missing";
    if (!isSelected(was, only) || isDoneSince(record, sinceMs)) return [];
    if (!record || (isFailed(was) && record.attempt <= job.retries)) {
      return [{ occurrence, runId: ownId, manual: false, was }];
    }
    const manualId = `${id}.${occurrence.schedule}.${occurrence.timeMs}`;
    const done = reruns.some(
      (rerun) =>
        rerun.workTimeMs === occurrence.timeMs &&
        (isOf(rerun, manualId) || (only !== "all" && (rerun.status === "SUCCEEDED" || rerun.status === "RUNNING"))),
    );
    return done ? [] : [{ occurrence, runId: manualRunId(manualId, nowMs), manual: true, was }];
  });
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
function isDoneSince(record: RunRecord | undefined, sinceMs: number): boolean {
  return record?.status === "SUCCEEDED" && record.trigger.kind === "operator" && (record.startedMs ?? 0) >= sinceMs;
}

function isOf({ runId }: RunRecord, manualId: string): boolean {
  const identity = parseRunId(runId);
  return identity?.kind === "manual" && identity.id === manualId;
}
