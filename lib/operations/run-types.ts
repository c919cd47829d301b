import type { RecordedReason, RunError, RunStatus, SharedLockHeld, Summary, Trigger } from "../run/index.ts";

// Plain JSON data, as all that the operations answer: see types.ts.

/** A run that waits for its job's lock. */
export interface WaitingView {
  readonly runId: string;
  /** Counted from 1. */
  readonly position: number;
  readonly since: string;
  /** The run before it: the one that waits, too, or the one at work. Absent where it is about to start. */
  readonly behind?: string | undefined;
}

export interface RunView {
  readonly job: string;
  readonly runId: string;
  /** `WAITING`: it has no record yet, and waits for the job's lock. */
  readonly status: RunStatus | "WAITING";
  /** It waits for the job's lock: to start, or to make its next attempt. */
  readonly waiting?: WaitingView | undefined;
  /** Its record says RUNNING, and no runner runs: it comes again at the next start. */
  readonly interrupted?: true | undefined;
  /** Why it was skipped, and the run that held the lock then. */
  readonly reason?: RecordedReason | undefined;
  readonly heldBy?: string | undefined;
  /** That run had timed out or crashed, and its job held the lock after that. */
  readonly heldOver?: true | undefined;
  /** As many runs waited for the lock as may. Then `heldBy` is absent where nobody was at work. */
  readonly queueFull?: true | undefined;
  /** Where that was a shared lock: its name, and the job whose run held it. */
  readonly sharedLock?: SharedLockHeld | undefined;
  /** Absent for a manual run. */
  readonly schedule?: string | undefined;
  /** Of a manual run that works for the time of another one: that time. */
  readonly workTime?: string | undefined;
  /** Of a manual run that does the work of an occurrence: the schedule of that. */
  readonly workSchedule?: string | undefined;
  /** Manual runs that worked for this run's time since. */
  readonly rerunBy?: readonly string[] | undefined;
  /** Absent for a manual run. */
  readonly scheduledTime?: string | undefined;
  /** Of a manual run that is none of a backfill's, where its request had a time. */
  readonly requestedAt?: string | undefined;
  /** The zone of its schedule; for a manual run that of the job's first one. */
  readonly timeZone: string;
  readonly trigger: Trigger;
  readonly fencingToken: number;
  /** All of them, oldest first, the running one included; none for a skipped run. */
  readonly attempts: readonly AttemptView[];
  /** When its first event reached the function: until its first attempt started it waited for the job's lock. */
  readonly deliveredAt?: string | undefined;
  readonly startedAt?: string | undefined;
  readonly endedAt?: string | undefined;
  /** How long after its scheduled time its first attempt started; absent where that was within a minute. */
  readonly lateMs?: number | undefined;
  readonly durationMs?: number | undefined;
  readonly error?: RunError | undefined;
  readonly input?: Summary | undefined;
  readonly result?: Summary | undefined;
  readonly requestId: string;
  readonly logStream?: string | undefined;
  /** Where to read it: a file for the local runner, a page of the console for a stack. */
  readonly log?: string | undefined;
}

export interface AttemptView {
  readonly attempt: number;
  readonly status: RunStatus;
  /** As the run's. */
  readonly interrupted?: true | undefined;
  readonly startedAt: string;
  readonly endedAt?: string | undefined;
  readonly durationMs?: number | undefined;
  readonly error?: RunError | undefined;
  readonly requestId: string;
  readonly logStream?: string | undefined;
  /** Where to read it: a file for the local runner, a page of the console for a stack. */
  readonly log?: string | undefined;
}
