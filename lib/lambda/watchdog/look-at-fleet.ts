import { isDeepStrictEqual } from "node:util";
import { LOOK_BACK_MS } from "../../run/index.ts";
import type { Fleet, FleetJob, ListedJob } from "../../store/index.ts";
import type { ManifestJob } from "../manifest.ts";
import { lookAtJob, tendJob } from "./look-at-job.ts";
import type { Watchdog } from "./watchdog.ts";

const PARALLEL_JOBS = 20;

/**
 * One look at all jobs of the fleet, begun where the last one stopped. A job that cannot be looked at is said and counted,
 * and does not stop the others.
 *
 * @param hasTime asked before each job; what there is no time for comes first at the next look
 * @throws StoreError where the fleet's list cannot be read
 */
export async function lookAtFleet(watchdog: Watchdog, hasTime: () => boolean): Promise<void> {
  const { manifest, register, notes, metrics, log } = watchdog;
  const [fleet, { nextJob, awayUntilMs = 0 }] = await Promise.all([register.readFleet(), notes.readNotes()]);
  let failed = 0;
  const look = async (job: string, at: () => Promise<void>) => {
    try {
      await at();
    } catch (error) {
      failed++;
      log.error("the watchdog cannot look at a job", { job, failure: String(error) });
    }
  };

  const jobs = inOrder(Object.values(manifest.jobs), nextJob);
  let begun = 0;
  const worker = async () => {
    while (begun < jobs.length && hasTime()) {
      const job = jobs[begun++] as ManifestJob;
      await look(job.job, () => lookAt(watchdog, fleet, job, awayUntilMs));
    }
  };
  await Promise.all(Array.from({ length: PARALLEL_JOBS }, worker));
  for (const gone of goneFrom(fleet, manifest.jobs)) {
    await look(gone, () => register.removeFleetJob(gone, watchdog.nowMs()));
  }

  const left = jobs.slice(begun);
  const next = left[0]?.job;
  if (next !== nextJob) await notes.noteNextJob(next);
  if (next !== undefined) log.warn(`the watchdog had no time for ${left.length} of ${jobs.length} jobs`);
  metrics.looked(failed);
}

/** @throws StoreError also where the job's item of the list cannot be read: then nobody knows what it missed */
async function lookAt(watchdog: Watchdog, fleet: Fleet, job: ManifestJob, awayUntilMs: number): Promise<void> {
  const broken = fleet.unreadable.find((one) => one.job === job.job);
  if (broken) {
    await tendJob(watchdog, job, watchdog.nowMs() - LOOK_BACK_MS);
    throw broken.error;
  }
  const listed = fleet.jobs.find((one) => one.job === job.job);
  const { scheduleNames: _, ...inStack } = job;
  if (!listed || !isListed(inStack, listed)) await watchdog.register.putFleetJob(inStack, watchdog.nowMs());
  await lookAtJob(watchdog, job, listed?.watch, awayUntilMs);
}

function isListed(inStack: FleetJob, known: ListedJob): boolean {
  const { firstSeenMs: _, schedulesSinceMs: __, removedMs, watch: ___, ...listed } = known;
  return removedMs === undefined && isDeepStrictEqual(inStack, listed);
}

/** Jobs of the list that the stack has no more. */
function goneFrom({ jobs }: Fleet, inStack: Readonly<Record<string, unknown>>): string[] {
  return jobs
    .filter(({ job, removedMs }) => removedMs === undefined && !Object.hasOwn(inStack, job))
    .map(({ job }) => job);
}

/** All jobs by name; those before the given one come last. */
function inOrder(jobs: readonly ManifestJob[], first = ""): ManifestJob[] {
  const sorted = [...jobs].sort((one, other) => (one.job < other.job ? -1 : 1));
  return [...sorted.filter(({ job }) => job >= first), ...sorted.filter(({ job }) => job < first)];
}
