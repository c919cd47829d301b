import { Counter, Gauge, Histogram, Registry } from "prom-client";
import type { Missed, Operations, RunView } from "../../operations/index.ts";
import { RUN_STATUSES } from "../../run/index.ts";
import type { FleetJob } from "../api.ts";
import { endsOf, type RunEnd } from "./run-ends.ts";
import type { RunnerSide } from "./runner-side.ts";

/** A job's name is a label: a fleet of more jobs than this is told in sums, under the job "(all)". */
const MAX_JOBS = 500;
/** Of a job whose newest run has changed so many are read, and all if it had more since the last time. */
const RUNS_READ = 100;
const MAX_RUNS_READ = 1_000;
/** Scrapes that come faster than this get what the one before got. */
const FRESH_MS = 5_000;
/** What was missed takes a day's records of every job to say. */
const MISSED_FRESH_MS = 60_000;
const SECONDS_BUCKETS = [0.1, 0.5, 1, 5, 15, 60, 300, 900, 3600];

/**
 * The fleet for Prometheus. All of it is read from the records when it is asked for, so that it says the same whoever
 * watched: gauges are as of now; counters and histograms count what has ended since this server began, each attempt
 * once. A backfilled run of an old occurrence is counted as long as it is among the job's newest 100 runs.
 */
export class FleetMetrics {
  readonly #operations: Operations;
  readonly #runner: RunnerSide | undefined;
  readonly #sinceMs: number;
  readonly #registry = new Registry();
  readonly #meters: ReturnType<typeof metersIn>;
  /** The ends that have been counted, of each job's newest runs. */
  readonly #counted = new Map<string, Set<string>>();
  readonly #seen = new Map<string, string>();
  #missed: { readMs: number; answer: readonly Missed[] } = { readMs: 0, answer: [] };
  #reading: Promise<string> | undefined;

  constructor(operations: Operations, runner: RunnerSide | undefined, sinceMs: number) {
    this.#operations = operations;
    this.#runner = runner;
    this.#sinceMs = sinceMs;
    this.#meters = metersIn(this.#registry);
  }

  get contentType(): string {
    return this.#registry.contentType;
  }

  /** One read serves all who ask at the same time or shortly after. */
  text(): Promise<string> {
    if (!this.#reading) {
      this.#reading = this.#read();
      const forget = () => {
        this.#reading = undefined;
      };
      this.#reading.then(() => setTimeout(forget, FRESH_MS).unref(), forget);
    }
    return this.#reading;
  }

  async #read(): Promise<string> {
    const jobs = await this.#operations.list();
    const missed = await this.#missedOfAll();
    const labelOf = (job: string) => (jobs.length > MAX_JOBS ? "(all)" : job);
    const { gauges } = this.#meters;
    for (const gauge of Object.values(gauges)) gauge.reset();
    for (const job of jobs) tellState(gauges, job, labelOf(job.job));
    for (const { job, missed: occurrences } of missed) gauges.missed.inc({ job: labelOf(job) }, occurrences.length);
    this.#tellRunner();
    for (const job of jobs) await this.#countRuns(job, labelOf(job.job));
    return this.#registry.metrics();
  }

  async #missedOfAll(): Promise<readonly Missed[]> {
    const nowMs = Date.now();
    if (nowMs - this.#missed.readMs >= MISSED_FRESH_MS) {
      this.#missed = { readMs: nowMs, answer: await this.#operations.missedOfAll() };
    }
    return this.#missed.answer;
  }

  #tellRunner(): void {
    const { workers, events } = this.#meters.gauges;
    for (const { state } of this.#runner?.workers() ?? []) workers.inc({ state });
    if (this.#runner) events.set(this.#runner.waiting());
  }

  async #countRuns(job: FleetJob, label: string): Promise<void> {
    const seen = JSON.stringify([job.recent.runs, job.consecutiveFailures]);
    if (seen === this.#seen.get(job.job) || job.recent.runs.length === 0) return;
    const known = this.#counted.get(job.job) ?? new Set();
    const isKnown = (run: RunView) => endsOf(run).some(({ id }) => known.has(id));
    let runs = await this.#operations.runs(job.job, { limit: RUNS_READ });
    if (runs.length === RUNS_READ && this.#seen.has(job.job) && !runs.some(isKnown)) {
      const more = await this.#operations.runs(job.job, { limit: MAX_RUNS_READ });
      // What is older than all that is known was counted long ago.
      runs = more.slice(0, more.findLastIndex(isKnown) + 1 || more.length);
    }
    const ended = runs.flatMap(endsOf).filter(({ endedAt }) => Date.parse(endedAt) >= this.#sinceMs);
    for (const end of ended) if (!known.has(end.id)) this.#count(end, label);
    this.#counted.set(job.job, new Set(ended.map(({ id }) => id)));
    this.#seen.set(job.job, seen);
  }

  #count({ status, durationMs, latenessMs }: RunEnd, job: string): void {
    const { runs, duration, lateness } = this.#meters;
    runs.inc({ job, status });
    if (durationMs !== undefined) duration.observe({ job }, durationMs / 1000);
    if (latenessMs !== undefined) lateness.observe({ job }, latenessMs / 1000);
  }
}

type Gauges = ReturnType<typeof metersIn>["gauges"];

function tellState(
  gauges: Gauges,
  { job, state, lock, waiting, lastSuccess, consecutiveFailures, schedules }: FleetJob,
  label: string,
) {
  gauges.jobs.inc({ state });
  if (lock && !lock.dead) {
    gauges.locks.inc({ job: label });
    for (const name of lock.locks ?? []) gauges.sharedLocks.inc({ lock: label === job ? name : label });
  }
  gauges.waiting.inc({ job: label }, waiting.length);
  gauges.failures.inc({ job: label }, consecutiveFailures);
  if (label !== job) return;
  const next = schedules.flatMap(({ next }) => (next ? Date.parse(next.at) / 1000 : []));
  if (next.length > 0) gauges.next.set({ job }, Math.min(...next));
  if (lastSuccess !== undefined) gauges.success.set({ job }, Date.parse(lastSuccess) / 1000);
}

function metersIn(registry: Registry) {
  const registers = [registry];
  const gauge = <L extends string>(name: string, help: string, labelNames: L[]) =>
    new Gauge({ name: `escapement_${name}`, help, labelNames, registers });
  const histogram = (name: string, help: string) =>
    new Histogram({ name: `escapement_${name}`, help, labelNames: ["job"], buckets: SECONDS_BUCKETS, registers });
  const runs = new Counter({
    name: "escapement_runs_total",
    help: `Attempts that have ended since this server began, and skipped runs, by status: ${RUN_STATUSES.join(", ")}`,
    labelNames: ["job", "status"],
    registers,
  });
  return {
    runs,
    duration: histogram("run_duration_seconds", "How long those attempts took"),
    lateness: histogram("run_lateness_seconds", "How long after its scheduled time a run's first attempt began"),
    gauges: {
      jobs: gauge("jobs", "Jobs of the fleet by state", ["state"]),
      locks: gauge("locks_held", "Locks that a live run holds", ["job"]),
      sharedLocks: gauge("shared_locks_held", "Locks that jobs share, as the live runs that name them hold them", [
        "lock",
      ]),
      waiting: gauge("waiting_runs", "Runs that wait for their job's lock", ["job"]),
      failures: gauge("consecutive_failures", "Runs that have failed in a row", ["job"]),
      missed: gauge("missed_occurrences", "What fell due in the last day and has no record", ["job"]),
      next: gauge("next_occurrence_timestamp_seconds", "When the job fires next", ["job"]),
      success: gauge("last_success_timestamp_seconds", "The scheduled time of its newest run that succeeded", ["job"]),
      workers: gauge("workers", "Sandboxes of the local runner by state", ["state"]),
      events: gauge("queued_events", "Events in the local runner's queue that wait for their time or a sandbox", []),
    },
  };
}
