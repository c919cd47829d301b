import type { CatchUp, Overlap } from "../run/index.ts";
import type { ScheduleWarning } from "../schedule/index.ts";
import type { AuditView } from "./audit.ts";
import type { PauseView } from "./pause.ts";
import type { RecentRuns } from "./recent.ts";
import type { RunView, WaitingView } from "./run-types.ts";
import type { UpcomingOccurrence } from "./upcoming.ts";

// Plain JSON data, as all that the operations answer: see types.ts.

export interface ScheduleView {
  readonly name: string;
  readonly expression: string;
  readonly timeZone: string;
  /** The template disables it, though the job is enabled. Known of what runs here. */
  readonly disabled?: true | undefined;
  /** In words. */
  readonly description: string;
  /** It fires only where a runner runs. Absent when there is none, or it, or its job, is disabled, or the job removed. */
  readonly next?: UpcomingOccurrence | undefined;
  readonly warnings: readonly ScheduleWarning[];
}

/**
 * `disabled` is the code's doing, `paused` an operator's; `interrupted` says that the lock's holder died: its run comes
 * again, at the next start where no runner runs. A lock that is only held after a time-out leaves a job `idle`.
 * `unreadable`: what is stored of the job cannot be read.
 */
export type JobState = "idle" | "running" | "interrupted" | "paused" | "disabled" | "removed" | "unreadable";

export interface JobSummary {
  readonly job: string;
  readonly description?: string | undefined;
  readonly schedules: readonly ScheduleView[];
  readonly state: JobState;
  /** Why the state is `unreadable`; lock, pause, last run and last success are absent then. */
  readonly error?: string | undefined;
  /** Its code disables it. It can be paused besides. */
  readonly disabled?: boolean | undefined;
  /** For how long its lock is held after a time-out or a crash; absent: not at all. */
  readonly holdAfterTimeoutMs?: number | undefined;
  /** When it first came into the fleet; absent where the list's item of it cannot be read. */
  readonly firstSeen?: string | undefined;
  readonly lock?: LockView | undefined;
  /** Who waits for the lock, in the order in which it is their turn. */
  readonly waiting: readonly WaitingView[];
  /** An operator's doing; it survives deployments. */
  readonly paused?: PauseView | undefined;
  /** The one that started or ended last of the ten newest, also a skipped one. */
  readonly lastRun?: RunView | undefined;
  /** The scheduled time of the newest run that succeeded. */
  readonly lastSuccess?: string | undefined;
  readonly consecutiveFailures: number;
  readonly recent: RecentRuns;
}

/** Who holds the job's lock. */
export interface LockView {
  /** The invocation that holds it. */
  readonly owner: string;
  readonly runId: string;
  readonly attempt: number;
  readonly since: string;
  readonly expiresAt: string;
  /** True when its holder died, as all have where no runner runs: the next delivery takes the lock over. */
  readonly dead: boolean;
  /** Its holder has timed out or crashed, and the job holds the lock after that. */
  readonly heldOver?: true | undefined;
  /** The shared locks that it takes besides, in order. An unlock frees them, too. */
  readonly locks?: readonly string[] | undefined;
  /** What its handler last said, as of the latest heartbeat. */
  readonly progress?:
    | { readonly fraction: number; readonly note?: string | undefined; readonly at: string }
    | undefined;
}

export interface JobDetail extends JobSummary {
  readonly functionName: string;
  readonly timeoutMs: number;
  readonly overlap: Overlap;
  /** How many may wait for the lock with overlap `queue`, or are caught up with. Not known of jobs that an earlier release listed. */
  readonly queueLength?: number | undefined;
  /** What becomes of missed occurrences. Not known of jobs that an earlier release listed. */
  readonly catchUp?: CatchUp | undefined;
  /** How often a run renews its lease; absent: its lease lasts until its deadline. */
  readonly heartbeatMs?: number | undefined;
  /** For each schedule. */
  readonly maxLatenessMs: Readonly<Record<string, number>>;
  readonly retries: number;
  readonly retentionMs: number;
  /** Newest first. */
  readonly runs: readonly RunView[];
  /** What operators did last, newest first. */
  readonly audit: readonly AuditView[];
}
