import { isFinal, parseRunId, RUN_STATUSES, type RunStatus } from "../run/index.ts";
import { nearest, shown } from "../schedule/index.ts";
import type { ListedJob } from "../store/index.ts";
import { type Backend, findJob } from "./backend.ts";
import { OperationError } from "./errors.ts";
import { parseInstant } from "./instants.ts";
import { wholeNumber } from "./numbers.ts";
import type { RunsQuery, RunView } from "./types.ts";
import { runView } from "./views.ts";
import { waitingRunView, waitingViews } from "./waiting.ts";

const DEFAULT_LIMIT = 20;

export async function listRuns(backend: Backend, name: string, query: RunsQuery = {}): Promise<RunView[]> {
  const filter = {
    limit: wholeNumber("limit", query.limit ?? DEFAULT_LIMIT),
    ...(query.status !== undefined && { status: parseStatus(query.status) }),
    ...(query.since !== undefined && { sinceMs: parseInstant("since", query.since) }),
  };
  const job = await findJob(backend, name);
  const records = await backend.records.listRuns(name, filter);
  return records.map((record) => runView(record, job, backend));
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
async function rerunsOf(backend: Backend, { job, scheduledTime }: RunView): Promise<string[] | undefined> {
  if (scheduledTime === undefined) return undefined;
  const scheduledTimeMs = Date.parse(scheduledTime);
  const later = await backend.records.listRuns(job, { sinceMs: scheduledTimeMs, limit: Number.POSITIVE_INFINITY });
  const reruns = later.filter((run) => run.schedule === undefined && run.workTimeMs === scheduledTimeMs);
  return reruns.length > 0 ? reruns.map(({ runId }) => runId) : undefined;
}

function parseStatus(text: string): RunStatus {
  const status = RUN_STATUSES.find((known) => known === text.toUpperCase());
  if (status) return status;
  const likely = nearest(text.toUpperCase(), RUN_STATUSES);
  const hint = likely ? `did you mean ${likely}? ` : "";
  throw new OperationError("INVALID_INPUT", `no status ${shown(text)}; ${hint}There are ${RUN_STATUSES.join(", ")}`);
}
