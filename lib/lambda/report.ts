import type { Finished, Hold, Outcome, RunRecord } from "../run/index.ts";
import type { Invocation } from "./invocation.ts";

/** Says in the log, the metrics, the trace and the run event how the attempt ended, as far as the table agrees. */
export async function report(
  { runtime, arrival, log }: Invocation,
  hold: Hold,
  outcome: Outcome,
  finished: Finished,
): Promise<void> {
  const committed = finished.recorded ? undefined : committedBy(hold, finished.found);
  if (!finished.recorded) {
    const why = committed ? "it had committed" : "it was taken from it";
    const found = finished.found?.status ?? "gone";
    log.warn(`ended ${outcome.status}, but the record is ${found}: ${why}`, { status: outcome.status });
    if (!committed) return;
  }
  const { status, endedMs, error } = committed ?? outcome;
  const durationMs = endedMs - hold.startedMs;
  const isFirstOfSchedule = arrival.schedule !== undefined && hold.attempt === 1;
  const latenessMs = isFirstOfSchedule ? hold.startedMs - (arrival.scheduledTimeMs ?? 0) : undefined;
  runtime.metrics.ended({ status, durationMs, latenessMs });
  if (error === undefined) log.info("run succeeded", { status, durationMs });
  else if (status === "CANCELLED") log.warn("run cancelled", { status, durationMs, failure: error });
  else log.error(status === "FAILED" ? "run failed" : "run timed out", { status, durationMs, failure: error });

  const { runId, schedule, scheduledTimeMs } = arrival;
  const { attempt, startedMs } = hold;
  const { fleet, job } = runtime;
  const run = { fleet, job, runId, schedule, scheduledTimeMs, attempt, startedMs };
  const faults = await runtime.announce({ ...run, status, endedMs, error });
  for (const fault of faults) log.warn("how the run ended could not be told", fault);
}

/** A commit stands, whatever its handler did after it. */
function committedBy({ fencingToken }: Hold, found: RunRecord | undefined): Outcome | undefined {
  if (found?.status !== "SUCCEEDED" || found.fence !== fencingToken) return undefined;
  return { status: found.status, endedMs: found.endedMs ?? 0 };
}
