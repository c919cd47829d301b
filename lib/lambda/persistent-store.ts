import { type RunStore, StoreError, type StoreErrorCode } from "../store/index.ts";
import type { Clock } from "./clock.ts";
import type { Invocation } from "./invocation.ts";

const FIRST_DELAY_MS = 200;
const LONGEST_DELAY_MS = 5_000;

/** Faults of the request itself or of an item: the next try would meet the same. */
const LASTING: readonly StoreErrorCode[] = ["STORE_REJECTED", "STORE_ITEM_NEWER", "STORE_ITEM_INVALID"];

/**
 * A store for what must not be lost while there is time: a command that meets a fault is repeated, with growing delays,
 * until `untilMs`. Every command of the protocol knows its own repetition.
 */
export function persistentStore(store: RunStore, clock: Clock, untilMs: number): RunStore {
  return {
    async execute(command) {
      for (let delayMs = FIRST_DELAY_MS; ; delayMs = Math.min(2 * delayMs, LONGEST_DELAY_MS)) {
        try {
          return await store.execute(command);
        } catch (error) {
          const lasts = !(error instanceof StoreError) || LASTING.includes(error.code);
          if (lasts || clock.nowMs() + delayMs >= untilMs) throw error;
        }
        // Half of the delay is random, so that a crowd of runs does not come back at once.
        const waitMs = delayMs / 2 + (Math.random() * delayMs) / 2;
        await new Promise<void>((resolve) => {
          clock.startTimer(waitMs, resolve);
        });
      }
    },
  };
}

/** What a run has done is written with patience, as long as there is time to say that it could not be. */
export function storeToFinish({ runtime, deadline, job }: Pick<Invocation, "runtime" | "deadline" | "job">): RunStore {
  return persistentStore(runtime.store, runtime.clock, deadline.ms - job.deadlineMarginMs);
}
