import { isDeepStrictEqual } from "node:util";
import { SynthError } from "./errors.ts";
import type { OverriddenJob } from "./overrides.ts";

/** The jobs of one function: a single one, or those that name the same `group`. */
export interface JobGroup {
  /** The job's name, or the group's. */
  readonly name: string;
  readonly shared: boolean;
  readonly jobs: readonly [OverriddenJob, ...OverriddenJob[]];
}

/** What the jobs of a group have to agree on, since they run in one function. */
const common = ["timeoutMs", "function", "resources"] as const;

/**
 * Puts jobs together by their `group`.
 *
 * @throws SynthError where the jobs of a group do not agree, or a group has a job's name
 */
export function groupJobs(jobs: readonly OverriddenJob[]): JobGroup[] {
  const groups = new Map<string, JobGroup>();
  for (const job of jobs) {
    const name = job.group ?? job.name;
    const group = groups.get(name);
    if (!group) groups.set(name, { name, shared: job.group !== undefined, jobs: [job] });
    else groups.set(name, { ...group, jobs: [...group.jobs, joining(job, group)] });
  }
  return [...groups.values()];
}

function joining(job: OverriddenJob, { name, shared, jobs: [first] }: JobGroup): OverriddenJob {
  if (!shared || job.group === undefined) {
    const [grouped, single] = shared ? [first, job] : [job, first];
    throw new SynthError(`${grouped.file}: the group "${name}" has the name of the job in ${single.file}. Rename one.`);
  }
  const different = common.find((key) => !isDeepStrictEqual(job[key], first[key]));
  if (different === undefined) return job;
  const [option, value, other] =
    different === "timeoutMs"
      ? ["timeout", `${job.timeoutMs / 1000} seconds`, `${first.timeoutMs / 1000} seconds`]
      : different === "function"
        ? ["function", JSON.stringify(job.function), JSON.stringify(first.function)]
        : ["overrides", "other CDK objects", "its own"];
  throw new SynthError(
    `${job.file}: its group "${name}" shares one function, so its jobs have the same ${option}. This one has ${value}, ${first.file} has ${other}. Make them equal, or leave the group.`,
  );
}
