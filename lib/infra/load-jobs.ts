import { existsSync, readdirSync } from "node:fs";
import { availableParallelism } from "node:os";
import { basename, dirname, extname, join, resolve } from "node:path";
import { SynthError } from "./errors.ts";
import { JobReader } from "./job-reader.ts";
import type { JobSpec, Reading } from "./job-reading.ts";
import { requireEsModules } from "./module-format.ts";

/** A job and the file that it comes from: plain data. */
export interface LoadedJob extends JobSpec {
  readonly file: string;
}

/** Options of `loadJobs` and `loadJob`. */
export interface LoadJobsOptions {
  /**
   * How long the import of one file may take.
   *
   * @default 20000
   */
  readonly timeLimitMs?: number;
}

/** A file takes about a hundredth of a second. */
const filesPerChild = 200;
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
  return load(directory, jobFilesOf(directory), options);
}

/**
 * Reads the job of one file, for a fleet of a single one in a stack of your own.
 *
 * @throws SynthError naming the file, with what is wrong and what to do
 * @example
 * new ScheduledFunctions(stack, "Reports", { jobs: [await loadJob("jobs/nightly-report.ts")] });
 */
export async function loadJob(file: string, options: LoadJobsOptions = {}): Promise<LoadedJob> {
  if (!jobFile.test(basename(file)) || !existsSync(file))
    throw new SynthError(
      `${resolve(file)} is not there, or is no .ts, .mts, .js or .mjs file. Name the file of one job.`,
    );
  const [job] = await load(dirname(file), [basename(file)], options);
  return job as LoadedJob;
}

async function load(directory: string, names: readonly string[], options: LoadJobsOptions): Promise<LoadedJob[]> {
  requireEsModules(directory, names);
  const readings = await readAll(directory, names, options.timeLimitMs ?? 20_000);
  const problems: string[] = [];
  const jobs: LoadedJob[] = [];
  for (const [index, reading] of readings.entries()) {
    const file = join(directory, names[index] as string);
    if ("problem" in reading) problems.push(`${file}: ${reading.problem}`);
    else jobs.push({ ...reading.job, file });
  }
  if (problems.length > 0) throw new SynthError(problems.join("\n\n"));
  return jobs;
}

/** Each child takes a second of its own to begin with, so that few files share one. */
async function readAll(directory: string, names: readonly string[], timeLimitMs: number): Promise<Reading[]> {
  const readings: Reading[] = [];
  let next = 0;
  const read = async () => {
    const reader = new JobReader(timeLimitMs);
    try {
      while (next < names.length) {
        const index = next++;
        const name = names[index] as string;
        const problem = nameProblem(directory, name, names.slice(0, index));
        readings[index] = problem ? { problem } : await reader.read(resolve(directory, name), jobOf(name));
      }
    } finally {
      reader.close();
    }
  };
  const children = Math.min(Math.ceil(names.length / filesPerChild), availableParallelism());
  await Promise.all(Array.from({ length: children }, read));
  return readings;
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

function nameProblem(directory: string, name: string, earlier: readonly string[]): string | undefined {
  const job = jobOf(name);
  if (!jobName.test(job)) {
    return `a job is named by its file, in 1-64 small letters, digits and "-"; "${job}" is not such a name. Rename the file, or move it to a subfolder if it is no job.`;
  }
  const same = earlier.find((other) => jobOf(other) === job);
  return same && `${join(directory, same)} is the job "${job}" already. Rename one of the two.`;
}

function jobOf(name: string): string {
  return name.slice(0, -extname(name).length);
}
