import type {
  AuditView,
  Backfilled,
  Cancelled,
  DeadLetterView,
  Diagnosis,
  Discarded,
  JobDetail,
  JobSummary,
  JobUpcoming,
  LogLine,
  Missed,
  Paused,
  PauseLook,
  Resent,
  Resumed,
  RunView,
  Target,
  Triggered,
  Unlocked,
  Upcoming,
} from "../operations/index.ts";

// The one document that each command prints with --json. Their JSON Schemas are in docs/schemas: `npm run schemas`.

/** What a command acted on. */
interface OnTarget {
  readonly target: Target;
}

/** What a command on one job acted on. */
interface OnJob extends OnTarget {
  readonly job: string;
}

/** `list --json` */
export interface ListDocument extends OnTarget {
  readonly jobs: readonly JobSummary[];
}

/** `describe JOB --json` */
export interface DescribeDocument extends OnTarget {
  readonly job: JobDetail;
}

/** `next JOB --json` has the job's name, `next EXPRESSION --json` has not. */
export type NextDocument = Upcoming | JobUpcoming;

/** `runs JOB --json` */
export interface RunsDocument extends OnJob {
  readonly runs: readonly RunView[];
}

/** `run JOB ID --json` */
export interface RunDocument extends OnTarget {
  readonly run: RunView;
}

/** `trigger JOB --json` */
export interface TriggerDocument extends OnTarget, Triggered {
  /** With `--wait`: as it ended. */
  readonly run?: RunView | undefined;
}

/** `missed [JOB] --json` */
export interface MissedDocument extends OnTarget {
  readonly jobs: readonly Missed[];
}

/** `backfill JOB --json`: the plan alone with `--dry-run`, and where nothing is to run. */
export type BackfillDocument = (OnJob & Pick<Backfilled, "plan">) | (OnJob & Backfilled);

/** `pause JOB --json` */
export interface PauseDocument extends OnTarget, Paused {}

/** `resume JOB --json` */
export interface ResumeDocument extends OnTarget, Resumed, Pick<PauseLook, "skipped" | "unrecorded" | "next"> {}

/** `cancel JOB --json` */
export interface CancelDocument extends OnTarget, Cancelled {}

/** `unlock JOB --json` */
export interface UnlockDocument extends OnTarget, Unlocked {}

/** `audit JOB --json` */
export interface AuditDocument extends OnJob {
  readonly audit: readonly AuditView[];
}

/** `dead-letters --json` */
export interface DeadLettersDocument extends OnTarget {
  readonly deadLetters: readonly DeadLetterView[];
}

/** `resend --json` */
export interface ResendDocument extends OnTarget {
  readonly resent: readonly Resent[];
}

/** `discard ID --json` */
export interface DiscardDocument extends OnTarget {
  readonly discarded: Discarded;
}

/** `logs JOB --json` */
export interface LogsDocument extends OnJob {
  readonly lines: readonly LogLine[];
}

/** `doctor --json` */
export interface DoctorDocument extends Diagnosis {
  /** No check failed: exit 0. */
  readonly healthy: boolean;
}

/** `dev --json`, once the runner is ready. */
export interface DevDocument extends OnTarget {
  /** Opens the dashboard, signed in. */
  readonly dashboard: string;
  readonly jobs: readonly JobSummary[];
}

/** `dashboard --json`, once it is served. */
export interface DashboardDocument extends OnTarget {
  /** Opens it, signed in. */
  readonly dashboard: string;
}

/** `new JOB --json` */
export interface NewDocument {
  readonly job: string;
  /** What was written, below the project's folder. */
  readonly files: readonly string[];
}

/** `init [DIR] --json` */
export interface InitDocument extends NewDocument {
  readonly project: string;
  readonly folder: string;
}
