import type { FleetJob } from "../../api.ts";
import { isBad } from "../format/words.ts";
import { isDisabled } from "./shown-state.ts";

/** The groups that people look for; a job can be in several. */
export const GROUPS = ["all", "running", "failing", "paused", "warnings", "disabled"] as const;
export type Group = (typeof GROUPS)[number];

export const GROUP_WORDS: Readonly<Record<Group, string>> = {
  all: "All",
  running: "Running",
  failing: "Failing",
  paused: "Paused",
  warnings: "Warnings",
  disabled: "Disabled",
};

export function isIn(group: Group, job: FleetJob): boolean {
  switch (group) {
    case "all":
      return true;
    case "running":
      return job.state === "running" || job.state === "interrupted";
    case "failing":
      return job.consecutiveFailures > 0 || (job.lastRun !== undefined && isBad(job.lastRun.status));
    case "paused":
      return job.paused !== undefined;
    case "warnings":
      return job.state === "unreadable" || job.schedules.some(({ warnings }) => warnings.length > 0);
    case "disabled":
      return isDisabled(job) || job.state === "removed";
  }
}

export function countGroups(jobs: readonly FleetJob[]): Readonly<Record<Group, number>> {
  const counts = GROUPS.map((group) => [group, jobs.filter((job) => isIn(group, job)).length]);
  return Object.fromEntries(counts) as Record<Group, number>;
}

/** The jobs of a group in which every word of the search occurs. */
export function filterJobs(jobs: readonly FleetJob[], group: Group, search: string): FleetJob[] {
  const words = search
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== "");
  return jobs.filter((job) => isIn(group, job) && words.every((word) => textOf(job).includes(word)));
}

// A keystroke looks through all of them: each job's text is made once.
const texts = new WeakMap<FleetJob, string>();

function textOf(job: FleetJob): string {
  const known = texts.get(job);
  if (known !== undefined) return known;
  const schedules = job.schedules.flatMap(({ name, expression, timeZone, description }) => {
    return [name, expression, timeZone, description];
  });
  const parts = [job.job, job.description, ...schedules, job.state, job.paused?.by, job.paused?.reason];
  const text = parts
    .filter((part) => part !== undefined)
    .join("\n")
    .toLowerCase();
  texts.set(job, text);
  return text;
}
