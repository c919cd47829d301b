export const TRIGGER_KINDS = ["schedule", "run-requested", "operator", "invoke"] as const;

/** Who or what asked for a run. */
export interface Trigger {
  readonly kind: (typeof TRIGGER_KINDS)[number];
  /** A claim, unless `account` vouches for it. */
  readonly by?: string | undefined;
  readonly reason?: string | undefined;
  /** The AWS account that sent the event. */
  readonly account?: string | undefined;
}

/** What is kept of a payload: its size and hash; its JSON text only where the job opted in. */
export interface Summary {
  readonly bytes: number;
  readonly hash: string;
  readonly json?: string | undefined;
}

/** What is kept of an error. `finish` bounds both texts by bytes. */
export interface RunError {
  readonly name: string;
  readonly message: string;
}

/**
 * `skip`: one run of the job at a time. `queue`: the same, and who finds one at work waits for its turn. `replace`: the
 * same, and a newer one asks the holder to stop. `allow`: one run of an occurrence at a time, and no lock.
 */
export const OVERLAPS = ["skip", "queue", "replace", "allow"] as const;
export type Overlap = (typeof OVERLAPS)[number];

/** Why a run is started that no fresh delivery asks for. */
export const START_CAUSES = ["queued", "next-attempt", "catch-up", "backfill"] as const;
export type StartCause = (typeof START_CAUSES)[number];

/** One event as it reached the function: everything the protocol may know about it. */
export interface Delivery {
  readonly job: string;
  /** Made by `scheduledRunId` or `manualRunId`. */
  readonly runId: string;
  /** The schedule's name; absent for a manual run, as is the scheduled time. */
  readonly schedule?: string | undefined;
  readonly scheduledTimeMs?: number | undefined;
  /** Of a manual run: the time that it works for, where its request names one. */
  readonly workTimeMs?: number | undefined;
  /** Of a manual run that works for an occurrence: the schedule's name. */
  readonly workSchedule?: string | undefined;
  readonly trigger: Trigger;
  /** Absent for a fresh delivery. */
  readonly cause?: StartCause | undefined;
  /** Unique per invocation: it tells my own write, whose reply was lost, from somebody else's. */
  readonly owner: string;
  /** Equal for the repetitions of one delivery, different for two deliveries of one occurrence. */
  readonly deliveryId: string;
  /** True when the platform delivers it again after a failure (an asynchronous invocation). */
  readonly redelivered: boolean;
  /** The own clock when the delivery arrived. */
  readonly receivedMs: number;
  /** When its run's first event arrived, as far as this one knows: it is kept for people, and decides nothing. */
  readonly deliveredMs?: number | undefined;
  /** The platform's own deadline; without one: the deadline expected plus one skew tolerance. */
  readonly leaseExpiresAtMs: number;
  /** What happens when another run of the job is at work. */
  readonly overlap: Overlap;
  /** How many may wait for the lock. */
  readonly queueLength: number;
  /** For how long the lock is held after a time-out or a crash; absent: not at all. */
  readonly holdMs?: number | undefined;
  /** The lease is shorter than that and renewed this often; absent: it lasts that long from the start. */
  readonly heartbeatMs?: number | undefined;
  /** The names of the shared locks that it takes, in order. */
  readonly locks?: readonly string[] | undefined;
  /** @default 0 */
  readonly priority?: number | undefined;
  /** It has waited for a holder to stop for as long as it may: a held lock is a reason to skip now. */
  readonly hasWaited?: boolean | undefined;
  /** Retries + 1. */
  readonly maxAttempts: number;
  /** After this instant a first attempt is skipped as late; absent: never. */
  readonly lateAfterMs?: number | undefined;
  /** How long the run's record is kept. */
  readonly retentionMs: number;
  readonly requestId: string;
  /** Where its log is, as the platform names it. */
  readonly logGroup?: string | undefined;
  readonly logStream?: string | undefined;
  readonly input?: Summary | undefined;
  /** JSON text of the input, for an entry of the queue; absent where there is no input, or it is too long to be kept there. */
  readonly inputJson?: string | undefined;
}
