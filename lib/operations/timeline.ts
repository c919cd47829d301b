import PQueue from "p-queue";
import { type RunRecord, runTimeMs, scheduledRunId } from "../run/index.ts";
import { localTime, occurrenceNote, offsetChanges, own, parseSchedule } from "../schedule/index.ts";
import { type ListedJob, readPauses } from "../store/index.ts";
import { type Backend, findJob } from "./backend.ts";
import { knownSinceMs, parseRange, type Range } from "./backfill/range.ts";
import { lookBackMs } from "./due.ts";
import { dueAsDeployed } from "./due-as-deployed.ts";
import { OperationError } from "./errors.ts";
import { instantText } from "./instants.ts";
import { occurrencesOf } from "./occurrences.ts";
import type { RunView } from "./run-types.ts";
import { runView, zoneOf } from "./views.ts";

export interface TimelineQuery {
  /** Inclusive, ISO 8601 with `Z` or an offset. */
  readonly from: string;
  /** Exclusive; 31 days after `from` at most, and it may lie in the future. */
  readonly to: string;
  /** Their names, 100 at most. @default all, where there are no more */
  readonly jobs?: readonly string[] | undefined;
}

/** What should have run in a range, what did, and what is still to come. */
export interface Timeline {
  readonly from: string;
  readonly to: string;
  readonly now: string;
  readonly jobs: readonly JobTimeline[];
}

export interface JobTimeline {
  readonly job: string;
  /** Of its first schedule. */
  readonly timeZone: string;
  /** In the order of time, also those to come. */
  readonly occurrences: readonly ExpectedOccurrence[];
  /** Those that were due, asked for or at work in the range, in the order of time. */
  readonly runs: readonly RunView[];
  /** Changes of the clocks in the range, in the job's zone: `+01:00` becomes `+02:00`. */
  readonly clockChanges: readonly { readonly at: string; readonly before: string; readonly after: string }[];
  /** More fell due or ran than is told: the newest 1,000, for more than 10 jobs 10,000 in all. */
  readonly truncated: boolean;
  /** More comes than is told: the next ones, as many. */
  readonly moreToCome: boolean;
}

export interface ExpectedOccurrence {
  readonly schedule: string;
  readonly scheduledTime: string;
  /** The same instant in the schedule's zone. */
  readonly local: string;
  readonly runId: string;
  /**
   * `missed`: it fell due and has no record; `paused`: it fell due in a pause and has none; `due`: it may still be on its
   * way.
   */
  readonly state: "recorded" | "missed" | "paused" | "due" | "to-come";
  /** What a reader would stumble over here, such as a change of the clocks. */
  readonly note?: string | undefined;
}

const MAX_RANGE_MS = 31 * 24 * 60 * 60_000;
const MAX_JOBS = 100;
const MAX_OF_JOB = 1_000;
const MAX_IN_ALL = 10_000;
/** What is read of a job at most: what is older is not judged. */
const MAX_READ = 10_000;
/** A run that was due before the range may be at work in it. */
const LONGEST_RUN_MS = 60 * 60_000;
const PARALLEL_QUERIES = 10;

export async function readTimeline(backend: Backend, { from, to, jobs: names }: TimelineQuery): Promise<Timeline> {
  const range = parseRange(from, to);
  if (range.toMs - range.fromMs > MAX_RANGE_MS) {
    throw new OperationError("INVALID_INPUT", `from ${from} to ${to} is more than 31 days; take a shorter range`);
  }
  const jobs = await jobsNamed(backend, names);
  const max = Math.min(MAX_OF_JOB, Math.floor(MAX_IN_ALL / Math.max(jobs.length, 1)));
  const queue = new PQueue({ concurrency: PARALLEL_QUERIES });
  return {
    from: instantText(range.fromMs),
    to: instantText(range.toMs),
    now: instantText(backend.nowMs()),
    jobs: await queue.addAll(jobs.map((job) => () => timelineOf(backend, job, range, max))),
  };
}

async function jobsNamed(backend: Backend, names: readonly string[] | undefined): Promise<ListedJob[]> {
  const { jobs } = await backend.fleet.readFleet();
  const wanted = names ?? jobs.map(({ job }) => job);
  if (wanted.length > MAX_JOBS) {
    const message = `a timeline shows ${MAX_JOBS} jobs at most, and these are ${wanted.length}; name those to show`;
    throw new OperationError("INVALID_INPUT", message);
  }
  const found = wanted.map((name) => jobs.find(({ job }) => job === name) ?? findJob(backend, name));
  return Promise.all(found);
}

async function timelineOf(backend: Backend, job: ListedJob, range: Range, max: number): Promise<JobTimeline> {
  const nowMs = backend.nowMs();
  const sinceMs = range.fromMs - Math.max(lookBackMs(job), LONGEST_RUN_MS);
  const records = await backend.records.listRuns(job.job, { sinceMs, limit: MAX_READ });
  const oldestMs = records.length < MAX_READ ? sinceMs : timeOf(records.at(-1));
  const judgedFromMs = Math.max(range.fromMs, knownSinceMs(job, nowMs), oldestMs);
  const pauses = await readPauses(backend.records, job.job);
  const judged = { ...range, fromMs: judgedFromMs };
  const { due, job: fired } = await dueAsDeployed(backend, job, judged, { records, pauses, nowMs });

  const inRange = records.filter((record) => isIn(record, range)).reverse();
  const recorded = inRange.flatMap(({ schedule, scheduledTimeMs: timeMs }) => {
    const wasDue = schedule !== undefined && timeMs !== undefined && timeMs >= range.fromMs;
    return wasDue ? { schedule, timeMs, state: "recorded" as const } : [];
  });
  const past = [...due.unrecorded, ...recorded].sort((one, other) => one.timeMs - other.timeMs);
  const toCome = isFired(job)
    ? occurrencesOf(fired, { ...range, fromMs: Math.max(range.fromMs, nowMs + 1) }, max + 1, records)
    : [];
  const told = [
    ...past.slice(-max),
    ...toCome.slice(0, max).map((occurrence) => ({ ...occurrence, state: "to-come" as const })),
  ];
  const timeZone = zoneOf(job, undefined);
  return {
    job: job.job,
    timeZone,
    occurrences: told.map((occurrence) => viewOf(job, occurrence)),
    runs: inRange.slice(-max).map((record) => runView(record, job, backend)),
    clockChanges: offsetChanges(timeZone, range.fromMs, range.toMs).map(({ atMs, before, after }) => {
      return { at: instantText(atMs), before, after };
    }),
    truncated: past.length > max || inRange.length > max || oldestMs > sinceMs,
    moreToCome: toCome.length > max,
  };
}

interface Told {
  readonly schedule: string;
  readonly timeMs: number;
  readonly state: ExpectedOccurrence["state"];
}

function viewOf(job: ListedJob, { schedule, timeMs, state }: Told): ExpectedOccurrence {
  const spec = own(job.schedules, schedule);
  return {
    schedule,
    scheduledTime: instantText(timeMs),
    local: localTime(timeMs, zoneOf(job, schedule)),
    runId: scheduledRunId(timeMs, schedule),
    state,
    // A schedule that has left the code has its runs still.
    note: spec && occurrenceNote(parseSchedule(spec), timeMs),
  };
}

function isFired({ enabled, removedMs }: ListedJob): boolean {
  return enabled && removedMs === undefined;
}

/** Due, asked for, or at work in the range. */
function isIn(record: RunRecord, { fromMs, toMs }: Range): boolean {
  return timeOf(record) < toMs && (record.endedMs ?? (record.status === "RUNNING" ? toMs : timeOf(record))) >= fromMs;
}

function timeOf(record: RunRecord | undefined): number {
  return (record && (runTimeMs(record.runId) ?? record.startedMs)) ?? 0;
}
