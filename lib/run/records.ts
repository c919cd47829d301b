import type { Delivery, RunError } from "./delivery.ts";
import { boundError } from "./errors.ts";
import { parseRunId } from "./identity.ts";
import { leaseFor } from "./lease.ts";
import { holderOf, takesTurns } from "./line.ts";
import type { Hold, Outcome } from "./outcome.ts";
import { type Attempt, isFinal, type RunRecord, type SkipReason } from "./record.ts";
import { isDead, isHeldOver, type JobState, type Lease, processEndMs, type Tally } from "./state.ts";

/** The record of a run that is at work. */
export function runningRecord(hold: Hold): RunRecord {
  const { delivery, fencingToken, attempt, attempts, startedMs, steps } = hold;
  return {
    ...commonOf(delivery),
    status: "RUNNING",
    fence: fencingToken,
    attempt,
    attempts,
    startedMs,
    steps: steps.length > 0 ? steps : undefined,
    expiresAtMs: startedMs + delivery.retentionMs,
  };
}

/** The same, with the lease where no lock says who is at work. */
export function claimedRecord(hold: Hold): RunRecord {
  const { delivery, attempt, startedMs } = hold;
  const record = runningRecord(hold);
  return delivery.overlap === "allow" ? { ...record, lease: leaseFor(delivery, attempt, startedMs) } : record;
}

/** The record of a run whose newest attempt has ended. */
export function endedRecord(hold: Hold, outcome: Outcome): RunRecord {
  const running = runningRecord(hold);
  const ended: Attempt = {
    attempt: hold.attempt,
    fence: hold.fencingToken,
    status: outcome.status,
    startedMs: hold.startedMs,
    // A clock set back in between must not make a run end before it started.
    endedMs: Math.max(hold.startedMs, outcome.endedMs),
    error: outcome.error && boundError(outcome.error),
    requestId: running.requestId,
    logStream: running.logStream,
  };
  const { status, endedMs, error } = ended;
  const attempts = [...running.attempts, ended];
  // No attempt follows on a final status.
  const steps = isFinal(status) ? undefined : running.steps;
  const record = { ...running, status, endedMs, error, result: outcome.result, attempts, steps };
  // A handler that was timed out may still be at work, and no lock says so.
  const mayGoOn = status === "TIMED_OUT" && hold.delivery.overlap === "allow";
  return mayGoOn ? { ...record, lease: leaseFor(hold.delivery, hold.attempt, hold.startedMs) } : record;
}

/** The record of an occurrence that does not run. */
export function skippedRecord(delivery: Delivery, state: JobState, reason: SkipReason, nowMs: number): RunRecord {
  const holder = reason === "overlap" ? holderOf(state, nowMs) : undefined;
  const heldOver = holder && isHeldOver(holder, nowMs) ? true : undefined;
  // What takes turns waits for the lock, unless too many do.
  const queueFull = reason === "overlap" && takesTurns(state, delivery) ? true : undefined;
  return skippedBecause(delivery, state.fence ?? 0, { reason, heldBy: holder?.runId, heldOver, queueFull }, nowMs);
}

/** The record of one that does not run because of a shared lock. */
export function skippedBy(
  delivery: Delivery,
  fence: number,
  holder: Pick<RunRecord, "heldBy" | "heldOver" | "sharedLock">,
  nowMs: number,
): RunRecord {
  return skippedBecause(delivery, fence, { reason: "overlap", ...holder }, nowMs);
}

function skippedBecause(
  delivery: Delivery,
  fence: number,
  why: Pick<RunRecord, "reason" | "heldBy" | "heldOver" | "queueFull" | "sharedLock">,
  nowMs: number,
): RunRecord {
  return {
    ...commonOf(delivery),
    status: "SKIPPED",
    ...why,
    fence,
    attempt: 0,
    attempts: [],
    endedMs: nowMs,
    expiresAtMs: nowMs + delivery.retentionMs,
  };
}

/**
 * The record to write in the place of a dead lease's owner, with its fence and attempt; undefined when `found`, the
 * run's record, already says how that attempt ended.
 */
export function lostRecord(
  job: string,
  dead: Lease,
  fence: number,
  found?: RunRecord,
  end: LostEnd = { endedMs: processEndMs(dead) },
): RunRecord | undefined {
  if (found && (isFinal(found.status) || found.fence > fence || found.attempt > dead.attempt)) return undefined;
  // Another delivery claimed the run without a lock, so that this one's claim was refused, or never made.
  if (found?.lease && found.status === "RUNNING") return undefined;
  // Its token may be smaller than the state's: with `allow` these are given out while a lease of before still stands.
  const isThisAttempt = found && (found.fence === fence || found.attempt === dead.attempt);
  if (isThisAttempt && found.status !== "RUNNING") return undefined;
  return abandonedRecord(runningFromLease(job, dead, isThisAttempt ? found.fence : fence, found), end);
}

/** The record to write in the place of an owner without a lock whose lease is dead; undefined when its attempt ended. */
export function lostClaim({ lease, ...record }: RunRecord): RunRecord | undefined {
  return lease && record.status === "RUNNING" ? abandonedRecord(record, { endedMs: lease.expiresAtMs }) : undefined;
}

/** The record that a lease stands for while its run has not written one. */
export function runningFromLease(job: string, lease: Lease, fence: number, found?: RunRecord): RunRecord {
  const { runId, attempt, startedMs, deliveredMs, trigger, requestId, logGroup, logStream } = lease;
  const identity = parseRunId(runId);
  return {
    job,
    runId,
    ...(identity?.kind === "scheduled" && { schedule: identity.schedule, scheduledTimeMs: identity.scheduledTimeMs }),
    status: "RUNNING",
    fence,
    attempt,
    workTimeMs: found?.workTimeMs,
    workSchedule: found?.workSchedule,
    attempts: found ? attemptsBefore(fence, found) : [],
    deliveredMs,
    startedMs,
    trigger,
    input: found?.input,
    steps: found?.steps,
    requestId,
    logGroup,
    logStream,
    expiresAtMs: startedMs + lease.retentionMs,
  };
}

/**
 * Runs as they are to be shown. The run that holds the lock may have no record yet, or one of the attempt before; and
 * one that still says RUNNING is lost when no live lease stands for it.
 * @param records newest first
 */
export function shownRuns(job: string, state: JobState, records: readonly RunRecord[], nowMs: number): RunRecord[] {
  const { lease, fence = 0 } = state;
  const shown = records.filter(({ runId }) => runId !== lease?.runId).map((record) => shownUnlocked(record, nowMs));
  if (!lease) return shown;
  const found = records.find(({ runId }) => runId === lease.runId);
  const position = shown.findIndex(({ runId }) => runId < lease.runId);
  shown.splice(position < 0 ? shown.length : position, 0, shownHolder(job, lease, fence, found, nowMs));
  return shown;
}

function shownHolder(job: string, lease: Lease, fence: number, found: RunRecord | undefined, nowMs: number): RunRecord {
  const lost = lostRecord(job, lease, fence, found);
  if (lost === undefined && found) return found;
  if (lost && (isDead(lease, nowMs) || isHeldOver(lease, nowMs))) return lost;
  return runningFromLease(job, lease, fence, found);
}

function shownUnlocked(record: RunRecord, nowMs: number): RunRecord {
  if (record.lease && !isDead(record.lease, nowMs)) return record;
  const endedMs = record.lease?.expiresAtMs ?? record.startedMs ?? 0;
  return record.status === "RUNNING" ? abandonedRecord(record, { endedMs }) : record;
}

/** The attempts that had ended before the one with this fence began. */
export function attemptsBefore(fence: number, record: RunRecord): readonly Attempt[] {
  // A running record with an older fence, which no lease stands for any more, was abandoned.
  const hasEnded = record.status === "RUNNING" && record.fence < fence;
  return hasEnded ? abandonedRecord(record, { endedMs: record.startedMs ?? 0 }).attempts : record.attempts;
}

/** What the runs so far leave on the state once this one has ended, too. */
export function tallyAfter(tally: Tally, record: RunRecord): Tally {
  const { runId, status, scheduledTimeMs, endedMs = 0 } = record;
  const { lastSuccess, consecutiveFailures } = tally;
  const isNewestSuccess =
    status === "SUCCEEDED" &&
    scheduledTimeMs !== undefined &&
    scheduledTimeMs >= (lastSuccess?.scheduledTimeMs ?? scheduledTimeMs);
  const failed = status === "FAILED" || status === "TIMED_OUT" || status === "LOST";
  return {
    last: { runId, status, endedMs },
    lastSuccess: isNewestSuccess ? { runId, scheduledTimeMs, endedMs } : lastSuccess,
    consecutiveFailures: failed ? consecutiveFailures + 1 : status === "SUCCEEDED" ? 0 : consecutiveFailures,
  };
}

export function lostError(attempt: number): RunError {
  const why = "its process died, was stopped, or outlived its lease";
  return { name: "RunLost", message: `Attempt ${attempt} ended without a result in time: ${why}.` };
}

/** When an attempt without a result is taken to have ended, and why. */
export interface LostEnd {
  readonly endedMs: number;
  readonly error?: RunError;
}

function abandonedRecord(running: RunRecord, { endedMs, error = lostError(running.attempt) }: LostEnd): RunRecord {
  const { attempt, fence, startedMs = 0, requestId, logStream } = running;
  const ended = Math.max(startedMs, endedMs);
  const lost: Attempt = { attempt, fence, status: "LOST", startedMs, endedMs: ended, error, requestId, logStream };
  return { ...running, status: "LOST", endedMs: ended, error, attempts: [...running.attempts, lost] };
}

function commonOf(delivery: Delivery) {
  const { job, runId, schedule, scheduledTimeMs, workTimeMs, workSchedule, trigger, input } = delivery;
  const { deliveredMs, requestId, logGroup, logStream } = delivery;
  const what = { job, runId, schedule, scheduledTimeMs, workTimeMs, workSchedule, trigger, input };
  return { ...what, deliveredMs, requestId, logGroup, logStream };
}
