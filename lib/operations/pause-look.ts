import { type Pause, runTimeMs } from "../run/index.ts";
import type { ListedJob } from "../store/index.ts";
import { type Backend, findJob } from "./backend.ts";
import { lookBackMs, NEWEST_RUNS, withFiredSchedules } from "./due.ts";
import { dueAsDeployed } from "./due-as-deployed.ts";
import { occurrencesOf } from "./occurrences.ts";
import { type PauseView, pausedNow, pauseView } from "./pause.ts";
import { optionalInstant } from "./views.ts";

/** What a pause has held up so far. */
export interface PauseLook {
  readonly job: string;
  readonly paused?: PauseView | undefined;
  /** Occurrences since then that are recorded as skipped; they stay so. Of the newest 10,000 runs. */
  readonly skipped: HeldUp;
  /** What fell due since then and has no record, such as while no runner ran. What may still be on its way is none of it. */
  readonly unrecorded: HeldUp;
  /** The next occurrence, which runs if the job is resumed now. */
  readonly next?: string | undefined;
}

export interface HeldUp {
  readonly count: number;
  readonly first?: string | undefined;
  readonly last?: string | undefined;
}

/** As many occurrences as a backfill takes on. */
const MAX_READ = 10_000;
const NOTHING: HeldUp = { count: 0 };

export async function lookAtPause(backend: Backend, name: string): Promise<PauseLook> {
  const listed = await findJob(backend, name);
  const job = withFiredSchedules(listed, backend);
  const { state, runs } = await backend.records.readJob(name, { limit: NEWEST_RUNS });
  const nowMs = backend.nowMs();
  const paused = pausedNow(state, nowMs);
  const isDue = job.enabled && job.removedMs === undefined;
  const [next] = isDue ? occurrencesOf(job, { fromMs: nowMs, toMs: Number.POSITIVE_INFINITY }, 1, runs) : [];
  const heldUp = paused ? await heldUpBy(backend, listed, paused, nowMs) : { skipped: NOTHING, unrecorded: NOTHING };
  return { job: name, paused: paused && pauseView(paused), ...heldUp, next: optionalInstant(next?.timeMs) };
}

async function heldUpBy(
  backend: Backend,
  job: ListedJob,
  { atMs }: Pause,
  nowMs: number,
): Promise<Pick<PauseLook, "skipped" | "unrecorded">> {
  const sinceMs = atMs - lookBackMs(job);
  const records = await backend.records.listRuns(job.job, { sinceMs, limit: MAX_READ });
  const oldest = records.length < MAX_READ ? undefined : records.at(-1);
  const fromMs = Math.max(atMs, (oldest && runTimeMs(oldest.runId)) ?? atMs);
  const skipped = records
    .filter(({ status }) => status === "SKIPPED")
    .flatMap(({ scheduledTimeMs = 0 }) => (scheduledTimeMs >= fromMs ? [scheduledTimeMs] : []));
  const { due } = await dueAsDeployed(backend, job, { fromMs, toMs: nowMs }, { records, pauses: [], nowMs });
  const missed = due.unrecorded.filter(({ state }) => state === "missed").map(({ timeMs }) => timeMs);
  return { skipped: countOf(skipped.reverse()), unrecorded: countOf(missed) };
}

function countOf(timesMs: readonly number[]): HeldUp {
  return { count: timesMs.length, first: optionalInstant(timesMs[0]), last: optionalInstant(timesMs.at(-1)) };
}
