import type { Reply } from "./command.ts";
import type { Delivery, RunError, Summary } from "./delivery.ts";
import type { Attempt, RunRecord, RunStatus, SharedLockHeld, SkipReason } from "./record.ts";
import type { QueueEntry, Success, Tally } from "./state.ts";
import type { Step } from "./step.ts";

/**
 * What `begin` found: the delivery may run its handler (`held`), or what to answer instead. `next`: a run that waits, and
 * that nobody at work would start; whoever ends here has to.
 */
export type Begun =
  | { readonly kind: "held"; readonly hold: Hold }
  | (Answered & { readonly next?: QueueEntry | undefined });

type Answered =
  /** Another delivery of this occurrence runs it now, or it is final. Answer normally. */
  | { readonly kind: "duplicate"; readonly runId: string; readonly status: RunStatus }
  /** Recorded as skipped. Answer normally. `heldBy`: the run that held the lock. */
  | {
      readonly kind: "skipped";
      readonly reason: SkipReason;
      readonly runId: string;
      readonly heldBy?: string | undefined;
      /** That run had timed out or crashed. */
      readonly heldOver?: true | undefined;
      /** As many runs waited for the lock as may. */
      readonly queueFull?: true | undefined;
      readonly sharedLock?: SharedLockHeld | undefined;
    }
  /** It waits for its turn, at this position, counted from 1. Answer normally: somebody will start it. */
  | {
      readonly kind: "queued";
      readonly runId: string;
      readonly position: number;
      readonly sharedLock?: SharedLockHeld | undefined;
    }
  /** The holder was asked to stop. Hold nothing, wait, and begin again. */
  | { readonly kind: "wait"; readonly holder: Holder }
  /** Nothing can be decided now. Throw, so that the platform delivers it again: to acknowledge would lose the run. */
  | { readonly kind: "come-again"; readonly why: string }
  /** No attempt is left. Fail again with the recorded error, so that it reaches the on-failure destination. */
  | { readonly kind: "exhausted"; readonly error: RunError };

/** Who holds what a delivery waits for, and how often that holder hears. */
export interface Holder {
  readonly owner: string;
  readonly runId: string;
  readonly heartbeatMs: number;
}

/** Inside `begin`: the state changed between the look and the write, and is to be looked at again. */
export type Again = { readonly kind: "again"; readonly seen: Reply };

/** The lock, held: everything the handler is told and `finish` needs. */
export interface Hold {
  readonly delivery: Delivery;
  /** Grows with every acquisition of this job's lock. */
  readonly fencingToken: number;
  /** Counted from 1. */
  readonly attempt: number;
  readonly startedMs: number;
  /** The earlier attempts of this run, all ended. */
  readonly attempts: readonly Attempt[];
  readonly previousError?: RunError | undefined;
  /** What this run has finished, in this attempt and in those before. */
  readonly steps: readonly Step[];
  /** The newest scheduled run before this one's time that succeeded. */
  readonly previousSuccess?: Success | undefined;
  /** What the runs before this one left on the job's state. */
  readonly tally: Tally;
}

/** How the handler ended. */
export interface Outcome {
  readonly status: "SUCCEEDED" | "FAILED" | "TIMED_OUT" | "CANCELLED";
  readonly endedMs: number;
  readonly error?: RunError | undefined;
  readonly result?: Summary | undefined;
}

/**
 * What became of the outcome. Not recorded: the run's record says something else, `found`, written by whoever took the
 * run over after its lease had ended, or by a time-out. `next`: the run whose turn it is now, for this one to start.
 */
export type Finished = (
  | { readonly recorded: true; readonly record: RunRecord }
  | { readonly recorded: false; readonly found?: RunRecord | undefined }
) & { readonly next?: QueueEntry | undefined };
