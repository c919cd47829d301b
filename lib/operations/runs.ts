import { isFinal, parseRunId, runTimeMs } from "../run/index.ts";
import { nearest, shown } from "../schedule/index.ts";
import type { ListedJob } from "../store/index.ts";
import { type Backend, findJob } from "./backend.ts";
import { worksFor } from "./backfill/rerun.ts";
import { SHOWN_STATUSES } from "./choices.ts";
import { OperationError } from "./errors.ts";
import { parseInstant } from "./instants.ts";
import { wholeNumber } from "./numbers.ts";
import type { RunView } from "./run-types.ts";
import type { RunsQuery } from "./types.ts";
import { runView } from "./views.ts";
import { waitingRunView, waitingViews } from "./waiting.ts";

const DEFAULT_LIMIT = 20;

export async function listRuns(backend: Backend, name: string, query: RunsQuery = {}): Promise<RunView[]> {
  const filter = {
    limit: wholeNumber("limit", query.limit ?? DEFAULT_LIMIT),
    ...(query.since !== undefined && { sinceMs: parseInstant("since", query.since) }),
  };
  const status = query.status === undefined ? undefined : parseStatus(query.status);
  const job = await findJob(backend, name);
  if (status === "WAITING") return listWaiting(backend, job, filter);
  const records = await backend.records.listRuns(name, { ...filter, ...(status && { status }) });
  return records.map((record) => runView(record, job, backend));
}

/** The newest first, too: it is the last one's turn. */
async function listWaiting(
  backend: Backend,
  job: ListedJob,
  { limit, sinceMs = 0 }: { readonly limit: number; readonly sinceMs?: number },
): Promise<RunView[]> {
  const { state } = await backend.records.readJob(job.job, { limit: 1 });
  const asked = (state?.queue ?? []).filter(({ runId, queuedMs }) => (runTimeMs(runId) ?? queuedMs) >= sinceMs);
  const found = await Promise.all(asked.map(({ runId }) => findRun(backend, job, runId)));
  return found
    .flatMap((run) => (run?.status === "WAITING" ? run : []))
    .reverse()
    .slice(0, limit);
}

export async function readRun(backend: Backend, name: string, runId: string): Promise<RunView> {
  if (!parseRunId(runId)) {
    throw new OperationError(
      "INVALID_INPUT",
      `${shown(runId)} is no run id; one looks like 2026-03-28T01:30:00.000Z#default, as the command "runs ${name}" shows it`,
    );
  }
  const job = await findJob(backend, name);
  const run = await findRun(backend, job, runId);
  if (!run) {
    throw new OperationError(
      "UNKNOWN_RUN",
      `job "${name}" has no record of a run ${shown(runId)}: it never started, or its record has expired; the command "runs ${name}" lists what there is`,
    );
  }
  return { ...run, rerunBy: await rerunsOf(backend, run) };
}

/** Also one that waits and has no record yet. */
export async function findRun(backend: Backend, job: ListedJob, runId: string): Promise<RunView | undefined> {
  const record = await backend.records.readRun(job.job, runId);
  const run = record && runView(record, job, backend);
  if (record && isFinal(record.status)) return run;
  const { state } = await backend.records.readJob(job.job, { limit: 1 });
  const entry = state?.queue?.find((queued) => queued.runId === runId);
  if (!state || !entry) return run;
  const waiting = waitingViews(state).find((view) => view.runId === runId);
  return { ...(run ?? waitingRunView(entry, job)), waiting };
}

/** The manual runs that a backfill started for a run whose own record stays. */
async function rerunsOf(backend: Backend, { job, schedule, scheduledTime }: RunView): Promise<string[] | undefined> {
  if (scheduledTime === undefined) return undefined;
  const scheduledTimeMs = Date.parse(scheduledTime);
  const later = await backend.records.listRuns(job, { sinceMs: scheduledTimeMs, limit: Number.POSITIVE_INFINITY });
  const reruns = later.filter((run) => worksFor(run, { schedule, timeMs: scheduledTimeMs }));
  return reruns.length > 0 ? reruns.map(({ runId }) => runId) : undefined;
}

function parseStatus(text: string): RunView["status"] {
  const status = SHOWN_STATUSES.find((known) => known === text.toUpperCase());
  if (status) return status;
  const likely = nearest(text.toUpperCase(), SHOWN_STATUSES);
  const hint = likely ? `did you mean ${likely}? ` : "";
  throw new OperationError("INVALID_INPUT", `no status ${shown(text)}; ${hint}There are ${SHOWN_STATUSES.join(", ")}`);
}
