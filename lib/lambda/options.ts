import type { CatchUp, Overlap } from "../run/index.ts";
import type { ScheduleSpec } from "../schedule/index.ts";
import type { Duration } from "./duration.ts";
import type { FunctionOptions } from "./function-options.ts";
import type { Skipped } from "./skipped.ts";

/** What a job file says about its job. Only `schedule` is required. */
export interface JobOptions {
  /**
   * When the job runs: one schedule, which is then named `default`, or several by name.
   * A name has 1-64 characters of `A-Z a-z 0-9 _ . -` and is not `manual`.
   */
  readonly schedule: ScheduleSpec | Readonly<Record<string, ScheduleSpec>>;
  /**
   * How long one attempt may take; Lambda ends it then. Longer than `deadlineMargin`, up to 15 minutes (Lambda's limit).
   * @default "1 minute"
   */
  readonly timeout?: Duration;
  /**
   * What happens to an occurrence that arrives while another one runs: `skip` records it as `SKIPPED`, naming the run that held the lock;
   * `queue` lets it wait for its turn, up to `queueLength` of them; `replace` asks the other to stop and takes its place, or is skipped
   * where that does not stop in time (it needs a `heartbeat`); `allow` runs it beside the other. Each occurrence runs once in any case.
   * @default "skip"
   */
  readonly overlap?: Overlap;
  /**
   * How many occurrences may wait: with overlap `queue`, and with any but `allow` those that are caught up or backfilled. A whole number
   * from 1 to 50. One more is `SKIPPED`.
   * @default 10
   */
  readonly queueLength?: number;
  /**
   * What becomes of occurrences that were missed, because the table or the account was out of order for one: `none` are run, the `latest`
   * one is, or `all` are, the newest `queueLength` of them.
   * @default "none"
   */
  readonly catchUp?: CatchUp;
  /**
   * A first attempt that arrives later than this after its scheduled time (plus the schedule's flexible window) is `SKIPPED` as late.
   * From 5 minutes, within which Lambda repeats what a fault of the store held up, to 24 hours, the longest that EventBridge tries.
   * Manual runs and further attempts are never late.
   * @default - the schedule's period, but at least 5 minutes and at most 1 hour
   */
  readonly maxLateness?: Duration;
  /**
   * How many times a run that ended `FAILED`, `TIMED_OUT` or `LOST` is tried again: a whole number from 0 to 10.
   * @default 2
   */
  readonly retries?: number;
  /**
   * How long a run's record is kept, from 7 to 3650 days. A duplicate can arrive days later and is known by that record.
   * @default "90 days"
   */
  readonly retention?: Duration;
  /**
   * How long before the platform's deadline `run.signal` aborts and the attempt is recorded `TIMED_OUT`.
   * At least 1 second, less than `timeout`.
   * @default "1 second"
   */
  readonly deadlineMargin?: Duration;
  /**
   * How often a run renews its lease, which then lasts three heartbeats instead of until the deadline: a crash is noticed that soon.
   * At least 5 seconds, at most a quarter of `timeout`. The handler has to stop when `run.signal` aborts, and may not block
   * the event loop for longer than a heartbeat.
   * @default - none: the lease lasts until the deadline, and nothing has to be renewed
   */
  readonly heartbeat?: Duration;
  /**
   * For how long the lock stays closed after a run that timed out or crashed, counted from its deadline, or with a `heartbeat` from the end
   * of its lease: what it had started elsewhere may go on. From 0 seconds to 1 hour. Occurrences that arrive meanwhile meet a held lock; further
   * attempts of the run itself wait, too. Not with overlap `allow`, which has no lock.
   * @default "0 seconds"
   */
  readonly holdAfterTimeout?: Duration;
  /**
   * Locks that this job shares with others of its stack: of all runs of jobs that name the same one, one is at work. Up to 10 names of
   * 1-64 letters, digits, "_" and "-". A held one counts as overlap. Not with `overlap: "allow"`.
   * @default - none
   */
  readonly locks?: readonly string[];
  /**
   * Between jobs that share a lock: a run with a higher one asks a holder with a lower one to stop, if that has a `heartbeat`, and waits for it.
   * A whole number from -100 to 100.
   * @default 0
   */
  readonly priority?: number;
  /**
   * What the job is for, up to 256 characters.
   * @default - none
   */
  readonly description?: string;
  /**
   * Which contents are stored on the run's record, up to 4 KB each. Without it only sizes and a hash are.
   * @default - neither
   */
  readonly store?: { readonly input?: boolean; readonly result?: boolean };
  /**
   * Removes what must not be stored. It is called with a copy of every input and result that `store` keeps, and with every error's message.
   * What it returns is stored in its place; where it throws or returns a promise, nothing is.
   * @default - stored as it is
   */
  readonly redact?: (value: unknown) => unknown;
  /**
   * Called once when a delivery runs nothing: its occurrence is skipped, or runs or has run already. The invocation waits for it, until
   * `deadlineMargin` before the deadline at most, and answers as it does without. An error that it throws is logged.
   * @default - nothing is called
   * @example onSkipped: ({ runId, reason }) => notify(`${runId} was skipped: ${reason}`)
   */
  readonly onSkipped?: (skipped: Skipped) => unknown;
  /**
   * `false` deploys the job with its schedules switched off.
   * @default true
   */
  readonly enabled?: boolean;
  /**
   * `true` gives the job alarms of its own, beside the fleet's: attempts that failed, timed out or were lost, missed occurrences.
   * @default false
   */
  readonly alarms?: boolean;
  /**
   * Jobs of one group share a function: fewer resources and cold starts, one set of rights. They agree on `timeout` and `function`.
   * 1-64 small letters, digits and `-`.
   * @default - a function of its own
   */
  readonly group?: string;
  /**
   * What the function is made of: memory, environment and the like.
   * @default - 256 MB on arm64
   */
  readonly function?: FunctionOptions;
}

/** The defaults, as the table in `docs/handler.md` lists them. */
export const DEFAULTS = {
  timeout: "1 minute",
  overlap: "skip",
  queueLength: 10,
  catchUp: "none",
  retries: 2,
  retention: "90 days",
  deadlineMargin: "1 second",
  holdAfterTimeout: "0 seconds",
  priority: 0,
  enabled: true,
  alarms: false,
} as const satisfies Partial<JobOptions>;

/** The bounds of the default `maxLateness`; between them it is the schedule's period. */
export const DEFAULT_LATENESS = { atLeast: "5 minutes", atMost: "1 hour" } as const;

/** Which values are allowed. Durations include both ends. */
export const LIMITS = {
  timeout: { atLeast: "1 second", atMost: "15 minutes" },
  maxLateness: { atLeast: "5 minutes", atMost: "24 hours" },
  retention: { atLeast: "7 days", atMost: "3650 days" },
  deadlineMargin: { atLeast: "1 second", atMost: "5 minutes" },
  holdAfterTimeout: { atLeast: "0 seconds", atMost: "1 hour" },
  heartbeat: { atLeast: "5 seconds", atMost: "225 seconds" },
  queueLength: { atLeast: 1, atMost: 50 },
  retries: { atLeast: 0, atMost: 10 },
  priority: { atLeast: -100, atMost: 100 },
  locks: 10,
  descriptionLength: 256,
} as const;
