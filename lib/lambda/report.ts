import type { Finished, Hold, Outcome } from "../run/index.ts";
import type { Invocation } from "./invocation.ts";

/** Says in the log, the metrics, the trace and the run event how the attempt ended, as far as the table agrees. */
export async function report(
  { runtime, arrival, log }: Invocation,
  hold: Hold,
  outcome: Outcome,
  finished: Finished,
): Promise<void> {
  const { status, error } = outcome;
  if (!finished.recorded) {
    const { found } = finished;
    const hasCommitted = found?.status === "SUCCEEDED" && found.fence === hold.fencingToken;
    const why = hasCommitted ? "it had committed" : "another attempt has taken over";
    log.warn(`ended ${status}, but the record is ${found?.status ?? "gone"}: ${why}`, { status });
    return;
  }
  const durationMs = outcome.endedMs - hold.startedMs;
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
  const faults = await runtime.announce({ ...run, status, endedMs: outcome.endedMs, error });
  for (const fault of faults) log.warn("how the run ended could not be told", fault);
}
