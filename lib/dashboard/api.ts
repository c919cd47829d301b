import type {
  AuditView,
  BackfillPlan,
  BackfillRequest,
  Cancelled,
  DeadLetterView,
  Discarded,
  Finding,
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
  Timeline,
  Triggered,
  Unlocked,
} from "../operations/index.ts";

export type { ExpectedOccurrence, JobTimeline, RecentRuns } from "../operations/index.ts";

/*
 * What the dashboard's page and its server say to each other, beside what the operations answer. All of it is JSON under
 * /api. Instants are ISO 8601 in UTC, durations in milliseconds, as in the operations.
 *
 * A route that is named after an operation answers what that one answers, as it is: `GET /api/jobs/:job` a `JobDetail`,
 * `…/runs?status&since&limit` a `RunView[]`, `…/logs?runId&limit` a `LogLine[]`, `POST …/pause` a `Paused`. A POST's body
 * is the operation's request, in which `by` may be absent: it is `whoAmI` then. `POST /api/dead-letters/resend` takes
 * `{ id?, reason? }` and answers a `Resent[]`, `…/discard` `{ id, reason }` and answers a `Discarded`.
 */

/** `GET /api/target`: what the page looks at, and what it may do there. */
export interface TargetAnswer {
  readonly target: Target;
  /** The name that its actions are recorded under, unless they say another. */
  readonly whoAmI: string;
  readonly now: string;
  /** Everything that changes something is refused. */
  readonly readOnly: boolean;
  /**
   * How many times as fast as the machine's the runner's clock runs, where it does: `speed` while no handler is at work,
   * `pace` just now.
   */
  readonly clock?: { readonly speed: number; readonly pace: number } | undefined;
  /** The faults that are switched on, in words. */
  readonly faults: readonly string[];
}

/** `GET /api/jobs`: the fleet. */
export interface FleetAnswer {
  readonly jobs: readonly FleetJob[];
  /** The id of the newest change in it: `GET /api/events` goes on from there. */
  readonly lastEventId: string;
}

export type FleetJob = JobSummary;

/** `GET /api/timeline?from&to&jobs=a,b,c` and `GET /api/jobs/:job/timeline?from&to`. */
export type TimelineAnswer = Timeline;

/** `GET /api/workers`: the sandboxes, or a deployed stack's log streams. */
export interface WorkersAnswer {
  readonly workers: readonly Worker[];
}

export interface Worker {
  readonly id: string;
  readonly job?: string | undefined;
  readonly functionName: string;
  readonly state: "starting" | "busy" | "idle";
  /** The run that it is on. */
  readonly runId?: string | undefined;
  readonly requestId?: string | undefined;
  readonly since?: string | undefined;
  /** When it was last heard of. */
  readonly heardAt?: string | undefined;
  readonly memoryBytes?: number | undefined;
}

/**
 * `POST /api/jobs/:job/backfill` starts one and answers at once, with 202; it goes on by itself. Its body is a
 * `BackfillRequest`; with the `id` and the `runs` of a plan it does what that plan said, and no more. `GET /api/backfills`
 * lists those of this server, the newest first, `GET /api/backfills/:id` is one, `POST /api/backfills/:id/stop` lets the runs
 * at work end and starts no more. Five at a time, and one of a job.
 */
export interface BackfillView {
  readonly job: string;
  readonly id: string;
  readonly by: string;
  readonly startedAt: string;
  readonly total: number;
  readonly succeeded: number;
  readonly failed: number;
  /**
   * Absent while it is at work. `stopped`: too many runs failed; `cancelled`: it was told to stop; `broken-off`: it could
   * not go on, and `message` says why.
   */
  readonly outcome?: "done" | "stopped" | "cancelled" | "broken-off" | undefined;
  readonly message?: string | undefined;
}

export type BackfillStarted = BackfillView;

export type BackfillBody = Omit<BackfillRequest, "by"> & { readonly by?: string | undefined };

/**
 * `GET /api/events`: server-sent events without a name, each with an id and one of these as its data; `Last-Event-ID`, or
 * `?lastEventId=` (an EventSource cannot set the header), goes on after that one. Where it is too old the first event is
 * `reset`: read everything again. When nothing has changed for 15 seconds an event with the name `heartbeat` says that the
 * server is still there; it has no id.
 */
export type DashboardEvent =
  | { readonly kind: "reset"; readonly lastEventId: string }
  /** A job has changed: its state, its newest run, a pause, its schedule. */
  | { readonly kind: "job"; readonly job: FleetJob }
  | { readonly kind: "job-removed"; readonly job: string }
  /** One of a job's ten newest runs has changed. Where many change at once it is the job's last one only. */
  | { readonly kind: "run"; readonly run: RunView }
  | { readonly kind: "dead-letters"; readonly letters: readonly DeadLetterView[] }
  | { readonly kind: "workers"; readonly workers: readonly Worker[] }
  /** One line that a run printed; on this machine alone. */
  | { readonly kind: "log"; readonly job: string; readonly runId: string; readonly at: string; readonly line: string }
  /** How a backfill goes on that was asked for here; with `outcome` it has ended. */
  | ({ readonly kind: "backfill" } & BackfillView)
  /** What the runner's clock shows, where it is faster than the machine's, and its pace: when that changes, and each second. */
  | { readonly kind: "clock"; readonly now: string; readonly pace: number }
  /** What the runner tells: a handler was rebundled, an error in one, a fault was made, occurrences were missed. */
  | {
      readonly kind: "notice";
      readonly level: "info" | "warning" | "fault";
      readonly at: string;
      readonly message: string;
    };

/** What every refusal looks like, with the status 400, 401, 403, 404, 409, or 500. */
export interface ErrorAnswer {
  readonly error: { readonly code: string; readonly message: string };
}

/**
 * What each route answers, by the name of its operation in `GET /api/openapi.json`: that of the command which does the
 * same, where there is one.
 */
export interface Answers {
  readonly target: TargetAnswer;
  readonly list: FleetAnswer;
  readonly describe: JobDetail;
  readonly next: JobUpcoming;
  readonly runs: readonly RunView[];
  readonly run: RunView;
  readonly timeline: TimelineAnswer;
  readonly "timeline-of-job": TimelineAnswer;
  readonly missed: readonly Missed[];
  readonly "missed-of-job": Missed;
  readonly audit: readonly AuditView[];
  readonly logs: readonly LogLine[];
  readonly "look-at-pause": PauseLook;
  readonly "dead-letters": readonly DeadLetterView[];
  readonly workers: WorkersAnswer;
  readonly doctor: readonly Finding[];
  readonly events: DashboardEvent;
  readonly trigger: Triggered;
  readonly pause: Paused;
  readonly resume: Resumed;
  readonly cancel: Cancelled;
  readonly unlock: Unlocked;
  readonly resend: readonly Resent[];
  readonly discard: Discarded;
  readonly "plan-backfill": BackfillPlan;
  readonly backfill: BackfillView;
  readonly backfills: readonly BackfillView[];
  readonly "backfill-progress": BackfillView;
  readonly "stop-backfill": BackfillView;
}
