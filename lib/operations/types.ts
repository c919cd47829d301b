import type {
  CatchUp,
  Overlap,
  RecordedReason,
  RunError,
  RunStatus,
  SharedLockHeld,
  Summary,
  Trigger,
} from "../run/index.ts";
import type { ScheduleWarning } from "../schedule/index.ts";
import type { Actor, ActorWithReason } from "./actor.ts";
import type { AuditQuery, AuditView } from "./audit.ts";
import type { Backfilled, BackfillPlan, BackfillProgress, BackfillQuery, BackfillRequest } from "./backfill/types.ts";
import type { Cancelled, CancelRequest } from "./cancel.ts";
import type { DeadLetterView, Discarded, Resent } from "./dead-letters.ts";
import type { LogLine, LogsQuery } from "./logs.ts";
import type { Missed, MissedQuery } from "./missed.ts";
import type { Paused, PauseLook, PauseRequest, PauseView, Resumed, ResumeRequest } from "./pause.ts";
import type { RecentRuns } from "./recent.ts";
import type { Timeline, TimelineQuery } from "./timeline.ts";
import type { Unlocked, UnlockRequest } from "./unlock.ts";
import type { Upcoming, UpcomingOccurrence } from "./upcoming.ts";

/*
 * What the operations answer is plain JSON data: the CLI's --json prints it as it is. Every instant is ISO 8601 in UTC,
 * such as 2026-03-28T01:30:00Z; every duration is in milliseconds, and its name says so.
 */

/** What the operations act on. */
export type Target = LocalTarget | StackTarget;

/** A deployed stack. */
export interface StackTarget {
  readonly kind: "stack";
  readonly fleet: string;
  readonly stack: string;
  readonly region: string;
  readonly running: true;
}

/** The local runner, or its folder. */
export interface LocalTarget {
  readonly kind: "local";
  readonly fleet: string;
  readonly stateDir: string;
  /** With no runner running its records can be read, and nothing can be triggered. */
  readonly running: boolean;
  /** Where the running runner answers. */
  readonly url?: string | undefined;
}

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

export interface NextQuery {
  /** Exclusive; default: now. */
  readonly from?: string | undefined;
  /** 1–1,000; default 5. */
  readonly count?: number | undefined;
}

export interface JobUpcoming extends Upcoming {
  readonly job: string;
  readonly occurrences: readonly (UpcomingOccurrence & { readonly schedule: string })[];
}

export interface RunsQuery {
  /** Without one those with a record: not those that wait for their first attempt, which `WAITING` lists. */
  readonly status?: string | undefined;
  /** Runs whose scheduled time, or request, is at or after this instant. */
  readonly since?: string | undefined;
  /** 1–1,000; default 20. */
  readonly limit?: number | undefined;
}

/** Who and why are kept with the run. */
export interface TriggerRequest extends Actor {
  /** Any JSON value, and nothing that JSON would change; the handler finds it at `run.input`. */
  readonly input?: unknown;
}

export interface Triggered {
  readonly job: string;
  readonly runId: string;
  /** The run that held the lock at that moment. */
  readonly heldBy?: string | undefined;
  /** What becomes of the new run unless that one ends first: the job's overlap policy. */
  readonly overlap?: Overlap | undefined;
}

export interface Finding {
  readonly check: string;
  readonly level: "ok" | "warning" | "failed";
  readonly message: string;
  /** What to do about it. */
  readonly advice?: string | undefined;
}

/** What `diagnose` found. */
export interface Diagnosis {
  /** Absent where there is nothing to act on: then this machine alone was checked. */
  readonly target?: Target | undefined;
  readonly findings: readonly Finding[];
}

export interface Operations {
  readonly target: Target;
  list(): Promise<JobSummary[]>;
  /** Of all jobs, one query. */
  jobNames(): Promise<string[]>;
  describe(job: string): Promise<JobDetail>;
  next(job: string, query?: NextQuery): Promise<JobUpcoming>;
  /** Newest first. */
  runs(job: string, query?: RunsQuery): Promise<RunView[]>;
  run(job: string, runId: string): Promise<RunView>;
  trigger(job: string, request: TriggerRequest): Promise<Triggered>;
  /** Waits until a run is final or has no attempt left; `onChange` hears of each change on the way. */
  follow(job: string, runId: string, onChange?: (run: RunView) => void): Promise<RunView>;
  pause(job: string, request: PauseRequest): Promise<Paused>;
  /** What a pause has held up so far, and what a `resume` would do. */
  lookAtPause(job: string): Promise<PauseLook>;
  resume(job: string, request: ResumeRequest): Promise<Resumed>;
  unlock(job: string, request: UnlockRequest): Promise<Unlocked>;
  /** Asks the run that holds the job's lock to stop, or takes one that waits out of the queue. */
  cancel(job: string, request: CancelRequest): Promise<Cancelled>;
  /** Newest first. */
  audit(job: string, query?: AuditQuery): Promise<AuditView[]>;
  /** What a backfill would run. */
  planBackfill(job: string, query: BackfillQuery): Promise<BackfillPlan>;
  /**
   * Runs past occurrences and waits for each; broken off and asked again, it goes on. When the signal aborts it starts no
   * more, and waits for those at work.
   */
  backfill(
    job: string,
    request: BackfillRequest,
    onProgress?: (progress: BackfillProgress) => void,
    signal?: AbortSignal,
  ): Promise<Backfilled>;
  /** What fell due and has no record: of one job, or of all. */
  missed(job: string, query?: MissedQuery): Promise<Missed>;
  missedOfAll(query?: MissedQuery): Promise<Missed[]>;
  /** What should have run in a range, what did, and what is still to come. */
  timeline(query: TimelineQuery): Promise<Timeline>;
  /** The events that failed for good, the oldest first. */
  deadLetters(): Promise<DeadLetterView[]>;
  /** Starts again what failed for good: one, or all of it without an id. */
  resend(id: string | undefined, actor: Actor): Promise<Resent[]>;
  /** Removes a dead letter unsent, for good. */
  discard(id: string, actor: ActorWithReason): Promise<Discarded>;
  /** A job's newest log lines, or those of one run, oldest first. */
  logs(job: string, query?: LogsQuery): Promise<LogLine[]>;
  /** The name that this person or program acts under: `by`, unless it is given. */
  whoAmI(): Promise<string>;
  doctor(): Promise<Finding[]>;
  close(): Promise<void>;
}
