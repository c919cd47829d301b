import type { Context } from "aws-lambda";
import { type Hold, type RunError, type Trigger, truncateUtf8 } from "../run/index.ts";
import type { GuardableWrite, TransactItem } from "../store/index.ts";
import { shown } from "./check.ts";
import type { HandlerWrites } from "./handler-writes.ts";
import type { Heartbeat } from "./heartbeat.ts";
import type { Invocation } from "./invocation.ts";
import type { RunLog } from "./log.ts";
import type { Steps } from "./steps.ts";

/** One run, as its handler sees it. */
export interface Run<Input = unknown> {
  /** The same for every delivery and attempt of one occurrence: fit as an idempotency key for other systems. */
  readonly id: string;
  readonly job: string;
  /** The schedule's name; absent for a manual run, unless it does the work of an occurrence again, as a backfill's. */
  readonly schedule?: string;
  /**
   * The time that this run is for; never the time at which it happened to start. For a manual run it is the time that
   * the request names, or else the time of the request; only where the payload has no time at all (a test event) it is the start.
   */
  readonly scheduledTime: Date;
  /** Counted from 1. */
  readonly attempt: number;
  /** How the attempt before this one ended; absent at the first. */
  readonly previousError?: RunError;
  readonly trigger: Trigger;
  /** The input of the schedule or of the request; for any other payload the payload itself. */
  readonly input: Input;
  /** The newest scheduled run before this one's time that succeeded. With `scheduledTime` it bounds the window to process. */
  readonly previousSuccess?: { readonly runId: string; readonly scheduledTime: Date; readonly endedAt: Date };
  /** Grows each time this job's lock is taken: of two writers the higher one is the newer. */
  readonly fencingToken: number;
  /**
   * Aborts shortly before the deadline, with a `RunTimedOutError` as its reason; with a heartbeat also when the lease is
   * lost or cannot be confirmed in time, and when a step is refused, with a `LeaseLostError`.
   */
  readonly signal: AbortSignal;
  /** Writes JSON lines that carry job, run id, attempt and request id. */
  readonly log: RunLog;
  /**
   * Says how far the run is, from 0 to 1, with a note of up to 200 bytes. It writes a log line; a value that is no
   * fraction, or a note that is no text, is logged as a warning and does no harm to the run. A job with a heartbeat shows
   * it to operators, too, from the next beat on.
   */
  progress(fraction: number, note?: string): void;
  /**
   * Does a step of the run's work, and remembers its result on the run's record: a later attempt of this run gets the
   * remembered result, and does not call `fn`. A step whose result could not be recorded, or that threw, is done again.
   *
   * @param name 1-64 characters, different for each step of the run
   * @param fn its result is JSON or `undefined`, and is given back as JSON makes it: a `Date` is text then. All results of a
   * run together take at most 64 KB, in up to 100 steps. They are stored as they are, without `redact`
   * @throws what `fn` throws; nothing is remembered then. Await it: a step that fails after the handler's return fails the run
   * @throws StepError `STEP_INVALID` or `STEP_LIMIT`; its message says whether the step's work is done
   * @throws LeaseLostError another delivery has taken the run over. Stop; `signal` is aborted
   * @throws StoreError the step's work is done, but the result could not be recorded while there was time
   * @example const payment = await run.step("charge", () => charge(run.id, cents));
   */
  step<Result>(name: string, fn: () => Result | Promise<Result>): Promise<Result>;
  /**
   * Adds to a write of the handler's own that it leaves this run's fencing token on the item, and that it is refused
   * where a newer run of this job has written the item. It sends nothing, and costs no request.
   *
   * @param write the input of a `PutCommand` or `UpdateCommand` of `@aws-sdk/lib-dynamodb`, or such an item of a transaction
   * @throws WriteError `WRITE_INVALID` for a deletion
   * @example await db.send(new UpdateCommand(run.guard({ TableName, Key, UpdateExpression: "SET total = :t", … })));
   */
  guard<Write extends GuardableWrite>(write: Write): Write;
  /**
   * Writes up to 99 items as a whole or not at all, and only while this run holds its job's lock. A conflict with another
   * request is tried again, five times in all.
   *
   * @param items as for a `TransactWriteCommand` of `@aws-sdk/lib-dynamodb`; properties that are `undefined` are left out
   * @throws WriteError when nothing was written: `WRITE_FENCED`, `WRITE_REFUSED` (with `reasons`), `WRITE_INVALID`
   * @throws StoreError for a fault of the table. Except for `STORE_CONFLICT`, the items may or may not be written
   */
  transact(items: readonly TransactItem[]): Promise<void>;
  /**
   * As `transact`, with up to 98 items, and records in the same transaction that this run has SUCCEEDED: its effects in
   * DynamoDB are there exactly once, whatever crashes. A run commits once, at its end; what the handler does after it is
   * not repeated if it fails. A run whose commit failed has failed, also if its handler returns: to succeed after a
   * refusal, commit again, without items if there is nothing left to write.
   *
   * @param result what the record keeps as the run's result. @default none
   * @throws WriteError also `WRITE_COMMITTED`, when the run has committed before
   * @throws StoreError as `transact`; whether the run has committed is then found out by its next delivery
   * @example await run.commit([{ Put: { TableName, Item: payout } }], { payouts: 1 });
   */
  commit(items: readonly TransactItem[], result?: unknown): Promise<void>;
}

/** The context of a handler that is composed with `scheduledRun`. */
export type RunContext<Input = unknown> = Context & { run: Run<Input> };

export function createRun(
  invocation: Invocation,
  hold: Hold,
  signal: AbortSignal,
  heartbeat: Heartbeat,
  writes: HandlerWrites,
  steps: Steps,
): Run {
  const { arrival, delivery, log, runtime } = invocation;
  const { previousError, previousSuccess } = hold;
  const scheduledTimeMs = arrival.scheduledTimeMs ?? hold.startedMs;
  const schedule = arrival.schedule ?? arrival.workSchedule;
  // What the protocol still needs is copied: a handler may write into what it is given.
  return {
    id: delivery.runId,
    job: delivery.job,
    ...(schedule !== undefined && { schedule }),
    scheduledTime: new Date(scheduledTimeMs),
    attempt: hold.attempt,
    ...(previousError && { previousError: { ...previousError } }),
    trigger: { ...arrival.trigger },
    input: arrival.input,
    ...(previousSuccess && {
      previousSuccess: {
        runId: previousSuccess.runId,
        scheduledTime: new Date(previousSuccess.scheduledTimeMs),
        endedAt: new Date(previousSuccess.endedMs),
      },
    }),
    fencingToken: hold.fencingToken,
    signal,
    log,
    step: steps.step,
    guard: writes.guard,
    transact: writes.transact,
    commit: writes.commit,
    progress(fraction, note) {
      if (typeof fraction !== "number" || !(fraction >= 0 && fraction <= 1))
        return log.warn(`progress(${shown(fraction)}): allowed are fractions from 0 to 1`);
      if (note !== undefined && typeof note !== "string")
        return log.warn(`progress(${fraction}, ${shown(note)}): the note is no text`);
      const said = { ...(note !== undefined && { note: truncateUtf8(note, 200) }) };
      log.info("progress", { progress: fraction, ...said });
      heartbeat.carry({ fraction, ...said, atMs: runtime.clock.nowMs() });
    },
  };
}
