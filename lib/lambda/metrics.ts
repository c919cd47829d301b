import { Metrics, MetricUnit } from "@aws-lambda-powertools/metrics";
import type { MetricUnit as Unit } from "@aws-lambda-powertools/metrics/types";
import type { RunStatus, SkipReason } from "../run/index.ts";

export type { RunStatus, SkipReason };

export const METRIC_NAMESPACE = "Escapement";

/** The metrics of a fleet, each with the sets of dimensions under which it is found. `fleet` is the stack's name. */
export const METRICS = {
  /** Attempts that ended, by status. */
  runs: {
    name: "Runs",
    dimensions: [
      ["fleet", "status"],
      ["fleet", "job", "status"],
    ],
  },
  /** From the start of an attempt to its end. */
  durationMs: { name: "DurationMs", dimensions: [["fleet", "job"]] },
  /** From the scheduled time to the start of the first attempt. */
  latenessMs: { name: "LatenessMs", dimensions: [["fleet", "job"]] },
  /** Occurrences that were skipped, by reason. */
  skipped: {
    name: "Skipped",
    dimensions: [
      ["fleet", "reason"],
      ["fleet", "job", "reason"],
    ],
  },
  /** Occurrences that began to wait for their turn. */
  queued: { name: "Queued", dimensions: [["fleet", "job"]] },
  /** Runs whose turn it was, and that could not be started at once. */
  handOverFailures: { name: "HandOverFailures", dimensions: [["fleet", "job"]] },
  /** Deliveries of an occurrence that runs or has run already. */
  duplicates: { name: "Duplicates", dimensions: [["fleet", "job"]] },
  /** Run requests that the dispatcher refused. */
  rejectedRequests: { name: "RejectedRequests", dimensions: [["fleet"]] },
  /** Occurrences that should have a run and have none. */
  missedRuns: { name: "MissedRuns", dimensions: [["fleet"], ["fleet", "job"]] },
  /** Looks of the watchdog that reached the end of what it had time for. */
  looks: { name: "Looks", dimensions: [["fleet"]] },
  /** Jobs that a look of the watchdog failed for. */
  unwatchedJobs: { name: "UnwatchedJobs", dimensions: [["fleet"]] },
} as const;

type Metric = (typeof METRICS)[keyof typeof METRICS];

/** Counts what becomes of one job's deliveries. */
export interface RunMetrics {
  ended(run: { status: RunStatus; durationMs: number; latenessMs: number | undefined }): void;
  skipped(reason: SkipReason): void;
  duplicate(): void;
  queued(): void;
  handOverFailed(): void;
  /** An attempt that ended without a result was recorded. */
  lost(): void;
}

export function createMetrics(fleet: string, job: string): RunMetrics {
  return {
    ended({ status, durationMs, latenessMs }) {
      count(METRICS.runs, { fleet, job, status });
      publish(METRICS.durationMs, MetricUnit.Milliseconds, durationMs, { fleet, job });
      if (latenessMs !== undefined) publish(METRICS.latenessMs, MetricUnit.Milliseconds, latenessMs, { fleet, job });
    },
    skipped: (reason) => count(METRICS.skipped, { fleet, job, reason }),
    duplicate: () => count(METRICS.duplicates, { fleet, job }),
    queued: () => count(METRICS.queued, { fleet, job }),
    handOverFailed: () => count(METRICS.handOverFailures, { fleet, job }),
    lost: () => count(METRICS.runs, { fleet, job, status: "LOST" }),
  };
}

/** Counts what the watchdog finds. */
export interface WatchMetrics {
  missed(job: string, occurrences: number): void;
  /** @param unwatched how many jobs it failed for */
  looked(unwatched: number): void;
}

export function createWatchMetrics(fleet: string): WatchMetrics {
  return {
    missed: (job, occurrences) => count(METRICS.missedRuns, { fleet, job }, occurrences),
    looked(unwatched) {
      count(METRICS.looks, { fleet });
      count(METRICS.unwatchedJobs, { fleet }, unwatched);
    },
  };
}

/** Counts a run request that the dispatcher refused. */
export function countRejectedRequest(fleet: string): void {
  count(METRICS.rejectedRequests, { fleet });
}

function count(metric: Metric, values: Record<string, string>, times = 1): void {
  publish(metric, MetricUnit.Count, times, values);
}

/** Writes one line in CloudWatch's embedded metric format. A new instance for each: nothing is shared between invocations. */
function publish(metric: Metric, unit: Unit, value: number, values: Record<string, string>): void {
  const sets: readonly (readonly string[])[] = metric.dimensions;
  const common = Object.keys(values).filter((name) => sets.every((names) => names.includes(name)));
  const valuesOf = (names: readonly string[]) => Object.fromEntries(names.map((name) => [name, values[name] ?? ""]));

  const metrics = new Metrics({ namespace: METRIC_NAMESPACE });
  // Powertools' own default is `service`; an alarm has to name a set of dimensions exactly.
  metrics.clearDefaultDimensions();
  metrics.setDefaultDimensions(valuesOf(common));
  for (const names of sets) metrics.addDimensions(valuesOf(names.filter((name) => !common.includes(name))));
  metrics.addMetric(metric.name, unit, value).publishStoredMetrics();
}
