import type { JobState, ScheduleView } from "../../../operations/index.ts";
import type { FleetJob } from "../../api.ts";
import { shownState } from "./shown-state.ts";

export const COLUMNS = ["job", "state", "next", "last", "success"] as const;
export type Column = (typeof COLUMNS)[number];

export interface Sorting {
  readonly by: Column;
  readonly descending: boolean;
}

/** The first click sorts as people mean it; another one turns it round. */
export function nextSorting(current: Sorting, by: Column): Sorting {
  return { by, descending: current.by === by ? !current.descending : by === "last" };
}

/** Jobs without a value come last, whichever way it is sorted; equal ones by name. */
export function sortJobs(jobs: readonly FleetJob[], { by, descending }: Sorting): FleetJob[] {
  const keyed = jobs.map((job) => ({ job, key: keyOf(job, by) }));
  keyed.sort((one, other) => {
    if (one.key === undefined || other.key === undefined) {
      const known = Number(one.key === undefined) - Number(other.key === undefined);
      return known || compare(one.job.job, other.job.job);
    }
    return (descending ? -1 : 1) * compare(one.key, other.key) || compare(one.job.job, other.job.job);
  });
  return keyed.map(({ job }) => job);
}

/** The occurrence that comes first, of all its schedules. */
export function nextOf({ schedules }: Pick<FleetJob, "schedules">): Next | undefined {
  const coming = schedules.flatMap((schedule) => (schedule.next ? [{ at: schedule.next.at, schedule }] : []));
  return coming.sort((one, other) => compare(one.at, other.at))[0];
}

export interface Next {
  readonly at: string;
  readonly schedule: ScheduleView;
}

/** Those that somebody should look at first. */
const STATE_ORDER: readonly JobState[] = [
  "unreadable",
  "interrupted",
  "running",
  "paused",
  "idle",
  "disabled",
  "removed",
];

function keyOf(job: FleetJob, by: Column): string | number | undefined {
  switch (by) {
    case "job":
      return job.job;
    case "state":
      return STATE_ORDER.indexOf(shownState(job));
    case "next":
      return nextOf(job)?.at;
    case "last":
      return job.lastRun && (job.lastRun.endedAt ?? job.lastRun.startedAt ?? job.lastRun.scheduledTime);
    case "success": {
      const { succeeded, failed } = job.recent;
      return succeeded + failed === 0 ? undefined : succeeded / (succeeded + failed);
    }
  }
}

// Instants are ISO 8601 in UTC: their order as texts is that of time.
function compare(one: string | number, other: string | number): number {
  return one < other ? -1 : Number(one > other);
}
