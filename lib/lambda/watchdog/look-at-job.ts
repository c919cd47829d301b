import { isDeepStrictEqual } from "node:util";
import { type Expectation, expectationOf, hasDead, LOOK_BACK_MS, openSinceMs, settleDead } from "../../run/index.ts";
import { own } from "../../schedule/index.ts";
import { type JobAsSeen, perform, type Watch } from "../../store/index.ts";
import type { ManifestJob } from "../manifest.ts";
import { judgeJob, type Missed } from "./judge-job.ts";
import { startCatchUp, startDue } from "./start.ts";
import type { Watchdog } from "./watchdog.ts";

/**
 * Looks at one job: tends it, and says what was missed. Two that do this at once do no harm: a run that is started twice
 * answers the second time as a duplicate, and only one of the two gets to remember, and to count, the missed.
 *
 * @param watch what the last look has left
 * @param awayUntilMs what was missed up to then is caught up at once, and not counted: it is known that nobody delivered
 * @throws StoreError, and what AWS's clients throw: the next look begins where this one did
 */
export async function lookAtJob(
  watchdog: Watchdog,
  job: ManifestJob,
  watch: Watch | undefined,
  awayUntilMs: number,
): Promise<void> {
  const nowMs = watchdog.nowMs();
  const look = { nowMs, awayUntilMs };
  const expectations = Object.entries(job.schedules).map(([name, spec]) =>
    expectationOf(name, spec, job.maxLatenessMs[name] ?? 0, watch && own(watch.schedules, name), look),
  );
  const seen = await tendJob(watchdog, job, readSinceMs(expectations, watch, nowMs));

  const { schedules, ...verdict } = await judgeJob(watchdog, job, expectations, seen);
  await startCatchUp(watchdog, job, verdict);
  const next: Watch = { atMs: nowMs, schedules, openSinceMs: openSinceMs(seen.state, seen.runs, job.retries, nowMs) };
  if (watch && isDeepStrictEqual({ ...watch, atMs: nowMs }, next)) return;
  const isFirst = await watchdog.notes.noteWatch(job.job, watch, next);
  if (isFirst)
    tell(
      watchdog,
      job,
      verdict.missed.filter(({ timeMs }) => timeMs > awayUntilMs),
    );
}

/** Records who died, and starts what nothing else will start. Returns the job as it stands. */
export async function tendJob(watchdog: Watchdog, job: ManifestJob, sinceMs: number): Promise<JobAsSeen> {
  const { notes, runs } = watchdog;
  let seen = await notes.readJob(job.job, sinceMs);
  if (hasDead(seen.state, seen.runs, seen.nowMs)) {
    await perform(settleDead(job.job, seen.state, seen.runs, seen.nowMs), runs);
    seen = await notes.readJob(job.job, sinceMs);
  }
  await startDue(watchdog, job, seen);
  return seen;
}

function tell({ metrics, log }: Watchdog, { job }: ManifestJob, missed: readonly Missed[]): void {
  if (missed.length === 0) return;
  metrics.missed(job, missed.length);
  const occurrences = missed.map(({ name, timeMs }) => ({
    schedule: name,
    scheduledTime: new Date(timeMs).toISOString(),
  }));
  log.error("occurrences were missed: no run of them has started", { job, occurrences });
}

/**
 * From where on runs have to be known: those of the expected occurrences, those still open, and those that were not yet
 * due at the last look.
 */
function readSinceMs(expectations: readonly Expectation[], watch: Watch | undefined, nowMs: number): number {
  const sinceLastMs = nowMs - (watch?.atMs ?? 0);
  const firstMs = Math.min(
    watch?.openSinceMs ?? nowMs,
    ...expectations.flatMap(({ expected, dueUntilMs }) => [expected[0] ?? nowMs, dueUntilMs - sinceLastMs]),
  );
  return Math.max(firstMs, nowMs - LOOK_BACK_MS);
}
