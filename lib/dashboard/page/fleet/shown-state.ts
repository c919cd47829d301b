import type { JobState, JobSummary } from "../../../operations/index.ts";

/** Whether no schedule of it fires, by its own code or by the template of its stage. */
export function isDisabled({ disabled, schedules }: Pick<JobSummary, "disabled" | "schedules">): boolean {
  return disabled === true || (schedules.length > 0 && schedules.every((schedule) => schedule.disabled));
}

/** An idle job waits for its next occurrence; where it has none, since it is disabled, that is said instead. */
export function shownState(job: JobSummary): JobState {
  return job.state === "idle" && isDisabled(job) ? "disabled" : job.state;
}
