import type { DashboardEvent, FleetJob } from "../../api.ts";

export type Fleet = ReadonlyMap<string, FleetJob>;

export function fleetOf(jobs: readonly FleetJob[]): Fleet {
  return new Map(jobs.map((job) => [job.job, job]));
}

/** The fleet after some events; the same one where they change nothing of it. */
export function applyEvents(fleet: Fleet, events: readonly DashboardEvent[]): Fleet {
  const changes = events.filter(({ kind }) => kind === "job" || kind === "job-removed");
  if (changes.length === 0) return fleet;
  const changed = new Map(fleet);
  for (const event of changes) {
    if (event.kind === "job") changed.set(event.job.job, event.job);
    if (event.kind === "job-removed") changed.delete(event.job);
  }
  return changed;
}
