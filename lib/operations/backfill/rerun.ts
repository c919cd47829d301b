import { manualRunId, parseRunId, type RunRecord } from "../../run/index.ts";
import type { Occurrence } from "../occurrences.ts";

/**
 * The identity of the run that follows on this record of the occurrence, whoever asks for it:
 * `<the record's end>#manual#backfill.<schedule>.<scheduled time>.<fencing token>`.
 */
export function rerunId({ schedule, timeMs }: Occurrence, { fence, endedMs = timeMs }: RunRecord): string {
  return manualRunId(`backfill.${schedule}.${timeMs}.${fence}`, endedMs);
}

/** Whether a manual run works for this occurrence; one that says no schedule works for whatever fell due at its time. */
export function worksFor(
  { runId, schedule, workTimeMs, workSchedule }: RunRecord,
  of: { readonly timeMs: number; readonly schedule?: string | undefined },
): boolean {
  const itsSchedule = workSchedule ?? rerunSchedule(runId) ?? of.schedule;
  const isOfSchedule = of.schedule === undefined || itsSchedule === of.schedule;
  return schedule === undefined && workTimeMs === of.timeMs && isOfSchedule;
}

/** The schedule of the occurrence that such a run works for; undefined of any other run. */
export function rerunSchedule(runId: string): string | undefined {
  const identity = parseRunId(runId);
  if (identity?.kind !== "manual") return undefined;
  return /^backfill\.(.+)\.\d+\.\d+$/.exec(identity.id)?.[1];
}
