import { isDead, isHeldOver, type Lease, parseRunId, type RunRecord, runTimeMs } from "../run/index.ts";
import { own } from "../schedule/index.ts";
import type { ListedJob } from "../store/index.ts";
import type { Backend } from "./backend.ts";
import { rerunSchedule } from "./backfill/rerun.ts";
import { instantText } from "./instants.ts";
import type { LockView } from "./job-types.ts";
import type { AttemptView, RunView } from "./run-types.ts";

/** EventBridge Scheduler calls within the minute that an occurrence names. */
const LATE_MS = 60_000;

export function runView(
  record: RunRecord,
  job: ListedJob,
  { logOf, target }: Pick<Backend, "logOf" | "target">,
): RunView {
  const { functionName } = job;
  const logFor = (stream: string | undefined) => stream && logOf({ functionName, group: record.logGroup, stream });
  const interrupted = record.status === "RUNNING" && !target.running ? true : undefined;
  const { runId, status, reason, heldBy, heldOver, queueFull, sharedLock, trigger, fence } = record;
  const { schedule, workSchedule, error, input, result } = record;
  return {
    job: job.job,
    runId,
    status,
    interrupted,
    reason,
    heldBy,
    heldOver,
    queueFull,
    sharedLock,
    schedule,
    scheduledTime: optionalInstant(record.scheduledTimeMs),
    workTime: optionalInstant(record.workTimeMs),
    workSchedule,
    requestedAt: requestedAt(runId),
    timeZone: zoneOf(job, schedule ?? workSchedule),
    trigger,
    fencingToken: fence,
    attempts: attemptViews(record, interrupted, logFor),
    deliveredAt: optionalInstant(record.deliveredMs),
    startedAt: optionalInstant(record.startedMs),
    endedAt: optionalInstant(record.endedMs),
    lateMs: lateMs(record),
    durationMs: durationMs(record),
    error,
    input,
    result,
    requestId: record.requestId,
    logStream: record.logStream,
    log: logFor(record.logStream),
  };
}

/** The time in a backfill's run is that of what it follows on. */
export function requestedAt(runId: string): string | undefined {
  const isAskedFor = parseRunId(runId)?.kind === "manual" && rerunSchedule(runId) === undefined;
  return isAskedFor ? optionalInstant(runTimeMs(runId)) : undefined;
}

export function lockView(lease: Lease | undefined, { target, nowMs }: Backend): LockView | undefined {
  if (!lease) return undefined;
  return {
    owner: lease.owner,
    runId: lease.runId,
    attempt: lease.attempt,
    since: instantText(lease.startedMs),
    expiresAt: instantText(lease.expiresAtMs),
    dead: !target.running || isDead(lease, nowMs()),
    heldOver: isHeldOver(lease, nowMs()) ? true : undefined,
    locks: lease.locks,
    progress: lease.progress && {
      fraction: lease.progress.fraction,
      note: lease.progress.note,
      at: instantText(lease.progress.atMs),
    },
  };
}

/** The record lists the ended attempts; the newest one belongs to them while it runs. */
function attemptViews(
  record: RunRecord,
  interrupted: true | undefined,
  logFor: (stream: string | undefined) => string | undefined,
): AttemptView[] {
  const views: AttemptView[] = record.attempts.map((attempt) => ({
    attempt: attempt.attempt,
    status: attempt.status,
    startedAt: instantText(attempt.startedMs),
    endedAt: instantText(attempt.endedMs),
    durationMs: durationMs(attempt),
    error: attempt.error,
    requestId: attempt.requestId,
    logStream: attempt.logStream,
    log: logFor(attempt.logStream),
  }));
  if (record.status === "RUNNING" && record.startedMs !== undefined) {
    const { attempt, status, requestId, logStream } = record;
    const startedAt = instantText(record.startedMs);
    views.push({ attempt, status, interrupted, startedAt, requestId, logStream, log: logFor(logStream) });
  }
  return views;
}

/** A caught-up run, say. */
function lateMs({ scheduledTimeMs, startedMs, attempts }: RunRecord): number | undefined {
  const firstMs = attempts[0]?.startedMs ?? startedMs;
  if (scheduledTimeMs === undefined || firstMs === undefined) return undefined;
  return firstMs - scheduledTimeMs >= LATE_MS ? firstMs - scheduledTimeMs : undefined;
}

function durationMs({ startedMs, endedMs }: { startedMs?: number | undefined; endedMs?: number | undefined }) {
  return startedMs === undefined || endedMs === undefined ? undefined : endedMs - startedMs;
}

export function optionalInstant(ms: number | undefined): string | undefined {
  return ms === undefined ? undefined : instantText(ms);
}

/** A manual run's times are shown in the zone of the first schedule. */
export function zoneOf(job: ListedJob, schedule: string | undefined): string {
  const spec = (schedule !== undefined ? own(job.schedules, schedule) : undefined) ?? Object.values(job.schedules)[0];
  return spec?.timeZone ?? "UTC";
}
