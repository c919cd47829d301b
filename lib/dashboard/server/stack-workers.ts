import type { JobDetail, Operations, RunView } from "../../operations/index.ts";
import type { Worker } from "../api.ts";

const MAX_JOBS = 50;

/**
 * Of a deployed stack the environments at work, as the records tell: one for each run that is RUNNING, known by its log
 * stream. Frozen ones nobody knows of. One query for each job, and a few more for each that has a run at work, 50 at most.
 */
export async function stackWorkers(operations: Operations): Promise<Worker[]> {
  const jobs = await operations.list();
  const atWork = jobs.filter(({ recent }) => recent.runs.some(({ status }) => status === "RUNNING")).slice(0, MAX_JOBS);
  const details = await Promise.all(atWork.map(({ job }) => operations.describe(job)));
  return details.flatMap((detail) =>
    detail.runs.filter(({ status }) => status === "RUNNING").map((run) => workerOf(detail, run)),
  );
}

/** A run is heard of when it begins and whenever it reports its progress. */
function workerOf({ job, functionName, lock }: JobDetail, run: RunView): Worker {
  const { runId, requestId, logStream, startedAt } = run;
  const progress = lock?.runId === runId ? lock.progress : undefined;
  return {
    id: logStream ?? requestId,
    job,
    functionName,
    state: "busy",
    runId,
    requestId,
    since: startedAt,
    heardAt: progress?.at ?? startedAt,
  };
}
