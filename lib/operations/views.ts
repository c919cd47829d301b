import { isDead, type RunRecord, type JobState as StoredState } from "../run/index.ts";
import { instantText } from "./instants.ts";
import type { AttemptView, LockView, RunView } from "./types.ts";

export function runView(record: RunRecord, timeZone: string): RunView {
  const { job, runId, status, reason, heldBy, schedule, trigger, fence, error, input, result } = record;
  return {
    job,
    runId,
    status,
    reason,
    heldBy,
    schedule,
    scheduledTime: optionalInstant(record.scheduledTimeMs),
    timeZone,
    trigger,
    fencingToken: fence,
    attempts: attemptViews(record),
    startedAt: optionalInstant(record.startedMs),
    endedAt: optionalInstant(record.endedMs),
    durationMs: durationMs(record),
    error,
    input,
    result,
    requestId: record.requestId,
    logStream: record.logStream,
  };
}

export function lockView(state: StoredState | undefined, nowMs: number): LockView | undefined {
  const lease = state?.lease;
  if (!lease) return undefined;
  return {
    runId: lease.runId,
    attempt: lease.attempt,
    since: instantText(lease.startedMs),
    expiresAt: instantText(lease.expiresAtMs),
    dead: isDead(lease, nowMs),
  };
}

/** The record lists the ended attempts; the newest one belongs to them while it runs. */
function attemptViews(record: RunRecord): AttemptView[] {
  const views: AttemptView[] = record.attempts.map((attempt) => ({
    attempt: attempt.attempt,
    status: attempt.status,
    startedAt: instantText(attempt.startedMs),
    endedAt: instantText(attempt.endedMs),
    durationMs: durationMs(attempt),
    error: attempt.error,
    requestId: attempt.requestId,
    logStream: attempt.logStream,
  }));
  if (record.status === "RUNNING" && record.startedMs !== undefined) {
    const { attempt, status, requestId, logStream } = record;
    views.push({ attempt, status, startedAt: instantText(record.startedMs), requestId, logStream });
  }
  return views;
}

function durationMs({ startedMs, endedMs }: { startedMs?: number | undefined; endedMs?: number | undefined }) {
  return startedMs === undefined || endedMs === undefined ? undefined : endedMs - startedMs;
}

function optionalInstant(ms: number | undefined): string | undefined {
  return ms === undefined ? undefined : instantText(ms);
}
