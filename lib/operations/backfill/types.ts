import type { RunStatus } from "../../run/index.ts";
import type { Actor } from "../actor.ts";
import type { RunView } from "../run-types.ts";

export interface BackfillQuery {
  /** Inclusive, ISO 8601 with `Z` or an offset. */
  readonly from: string;
  /** Exclusive. */
  readonly to: string;
  /** `missing`, `failed`, `skipped` or `all`. @default those without a record and those that failed */
  readonly only?: string | undefined;
  /** Goes on with an earlier backfill: what that one has run again already is left out. @default a new one */
  readonly id?: string | undefined;
  /** Of what would run these alone: the run ids of a plan that somebody has agreed to. @default all of it */
  readonly runs?: readonly string[] | undefined;
  /** A paused job is refused without it. */
  readonly evenIfPaused?: boolean | undefined;
  /** How many runs at once: 1–50; more than 1 only for a job with overlap `allow`. @default 1 */
  readonly maxParallel?: number | undefined;
}

/** What a backfill would run, in the order of time. */
export interface BackfillPlan {
  readonly job: string;
  readonly id: string;
  readonly from: string;
  readonly to: string;
  /** How many occurrences fell due in the range. */
  readonly occurrences: number;
  /**
   * Schedules that are as they are only since an instant after the range begins: of what fell due before it only what has a
   * record is known.
   */
  readonly changed: readonly { readonly schedule: string; readonly since: string }[];
  readonly runs: readonly PlannedRun[];
  readonly estimatedMs: number;
  /** Of Lambda and the table, in US dollars; nothing on this machine. */
  readonly estimatedDollars: number;
}

export interface PlannedRun {
  readonly runId: string;
  readonly schedule: string;
  readonly scheduledTime: string;
  /** What there is of the occurrence now. */
  readonly was: RunStatus | "missing";
  /** True: its record stays, and a manual run works for its time. */
  readonly manual: boolean;
}

export interface BackfillRequest extends BackfillQuery, Actor {
  /** From 0 to 1: it stops when more than this share of the runs, and 3 at least, have failed. @default 0.5 */
  readonly maxFailureRate?: number | undefined;
}

export interface BackfillProgress {
  readonly total: number;
  readonly succeeded: number;
  readonly failed: number;
  /** The run that was just started or has just ended. */
  readonly runId: string;
  readonly status: RunView["status"] | "STARTED";
}

export interface Backfilled {
  readonly plan: BackfillPlan;
  /** `stopped`: too many runs failed; `cancelled`: its signal aborted. Asked again, it goes on with those not done. */
  readonly outcome: "done" | "stopped" | "cancelled";
  readonly succeeded: readonly string[];
  readonly failed: readonly string[];
}
