import type { Overlap } from "../run/index.ts";
import type { Actor, ActorWithReason } from "./actor.ts";
import type { AuditQuery, AuditView } from "./audit.ts";
import type { Backfilled, BackfillPlan, BackfillProgress, BackfillQuery, BackfillRequest } from "./backfill/types.ts";
import type { Cancelled, CancelRequest } from "./cancel.ts";
import type { DeadLetterView, Discarded, Resent } from "./dead-letters.ts";
import type { JobDetail, JobSummary } from "./job-types.ts";
import type { LogLine, LogsQuery } from "./logs.ts";
import type { Missed, MissedQuery } from "./missed.ts";
import type { Paused, PauseRequest, Resumed, ResumeRequest } from "./pause.ts";
import type { PauseLook } from "./pause-look.ts";
import type { RunView } from "./run-types.ts";
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
  /** Of a job with the policy `queue`, where the lock is held. */
  readonly queue?: QueueSeen | undefined;
}

/** A run that finds as many waiting as may is skipped. */
export interface QueueSeen {
  readonly waiting: number;
  /** How many may wait. Not known of jobs that an earlier release listed. */
  readonly length?: number | undefined;
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
