import { readdirSync } from "node:fs";
import { extname, join, resolve } from "node:path";
import { SynthError } from "./errors.ts";
import { JobReader } from "./job-reader.ts";
import type { JobSpec } from "./job-reading.ts";

/** A job and the file that it comes from: plain data. */
export interface LoadedJob extends JobSpec {
  readonly file: string;
}

/** Options of `loadJobs`. */
export interface LoadJobsOptions {
  /**
   * How long the import of one file may take.
   *
   * @default 20000
   */
  readonly timeLimitMs?: number;
}

const jobFile = /^(?!.*\.d\.ts$).*\.(ts|mts|js|mjs)$/;
const jobName = /^[a-z0-9][a-z0-9-]{0,63}$/;

/**
 * Reads the jobs of a folder: each file in it is one job, named by the file. Every file is imported, in a child process
 * without environment or credentials, for the options that its handler carries.
 *
 * @param directory relative to the working directory, which for a CDK app is the folder of `cdk.json`
 * @throws SynthError naming every file that is wrong, with what is wrong and what to do
 * @example
 * new ScheduledFunctionsStack(app, "Escapement-dev", { stage: "dev", jobs: await loadJobs("functions") });
 */
export async function loadJobs(directory: string, options: LoadJobsOptions = {}): Promise<LoadedJob[]> {
  const jobs: LoadedJob[] = [];
  const problems: string[] = [];
  const reader = new JobReader(options.timeLimitMs ?? 20_000);
  try {
    for (const name of jobFilesOf(directory)) {
      const file = join(directory, name);
      const job = name.slice(0, -extname(name).length);
      const problem = nameProblem(job, jobs);
      const reading = problem ? { problem } : await reader.read(resolve(file), job);
      if ("problem" in reading) problems.push(`${file}: ${reading.problem}`);
      else jobs.push({ ...reading.job, file });
    }
  } finally {
    reader.close();
  }
  if (problems.length > 0) throw new SynthError(problems.join("\n\n"));
  return jobs;
}

function jobFilesOf(directory: string): string[] {
  try {
    return readdirSync(directory)
      .filter((name) => jobFile.test(name))
      .sort();
  } catch (error) {
    throw new SynthError(`The folder of job files, ${resolve(directory)}, cannot be read: ${(error as Error).message}`);
  }
}

function nameProblem(job: string, earlier: readonly LoadedJob[]): string | undefined {
  if (!jobName.test(job)) {
    return `a job is named by its file, in 1-64 small letters, digits and "-"; "${job}" is not such a name. Rename the file, or move it to a subfolder if it is no job.`;
  }
  const same = earlier.find(({ name }) => name === job);
  return same && `${same.file} is the job "${job}" already. Rename one of the two.`;
}
