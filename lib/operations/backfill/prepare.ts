import { nearest, parseSchedule, shortestGapMs, shown } from "../../schedule/index.ts";
import type { ListedJob } from "../../store/index.ts";
import { shortId } from "../actor.ts";
import { type Backend, findJob } from "../backend.ts";
import { lookBackMs, withFiredSchedules } from "../due.ts";
import { OperationError } from "../errors.ts";
import { instantText } from "../instants.ts";
import { wholeNumber } from "../numbers.ts";
import { occurrencesOf } from "../occurrences.ts";
import { pausedNow } from "../pause.ts";
import { costDollars, type Pace, paceOf } from "./estimate.ts";
import { type Planned, planRuns } from "./plan.ts";
import { checkKnown, parseRange } from "./range.ts";
import { SELECTIONS, type Selection } from "./selections.ts";
import type { BackfillPlan, BackfillQuery } from "./types.ts";
import { changedIn, whatWasDue } from "./was-due.ts";

/** A checked request, with all that carrying it out needs. */
export interface Prepared {
  readonly job: ListedJob;
  readonly plan: BackfillPlan;
  readonly planned: readonly Planned[];
  readonly pace: Pace;
  readonly parallel: number;
  readonly paused: boolean;
}

const MAX_OCCURRENCES = 10_000;
const MAX_PARALLEL = 50;
const MAX_ACTIONS = 1000;
/** Time for the run before to be noticed as ended, and for this one to start. */
const MARGIN_MS = 10_000;

/** @throws OperationError for a range or a job that cannot be backfilled as asked */
export async function prepare(backend: Backend, name: string, query: BackfillQuery): Promise<Prepared> {
  const nowMs = backend.nowMs();
  const range = parseRange(query.from, query.to);
  const only = parseSelection(query.only);
  const job = withFiredSchedules(await findJob(backend, name), backend);
  checkKnown(job, range, nowMs);
  const until = { fromMs: range.fromMs, toMs: Math.min(range.toMs, nowMs + 1) };
  if (occurrencesOf(job, until, MAX_OCCURRENCES + 1).length > MAX_OCCURRENCES) {
    throw new OperationError(
      "INVALID_INPUT",
      `more than ${MAX_OCCURRENCES} occurrences of ${name} fall into that range; take a shorter one`,
    );
  }
  const sinceRecordMs = range.fromMs - lookBackMs(job);
  const records = await backend.records.listRuns(name, { sinceMs: sinceRecordMs, limit: Number.POSITIVE_INFINITY });
  const occurrences = whatWasDue(job, range, records, nowMs);
  const { state } = await backend.records.readJob(name, { limit: 1 });
  const paused = pausedNow(state, nowMs);
  if (paused && !query.evenIfPaused) {
    throw new OperationError(
      "PAUSED",
      `${name} is paused since ${instantText(paused.atMs)} by ${paused.by}: ${paused.reason}; resume it first, or run the backfill even if paused (--even-if-paused)`,
    );
  }
  const id = query.id ?? shortId();
  const sinceMs = query.id === undefined ? undefined : await begunMs(backend, name, query.id);
  const agreed = query.runs && new Set(query.runs);
  const planned = planRuns(job, occurrences, records, { only, sinceMs }).filter(
    ({ runId }) => agreed?.has(runId) ?? true,
  );
  const parallel = parallelOf(job, query.maxParallel);
  const pace = paceOf(records, job.timeoutMs);
  if (planned.length > 0 && !paused) checkRoom(job, pace);
  const changed = changedIn(job, range);
  const plan = planOf({ job, id, planned, pace, parallel, changed, occurrences: occurrences.length }, query);
  return { job, plan, planned, pace, parallel, paused: paused !== undefined };
}

/** When a backfill was begun that goes on, as its first entry says. */
async function begunMs({ records }: Backend, name: string, id: string): Promise<number | undefined> {
  const entries = await records.listAudit(name, { limit: MAX_ACTIONS });
  return entries.findLast(({ action, detail }) => action === "backfill" && detail?.startsWith(`${id}: `))?.atMs;
}

/** How long the live schedule must leave free for one run of the backfill. */
export function neededMs({ longestMs }: Pace): number {
  return longestMs + MARGIN_MS;
}

/** A run of the backfill holds the lock: an occurrence of the live schedule must not be skipped for it. */
export function sharesLock({ overlap, enabled, removedMs }: ListedJob): boolean {
  return overlap !== "allow" && enabled && removedMs === undefined;
}

/** A job whose occurrences leave no room between them would have them skipped for the backfill, or starve it. */
function checkRoom(job: ListedJob, pace: Pace): void {
  if (!sharesLock(job) || job.overlap === "queue") return;
  const gapsMs = Object.values(job.schedules).map((spec) => shortestGapMs(parseSchedule(spec)));
  const gapMs = Math.min(...gapsMs);
  if (gapMs > neededMs(pace)) return;
  throw new OperationError(
    "NO_ROOM",
    `the occurrences of ${job.job} are ${gapMs / 1000} s apart and its runs take up to ${pace.longestMs / 1000} s, so that those of the schedule would be skipped meanwhile; pause it first and backfill with --even-if-paused`,
  );
}

function parallelOf(job: ListedJob, maxParallel = 1): number {
  wholeNumber("maxParallel", maxParallel);
  if (maxParallel > MAX_PARALLEL) {
    throw new OperationError("INVALID_INPUT", `maxParallel is ${maxParallel}; 1 to ${MAX_PARALLEL} are allowed`);
  }
  if (maxParallel === 1 || job.overlap === "allow") return maxParallel;
  throw new OperationError(
    "INVALID_INPUT",
    `maxParallel is ${maxParallel}, and the runs of ${job.job} go one at a time (overlap "${job.overlap}"); leave it at 1`,
  );
}

function parseSelection(only: string | undefined): Selection | undefined {
  if (only === undefined) return undefined;
  const selection = SELECTIONS.find((known) => known === only);
  if (selection) return selection;
  const likely = nearest(only, SELECTIONS);
  const hint = likely ? `did you mean ${likely}? ` : "";
  throw new OperationError("INVALID_INPUT", `only ${shown(only)}: ${hint}There are ${SELECTIONS.join(", ")}`);
}

interface Parts {
  readonly job: ListedJob;
  readonly id: string;
  readonly planned: readonly Planned[];
  readonly pace: Pace;
  readonly parallel: number;
  readonly changed: BackfillPlan["changed"];
  readonly occurrences: number;
}

function planOf(
  { job, id, planned, pace, parallel, changed, occurrences }: Parts,
  { from, to }: BackfillQuery,
): BackfillPlan {
  return {
    job: job.job,
    id,
    from,
    to,
    occurrences,
    changed,
    runs: planned.map(({ occurrence, runId, manual, was }) => ({
      runId,
      schedule: occurrence.schedule,
      scheduledTime: instantText(occurrence.timeMs),
      was,
      manual,
    })),
    estimatedMs: Math.ceil(planned.length / parallel) * pace.typicalMs,
    estimatedDollars: costDollars(planned.length, pace),
  };
}
