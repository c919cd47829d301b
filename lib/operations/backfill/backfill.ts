import { randomUUID } from "node:crypto";
import PQueue from "p-queue";
import { isDead, note, startEvent } from "../../run/index.ts";
import { perform } from "../../store/index.ts";
import { checkActor, operatorOf } from "../actor.ts";
import type { Backend } from "../backend.ts";
import { NEWEST_RUNS } from "../due.ts";
import { OperationError } from "../errors.ts";
import { followRun } from "../follow.ts";
import { requireInvoke } from "../invoke-function.ts";
import { occurrencesOf } from "../occurrences.ts";
import { pausedNow } from "../pause.ts";
import type { RunView } from "../run-types.ts";
import type { Planned } from "./plan.ts";
import { neededMs, type Prepared, prepare, sharesLock } from "./prepare.ts";
import type { Backfilled, BackfillPlan, BackfillProgress, BackfillQuery, BackfillRequest } from "./types.ts";

const DEFAULT_FAILURE_RATE = 0.5;
/** Fewer failures than this tell nothing of a rate. */
const MIN_FAILURES = 3;
const POLL_MS = 1_000;

export async function planBackfill(backend: Backend, name: string, query: BackfillQuery): Promise<BackfillPlan> {
  return (await prepare(backend, name, query)).plan;
}

/**
 * Runs past occurrences, the oldest first, and waits for each. What it has done it knows from the records alone: broken
 * off and asked again, it goes on with what is left.
 */
export async function backfill(
  backend: Backend,
  name: string,
  request: BackfillRequest,
  onProgress: (progress: BackfillProgress) => void = () => {},
  signal?: AbortSignal,
): Promise<Backfilled> {
  const { maxFailureRate = DEFAULT_FAILURE_RATE } = request;
  if (!(maxFailureRate >= 0 && maxFailureRate <= 1)) {
    throw new OperationError("INVALID_INPUT", `maxFailureRate is ${maxFailureRate}; 0 to 1 is allowed`);
  }
  checkActor(request);
  requireInvoke(backend);
  const prepared = await prepare(backend, name, request);
  const { job, plan, planned, parallel } = prepared;
  const detail = `${plan.id}: ${planned.length} ${planned.length === 1 ? "run" : "runs"} from ${plan.from} to ${plan.to}, ${request.only ?? "missing and failed"}`;
  await perform(note(name, "backfill", operatorOf(request, job), backend.nowMs(), detail), backend.store);

  const succeeded: string[] = [];
  const failed: string[] = [];
  const tell = (runId: string, status: BackfillProgress["status"]) =>
    onProgress({ total: planned.length, succeeded: succeeded.length, failed: failed.length, runId, status });
  const tooManyFailed = () =>
    failed.length >= MIN_FAILURES && failed.length > maxFailureRate * (failed.length + succeeded.length);
  const queue = new PQueue({ concurrency: parallel });
  await queue.addAll(
    planned.map((one) => async () => {
      if (tooManyFailed()) return;
      await untilRoom(backend, prepared, signal);
      if (signal?.aborted) return;
      tell(one.runId, "STARTED");
      const status = await runOne(backend, prepared, one, request);
      (status === "SUCCEEDED" ? succeeded : failed).push(one.runId);
      tell(one.runId, status);
    }),
  );
  const cancelled = signal?.aborted && succeeded.length + failed.length < planned.length;
  return { plan, outcome: cancelled ? "cancelled" : tooManyFailed() ? "stopped" : "done", succeeded, failed };
}

async function runOne(
  backend: Backend,
  { job }: Prepared,
  one: Planned,
  request: BackfillRequest,
): Promise<RunView["status"]> {
  const { by, reason } = request;
  const event = startEvent(job.job, {
    runId: one.runId,
    cause: "backfill",
    id: randomUUID(),
    trigger: { kind: "operator", by, reason },
    ...(one.manual && { workTimeMs: one.occurrence.timeMs, workSchedule: one.occurrence.schedule }),
  });
  await requireInvoke(backend)(job.functionName, event);
  return (await followRun(backend, job.job, one.runId)).status;
}

/**
 * Waits until nobody holds the lock and the live schedule leaves room for a run, so that none of its is skipped; or until
 * the signal aborts.
 */
async function untilRoom(backend: Backend, { job, pace }: Prepared, signal: AbortSignal | undefined): Promise<void> {
  if (job.overlap === "allow") return;
  while (!signal?.aborted) {
    const { state, runs } = await backend.records.readJob(job.job, { limit: NEWEST_RUNS });
    const nowMs = backend.nowMs();
    const isFree = !state?.lease || isDead(state.lease, nowMs);
    const isQuiet = !sharesLock(job) || job.overlap === "queue" || pausedNow(state, nowMs) !== undefined;
    const soon = { fromMs: nowMs, toMs: nowMs + neededMs(pace) };
    if (isFree && (isQuiet || occurrencesOf(job, soon, 1, runs).length === 0)) return;
    await backend.sleep(POLL_MS);
  }
}
