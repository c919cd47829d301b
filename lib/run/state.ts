import type { StartCause, Trigger } from "./delivery.ts";
import type { RunStatus } from "./record.ts";

/** Clocks that differ by at most this are tolerated. */
export const SKEW_TOLERANCE_MS = 5_000;

/** What waits is on the job's state, which every write of the lock pays for: no more of an input is kept there. */
export const MAX_QUEUED_INPUT_BYTES = 4_096;

/** Who holds a job's lock. Its fencing token is the state's fence. */
export interface Lease {
  readonly owner: string;
  readonly runId: string;
  readonly deliveryId: string;
  readonly redelivered: boolean;
  readonly attempt: number;
  readonly startedMs: number;
  /** When the run's first event arrived. */
  readonly deliveredMs?: number | undefined;
  readonly expiresAtMs: number;
  readonly trigger: Trigger;
  readonly requestId: string;
  readonly logGroup?: string | undefined;
  readonly logStream?: string | undefined;
  /** The shared locks that it takes besides, in order; absent: none, or it is of an earlier release. */
  readonly locks?: readonly string[] | undefined;
  /** How long the run's record is kept, for whoever has to write it in the owner's place. */
  readonly retentionMs: number;
  /** How much of it comes after its process has ended: it holds the lock after a time-out or a crash. */
  readonly holdMs?: number | undefined;
  /** How often the owner renews it, and hears then that it shall stop; absent: it hears nothing. */
  readonly heartbeatMs?: number | undefined;
  /** What the handler last said, as of the latest heartbeat. */
  readonly progress?: Progress | undefined;
}

/** How far a run is. */
export interface Progress {
  /** From 0 to 1. */
  readonly fraction: number;
  readonly note?: string | undefined;
  readonly atMs: number;
}

/** A request that the owner of a lease stops its handler. It is never on an item whose lease has another owner. */
export interface Stop {
  readonly owner: string;
  /** `cancel`: an operator wants it. `replace`: a newer run of the job waits. `priority`: so does a more important job. */
  readonly kind: (typeof STOP_KINDS)[number];
  /** The operator, or the run that waits. */
  readonly by: string;
  readonly reason?: string | undefined;
  readonly atMs: number;
}

export const STOP_KINDS = ["cancel", "replace", "priority"] as const;

/** Stops scheduled occurrences; each is recorded as skipped. */
export interface Pause {
  readonly by: string;
  readonly reason: string;
  readonly atMs: number;
  /** From this instant on the job is not paused any more; absent: until it is resumed. */
  readonly untilMs?: number | undefined;
}

/** An occurrence that waits for its turn. Everything that its run is told is kept with it. */
export interface QueueEntry {
  readonly runId: string;
  readonly trigger: Trigger;
  /** The delivery that joined. */
  readonly deliveryId: string;
  readonly requestId: string;
  /** Of a run that no fresh delivery asked for. */
  readonly cause?: StartCause | undefined;
  readonly queuedMs: number;
  /** When the run's first event arrived. */
  readonly deliveredMs?: number | undefined;
  /** The run that was in the way. */
  readonly heldBy?: string | undefined;
  /** JSON text of the event's input; at most `MAX_QUEUED_INPUT_BYTES`. */
  readonly input?: string | undefined;
  /** Of a manual run: the time that it works for. */
  readonly workTimeMs?: number | undefined;
  /** Of a manual run that works for an occurrence: the schedule's name. */
  readonly workSchedule?: string | undefined;
}

/** Where a run waits in the queue, counted from 0. */
export interface Place {
  readonly runId: string;
  readonly at: number;
}

/** The newest scheduled run that succeeded. */
export interface Success {
  readonly runId: string;
  readonly scheduledTimeMs: number;
  readonly endedMs: number;
}

/** What the ended runs left behind on the state. Only who removes a lease changes it. */
export interface Tally {
  readonly last?: { readonly runId: string; readonly status: RunStatus; readonly endedMs: number } | undefined;
  readonly lastSuccess?: Success | undefined;
  /** Attempts that ended badly since the last success. */
  readonly consecutiveFailures: number;
}

/** The state of one job. It never expires, since its fence must never go back. */
export interface JobState extends Tally {
  /** The newest fencing token; absent when nothing ever ran. */
  readonly fence?: number | undefined;
  readonly lease?: Lease | undefined;
  /** The token that came with the lease: the fence has gone on where a run without a lock has taken one since. */
  readonly leaseFence?: number | undefined;
  /** Beside the lease, which renewals rewrite; it goes with it. */
  readonly stop?: Stop | undefined;
  /** The newest scheduled occurrence that was started or skipped: its run id. */
  readonly highWater?: string | undefined;
  readonly paused?: Pause | undefined;
  /** Who waits for the lock, first in, first out; absent when nobody does. */
  readonly queue?: readonly QueueEntry[] | undefined;
}

/** The state of a job that has no item yet. */
export const NOTHING_YET: JobState = { consecutiveFailures: 0 };

export function isPausedAt({ paused }: JobState, nowMs: number): boolean {
  return paused !== undefined && (paused.untilMs === undefined || nowMs < paused.untilMs);
}

/** A pause that has run out and is still there: whoever acquires next takes it away. */
export function pauseOver(state: JobState, nowMs: number): Pause | undefined {
  return isPausedAt(state, nowMs) ? undefined : state.paused;
}

/**
 * Whether nobody can be running under this lease any more. It ends at the deadline that the platform stamped, which is
 * free of the owner's clock error, or has a tolerance for that error in it; the one here is for the clock that reads it.
 */
export function isDead(lease: Pick<Lease, "expiresAtMs">, nowMs: number): boolean {
  return lease.expiresAtMs + SKEW_TOLERANCE_MS < nowMs;
}

/** When the lease's process has ended at the latest, by the owner's clock. */
export function processEndMs({ expiresAtMs, holdMs = 0 }: Pick<Lease, "expiresAtMs" | "holdMs">): number {
  return expiresAtMs - holdMs;
}

/** Whether nobody is running under this lease any more, and only its hold keeps others from the lock. */
export function isHeldOver(lease: Pick<Lease, "expiresAtMs" | "holdMs">, nowMs: number): boolean {
  return !isDead(lease, nowMs) && processEndMs(lease) + SKEW_TOLERANCE_MS < nowMs;
}
