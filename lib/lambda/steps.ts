import { type Hold, type RunRecord, recordSteps, type Step } from "../run/index.ts";
import { perform } from "../store/index.ts";
import { shown } from "./check.ts";
import { LeaseLostError, StepError } from "./errors.ts";
import type { Invocation } from "./invocation.ts";
import { storeToFinish } from "./persistent-store.ts";
import type { Run } from "./run.ts";
import { checkStep, finishedStep, resultOf } from "./step-rules.ts";

/** The steps of one attempt. */
export interface Steps extends Pick<Run, "step"> {
  /** Due when the handler has ended: waits for the steps that it did not await. Never rejects. */
  settled(): Promise<void>;
  /**
   * Due when they have settled.
   * @throws what the first step failed with that failed after the handler had ended: the run has not succeeded
   */
  throwIfFailedLate(): void;
  /** The hold with all steps that are done, whether or not they could be written yet. */
  hold(): Hold;
}

/**
 * Runs steps and remembers their results. Steps may run beside each other; their writes follow one another, and each
 * carries all that is done.
 *
 * @param lose is called where a write is refused: another attempt may be at work
 */
export function createSteps(
  invocation: Invocation,
  hold: Hold,
  signal: AbortSignal,
  lose: (reason: LeaseLostError) => void,
  hasCommitted: () => boolean,
): Steps {
  const { log } = invocation;
  const { runId } = hold.delivery;
  const store = storeToFinish(invocation);
  const remembered = new Map(hold.steps.map((step) => [step.name, step]));
  const begun = new Set<string>();
  const done: Step[] = [...hold.steps];
  const atWork = new Set<Promise<void>>();
  let written = done.length;
  let lastWrite = Promise.resolve();
  let hasHandlerEnded = false;
  let isClosed = false;
  let failedLate: { readonly error: unknown } | undefined;

  async function step(given: string, fn: () => unknown): Promise<unknown> {
    const name = begin(given, fn);
    const known = remembered.get(name);
    if (known) {
      log.info(`step ${shown(name)} is remembered`, { step: name });
      return resultOf(known);
    }
    const finished = finishedStep(runId, name, await fn(), done);
    done.push(finished);
    await write(done.length);
    log.info(`step ${shown(name)} is done`, { step: name });
    return resultOf(finished);
  }

  function begin(given: string, fn: unknown): string {
    signal.throwIfAborted();
    const name = checkStep(runId, given, fn, new Set([...remembered.keys(), ...begun]));
    if (hasCommitted()) throw invalid(`step ${shown(name)} begins when the run has committed. Commit last.`);
    if (isClosed) throw invalid(`step ${shown(name)} begins when the handler has ended. Await every step.`);
    if (begun.has(name)) throw invalid(`step ${shown(name)} occurs twice in one attempt. Name each step differently.`);
    begun.add(name);
    return name;
  }

  /** Settles when at least so many steps are on the record. */
  function write(count: number): Promise<void> {
    const writeNext = () => (written < count ? writeAll() : undefined);
    lastWrite = lastWrite.then(writeNext, writeNext);
    return lastWrite;
  }

  async function writeAll(): Promise<void> {
    signal.throwIfAborted();
    const current = { ...hold, steps: done.slice() };
    const stepped = await perform(recordSteps(current), store);
    if (!stepped.recorded) throw refusal(stepped.found);
    written = current.steps.length;
  }

  /** Why the run's record takes no step any more. */
  function refusal(found: RunRecord | undefined): unknown {
    // This attempt was recorded as timed out, or the heartbeat has found out first.
    if (signal.aborted) return signal.reason;
    if (found?.status === "SUCCEEDED" && found.fence === hold.fencingToken) {
      return invalid("a step ended when the run had committed. Commit last.");
    }
    const lost = new LeaseLostError(runId, "another delivery has taken it over");
    lose(lost);
    return lost;
  }

  function invalid(problem: string): StepError {
    return new StepError("STEP_INVALID", runId, problem);
  }

  return {
    step<T>(name: string, fn: () => T | Promise<T>) {
      const answer = step(name, fn) as Promise<T>;
      // The answer counts as handled here; this one is the handler's, and Node reports its failure if nobody handles it.
      const handed = answer.then((result) => result);
      const ended = answer.then(
        () => {},
        (error: unknown) => {
          log.warn(`step ${shown(name)} failed`);
          if (!hasHandlerEnded) return;
          // Nobody may be left to handle it: the failure is the run's, and not the process's.
          failedLate ??= { error };
          handed.catch(() => {});
        },
      );
      atWork.add(ended);
      void ended.then(() => atWork.delete(ended));
      return handed;
    },
    async settled() {
      hasHandlerEnded = true;
      while (atWork.size > 0) await Promise.all(atWork);
      isClosed = true;
    },
    throwIfFailedLate() {
      if (failedLate) throw failedLate.error;
    },
    hold: () => ({ ...hold, steps: done.slice() }),
  };
}
