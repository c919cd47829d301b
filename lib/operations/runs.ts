import { parseRunId, RUN_STATUSES, type RunRecord, type RunStatus } from "../run/index.ts";
import { nearest, shown } from "../schedule/index.ts";
import { type Backend, findJob } from "./backend.ts";
import { OperationError } from "./errors.ts";
import { parseInstant } from "./instants.ts";
import { wholeNumber } from "./numbers.ts";
import type { RunsQuery, RunView } from "./types.ts";
import { runView } from "./views.ts";

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
  const record = await backend.records.readRun(name, runId);
  if (!record) {
    throw new OperationError(
      "UNKNOWN_RUN",
      `job "${name}" has no record of a run ${shown(runId)}: it never started, or its record has expired; the command "runs ${name}" lists what there is`,
    );
  }
  return { ...runView(record, job, backend), rerunBy: await rerunsOf(backend, record) };
}

/** The manual runs that a backfill started for a run whose own record stays. */
async function rerunsOf(
  backend: Backend,
  { job, schedule, scheduledTimeMs }: RunRecord,
): Promise<string[] | undefined> {
  if (schedule === undefined || scheduledTimeMs === undefined) return undefined;
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
