import {
  type Finished,
  finish,
  finishCommitted,
  type Hold,
  isFinal,
  type Outcome,
  type Protocol,
  type RunRecord,
  record,
  release,
  type SharedLockHeld,
  SKEW_TOLERANCE_MS,
} from "../run/index.ts";
import { perform } from "../store/index.ts";
import { beginPatiently } from "./begin-patiently.ts";
import { within } from "./deadline.ts";
import {
  ComeAgainError,
  type LeaseLostError,
  RunCancelledError,
  RunExhaustedError,
  RunTimedOutError,
} from "./errors.ts";
import { handOver } from "./hand-over.ts";
import { createHandlerWrites, type HandlerWrites } from "./handler-writes.ts";
import { startHeartbeat } from "./heartbeat.ts";
import type { Invocation } from "./invocation.ts";
import { persistentStore, storeToFinish } from "./persistent-store.ts";
import { report } from "./report.ts";
import { createRun, type Run } from "./run.ts";
import { tellSkipped } from "./skipped.ts";
import { createSteps, type Steps } from "./steps.ts";
import { isJson, summarise, summariseError } from "./summary.ts";

/** What the invocation answers when it does not fail. A cancelled run, a duplicate, a skipped or queued one are no failures. */
export type Answer =
  | { readonly outcome: "completed"; readonly result: unknown }
  | { readonly outcome: "cancelled"; readonly runId: string; readonly by: string; readonly reason?: string }
  | { readonly outcome: "duplicate"; readonly runId: string; readonly status: string }
  | {
      readonly outcome: "skipped";
      readonly runId: string;
      readonly reason: string;
      readonly heldBy?: string;
      readonly sharedLock?: SharedLockHeld;
    }
  | { readonly outcome: "queued"; readonly runId: string; readonly position: number };

type Ended =
  | { readonly status: "SUCCEEDED"; readonly result: unknown }
  | { readonly status: "FAILED"; readonly thrown: unknown };

/**
 * The whole of an invocation: take the lock, run the handler, record how it ended, give the lock back.
 * The handler is called at most once, and only while this invocation holds the lock.
 *
 * @throws what the handler threw, a `RunTimedOutError`, a `RunExhaustedError`, a `ComeAgainError` or a `StoreError`:
 * in each case the platform shall deliver the event again.
 */
export async function execute(invocation: Invocation, handler: (run: Run) => Promise<unknown>): Promise<Answer> {
  const { runtime, job, delivery, log } = invocation;
  const begun = await beginPatiently(invocation);
  if (begun.kind === "held") return await runHandler(invocation, begun.hold, handler);
  await handOver(invocation, begun.next);
  switch (begun.kind) {
    case "duplicate":
      runtime.metrics.duplicate();
      log.info(`duplicate of run ${begun.runId}, which is ${begun.status}`, { status: begun.status });
      await tellSkipped(invocation, { job: job.name, runId: begun.runId, reason: "duplicate", status: begun.status });
      return { outcome: "duplicate", runId: begun.runId, status: begun.status };
    case "skipped": {
      const { runId, reason, heldBy, heldOver, queueFull, sharedLock } = begun;
      runtime.metrics.skipped(reason);
      const held = sharedLock ? `lock ${sharedLock.name} for job ${sharedLock.job}` : "lock";
      const holds = heldOver ? "timed out or crashed, and still is to hold" : "holds";
      const holder = heldBy === undefined ? "" : `, run ${heldBy} ${holds} the ${held}`;
      const full = queueFull ? ", as many runs wait as may" : "";
      const why = { reason, heldBy, heldOver, queueFull, sharedLock };
      log.info(`skipped: ${reason}${holder}${full}`, why);
      await tellSkipped(invocation, { job: job.name, runId, ...why });
      return {
        outcome: "skipped",
        runId,
        reason,
        ...(heldBy !== undefined && { heldBy }),
        ...(sharedLock && { sharedLock }),
      };
    }
    case "queued": {
      const { runId, position } = begun;
      runtime.metrics.queued();
      log.info(`waits for its turn, at position ${position}`, { position });
      return { outcome: "queued", runId, position };
    }
    case "come-again":
      throw new ComeAgainError(delivery.runId, begun.why);
    case "exhausted":
      throw new RunExhaustedError(delivery.runId, begun.error);
  }
}

async function runHandler(
  invocation: Invocation,
  hold: Hold,
  handler: (run: Run) => Promise<unknown>,
): Promise<Answer> {
  const { runtime, job, deadline } = invocation;
  const abort = new AbortController();
  const log = runtime.log({
    job: job.name,
    runId: hold.delivery.runId,
    requestId: hold.delivery.requestId,
    attempt: hold.attempt,
  });
  const held = { ...invocation, log };
  const stop = (reason: LeaseLostError | RunCancelledError) => abort.abort(reason);
  const heartbeat = startHeartbeat(held, hold, stop);
  try {
    const writes = createHandlerWrites(held, hold);
    const steps = createSteps(held, hold, abort.signal, stop, () => writes.committed() !== undefined);
    const run = createRun(held, hold, abort.signal, heartbeat, writes, steps);
    const ended = settle(handler, run, writes, steps).finally(() => void heartbeat.stop());
    const inTime = await within(runtime.clock, deadline.ms - job.deadlineMarginMs, ended);
    const cancelled = abort.signal.reason instanceof RunCancelledError ? abort.signal.reason : undefined;
    if (inTime && cancelled && !writes.committed()) return await cancel(held, hold, cancelled);
    if (inTime?.status === "SUCCEEDED") return await succeed(held, hold, inTime.result, writes.committed());
    if (inTime?.status === "FAILED") return await fail(held, steps.hold(), inTime.thrown);

    const timedOut = new RunTimedOutError(hold.delivery.runId, deadline.ms, job.deadlineMarginMs);
    abort.abort(timedOut);
    return await timeOut(held, steps.hold(), cancelled ?? timedOut, ended);
  } finally {
    // Nothing may be under way when the process is frozen.
    await heartbeat.stop();
  }
}

async function settle(
  handler: (run: Run) => Promise<unknown>,
  run: Run,
  writes: HandlerWrites,
  steps: Steps,
): Promise<Ended> {
  try {
    run.signal.throwIfAborted();
    const result = await handler(run).finally(() => steps.settled());
    await writes.settled();
    steps.throwIfFailedLate();
    return { status: "SUCCEEDED", result };
  } catch (thrown) {
    return { status: "FAILED", thrown };
  }
}

async function succeed(held: Invocation, hold: Hold, result: unknown, committed?: RunRecord): Promise<Answer> {
  const { job, log } = held;
  const outcome = outcomeOf(held, "SUCCEEDED", { result: summarise(result, job.store.result, job.redact) });
  // Where this fails the invocation fails, too: the handler's work is done, but nobody would know.
  const ending = committed ? finishCommitted(hold, committed) : finish(hold, outcome);
  const finished = await end(held, hold, outcome, ending);
  // The lease had ended, and whoever took it recorded the attempt as lost: acknowledged, the run would be lost for good.
  if (!finished.recorded && finished.found && !isFinal(finished.found.status))
    throw new ComeAgainError(hold.delivery.runId, `its record is ${finished.found.status}`);
  if (isJson(result)) return { outcome: "completed", result };
  log.warn("the result is no JSON, so the invocation answers null");
  return { outcome: "completed", result: null };
}

/** Where this cannot be recorded the invocation fails, as a success does: its repetition goes by what is recorded. */
async function cancel(held: Invocation, hold: Hold, cancelled: RunCancelledError): Promise<Answer> {
  const outcome = outcomeOf(held, "CANCELLED", { error: summariseError(cancelled, held.job.redact) });
  const finished = await end(held, hold, outcome, finish(hold, outcome));
  if (!finished.recorded) throw cancelled;
  return cancelledAnswer(hold, cancelled);
}

async function fail(held: Invocation, hold: Hold, thrown: unknown): Promise<never> {
  const outcome = outcomeOf(held, "FAILED", { error: summariseError(thrown, held.job.redact) });
  await tryTo(held, "the failure could not be recorded; the lock stays closed until the deadline", () =>
    end(held, hold, outcome, finish(hold, outcome)),
  );
  throw thrown;
}

/** Writes how the run ended, gives the lock back, and starts the run whose turn it is. */
async function end(held: Invocation, hold: Hold, outcome: Outcome, ending: Protocol<Finished>): Promise<Finished> {
  const finished = await perform(ending, storeToFinish(held));
  await report(held, hold, outcome, finished);
  await handOver(held, finished.next);
  return finished;
}

/**
 * The handler may still be at work, so the lock stays closed until it has confirmed that it stopped; a result that comes
 * late is written nowhere. An unconfirmed invocation stays until the platform ends it: a handler that was frozen with its
 * process could thaw beside a later run.
 */
async function timeOut(
  held: Invocation,
  hold: Hold,
  why: RunTimedOutError | RunCancelledError,
  ended: Promise<Ended>,
): Promise<Answer> {
  const { runtime, deadline, job } = held;
  const { clock } = runtime;
  const store = persistentStore(runtime.store, clock, deadline.ms);
  const status = why instanceof RunCancelledError ? "CANCELLED" : "TIMED_OUT";
  const outcome = outcomeOf(held, status, { error: summariseError(why, job.redact) });
  const recorded = await tryTo(held, "the end could not be recorded; the lock stays closed", async () => {
    const finished = await perform(record(hold, outcome), store);
    await report(held, hold, outcome, finished);
    return finished;
  });

  const confirmed = await within(clock, deadline.ms + SKEW_TOLERANCE_MS, ended);
  const hasStopped = confirmed && clock.nowMs() < deadline.ms;
  const isHeld = status === "TIMED_OUT" && job.holdAfterTimeoutMs !== undefined;
  if (recorded && hasStopped && !isHeld) {
    const next = await tryTo(held, "the lock could not be released; it ends at the deadline", () =>
      perform(release(hold, recorded), store),
    );
    await handOver(held, next);
  }
  if (hasStopped && recorded?.recorded && why instanceof RunCancelledError) return cancelledAnswer(hold, why);
  throw why;
}

function cancelledAnswer({ delivery }: Hold, { by, reason }: RunCancelledError): Answer {
  return { outcome: "cancelled", runId: delivery.runId, by, ...(reason !== undefined && { reason }) };
}

function outcomeOf(
  { runtime }: Invocation,
  status: Outcome["status"],
  what: Pick<Outcome, "result"> | Pick<Outcome, "error">,
): Outcome {
  return { status, endedMs: runtime.clock.nowMs(), ...what };
}

/** A fault here must not hide why the run ended: it is logged, and nothing is returned. */
async function tryTo<T>({ log }: Invocation, consequence: string, write: () => Promise<T>): Promise<T | undefined> {
  try {
    return await write();
  } catch (error) {
    log.error(consequence, error instanceof Error ? error : String(error));
    return undefined;
  }
}
