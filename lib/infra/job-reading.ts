import type { CodeOption, Job } from "../lambda/job.ts";
import type { JobOptions } from "../lambda/options.ts";

/** A job as it stands in its file: checked, with its defaults, and plain data. */
export interface JobSpec extends Omit<Job, CodeOption> {
  /** What the file says, for a stack that overrides some of it. */
  readonly options: Omit<JobOptions, CodeOption>;
}

/** What the parent asks of the child. */
export interface ReadRequest {
  readonly path: string;
  readonly jobName: string;
}

/** What the child says first: it has loaded what it needs itself, and imports the file now. */
export const IMPORTING = "importing";

/** What the child answers: the job in the file, or what is wrong with the file. */
export type Reading = { readonly job: JobSpec } | { readonly problem: string };

/** What to do about code that cannot run at synth. */
export const advice =
  "Job files are imported when the app is synthesized, without environment, network or credentials: move this into the handler.";
