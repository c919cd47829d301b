import type { RunRecord } from "../../run/index.ts";
import type { ListedJob } from "../../store/index.ts";
import { sinceMsOf, whatFellDue } from "../due.ts";
import { instantText } from "../instants.ts";
import type { Occurrence } from "../occurrences.ts";
import type { Range } from "./range.ts";
import type { BackfillPlan } from "./types.ts";

/**
 * What fell due in the range, in the order of time: what is recorded, by whichever schedule was in force; and what has no
 * record, as far as it is known that a schedule fired then.
 */
export function whatWasDue(job: ListedJob, range: Range, records: readonly RunRecord[], nowMs: number): Occurrence[] {
  const recorded = records.flatMap(({ schedule, scheduledTimeMs: timeMs }) => {
    const isIn = timeMs !== undefined && range.fromMs <= timeMs && timeMs < range.toMs;
    return schedule !== undefined && isIn ? [{ schedule, timeMs }] : [];
  });
  const { unrecorded } = whatFellDue(job, range, { records, pauses: [], nowMs });
  return [...recorded.reverse(), ...unrecorded].sort((one, other) => one.timeMs - other.timeMs);
}

/** The schedules of which nobody knows what they were all through the range. */
export function changedIn(job: ListedJob, { fromMs }: Range): BackfillPlan["changed"] {
  return Object.keys(job.schedules)
    .map((schedule) => ({ schedule, sinceMs: sinceMsOf(job, schedule) }))
    .filter(({ sinceMs }) => fromMs < sinceMs)
    .map(({ schedule, sinceMs }) => ({ schedule, since: instantText(sinceMs) }));
}
