import type { RunError, Summary, Trigger } from "./delivery.ts";
import type { Lease } from "./state.ts";
import type { Step } from "./step.ts";

export const RUN_STATUSES = ["RUNNING", "SUCCEEDED", "FAILED", "TIMED_OUT", "LOST", "CANCELLED", "SKIPPED"] as const;
export type RunStatus = (typeof RUN_STATUSES)[number];

/** These never change. */
export const FINAL_STATUSES = ["SUCCEEDED", "CANCELLED", "SKIPPED"] as const satisfies readonly RunStatus[];
/** These a later attempt, with a higher fence, may replace. */
export const REPLACEABLE_STATUSES = ["RUNNING", "FAILED", "TIMED_OUT", "LOST"] as const satisfies readonly RunStatus[];

export type SkipReason = "overlap" | "paused" | "late";
/** What a delivery found, or `cancelled`: an operator took the waiting run out of the queue. */
export type RecordedReason = SkipReason | "cancelled";

export interface SharedLockHeld {
  readonly name: string;
  readonly job: string;
}

/** An attempt that has ended. */
export interface Attempt {
  readonly attempt: number;
  readonly fence: number;
  readonly status: RunStatus;
  readonly startedMs: number;
  readonly endedMs: number;
  readonly error?: RunError | undefined;
  readonly requestId: string;
  readonly logStream?: string | undefined;
}

/** The record of one run: the whole of it is written each time. */
export interface RunRecord {
  readonly job: string;
  readonly runId: string;
  readonly schedule?: string | undefined;
  readonly scheduledTimeMs?: number | undefined;
  /** Of a manual run: the time that it works for, where its request named one. */
  readonly workTimeMs?: number | undefined;
  /** Of a manual run that works for an occurrence: the schedule's name; absent for runs of an earlier release. */
  readonly workSchedule?: string | undefined;
  readonly status: RunStatus;
  /** Of a skipped run: why, and the run that held the lock. */
  readonly reason?: RecordedReason | undefined;
  readonly heldBy?: string | undefined;
  /** That run was not at work any more: it had timed out or crashed, and its job holds the lock after that. */
  readonly heldOver?: true | undefined;
  /** As many runs waited for the lock as may. Then `heldBy` is absent where nobody was at work. */
  readonly queueFull?: true | undefined;
  /** Where that was a shared lock: its name, and the job whose run held it. */
  readonly sharedLock?: SharedLockHeld | undefined;
  /** The fencing token of the newest attempt; 0 for a run skipped before the job ever ran. */
  readonly fence: number;
  /** The newest attempt, counted from 1; 0 for a skipped run. */
  readonly attempt: number;
  /** The attempts that have ended, oldest first; at most retries + 1. */
  readonly attempts: readonly Attempt[];
  /** When its first event arrived; absent for runs of an earlier release. */
  readonly deliveredMs?: number | undefined;
  /** When the newest attempt started; absent for a skipped run. */
  readonly startedMs?: number | undefined;
  /** When the newest attempt ended, or the run was skipped; absent while it runs. */
  readonly endedMs?: number | undefined;
  readonly trigger: Trigger;
  readonly error?: RunError | undefined;
  readonly input?: Summary | undefined;
  readonly result?: Summary | undefined;
  /** What its attempts have finished, for the next one; absent once the run is final. */
  readonly steps?: readonly Step[] | undefined;
  readonly requestId: string;
  /** Where its attempts' streams are; absent for runs of an earlier release. */
  readonly logGroup?: string | undefined;
  readonly logStream?: string | undefined;
  /** Of a run that took no lock: until it ends nobody else may start this run. */
  readonly lease?: Lease | undefined;
  /** From then on the table may remove the record. */
  readonly expiresAtMs: number;
}

export function isFinal(status: RunStatus): boolean {
  return (FINAL_STATUSES as readonly RunStatus[]).includes(status);
}
