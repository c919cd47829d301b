import { type RunStore, StoreError, type StoreErrorCode } from "../store/index.ts";
import type { Clock } from "./clock.ts";
import { within } from "./deadline.ts";
import type { Invocation } from "./invocation.ts";

const FIRST_DELAY_MS = 200;
const LONGEST_DELAY_MS = 5_000;
const LONGEST_BEGIN_MS = 30_000;

/** Faults of the request itself or of an item: the next try would meet the same. */
const LASTING: readonly StoreErrorCode[] = ["STORE_REJECTED", "STORE_ITEM_NEWER", "STORE_ITEM_INVALID"];
/** Faults that do not pass within seconds: whoever has nothing to lose yet leaves them to the platform's next delivery. */
const NOT_PASSING: readonly StoreErrorCode[] = [...LASTING, "STORE_ACCESS_DENIED", "STORE_TABLE_MISSING"];

/**
 * A store for what must not be lost while there is time: a command that meets a fault is repeated, with growing delays,
 * until `untilMs`. Every command of the protocol knows its own repetition.
 */
export function persistentStore(store: RunStore, clock: Clock, untilMs: number, lasting = LASTING): RunStore {
  return {
    async execute(command) {
      for (let delayMs = FIRST_DELAY_MS; ; delayMs = Math.min(2 * delayMs, LONGEST_DELAY_MS)) {
        try {
          return await store.execute(command);
        } catch (error) {
          const lasts = !(error instanceof StoreError) || lasting.includes(error.code);
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

/**
 * To begin, throttling, conflicts and silence are met with patience, for a third of the time at most, since the handler
 * needs the rest. With a heartbeat for one of these, since the lease counts from `receivedMs`. Where the time is up and
 * the table has not answered, there is just enough left to say so.
 */
export function storeToBegin(
  { runtime, deadline, job }: Pick<Invocation, "runtime" | "deadline" | "job">,
  receivedMs: number,
): RunStore {
  const { clock } = runtime;
  const aThirdMs = (deadline.ms - receivedMs) / 3;
  const patienceMs = Math.min(LONGEST_BEGIN_MS, aThirdMs, job.heartbeatMs ?? LONGEST_BEGIN_MS);
  const store = persistentStore(runtime.store, clock, receivedMs + patienceMs, NOT_PASSING);
  const lastMs = deadline.ms - Math.min(job.deadlineMarginMs, aThirdMs) / 2;
  return {
    async execute(command) {
      const reply = await within(clock, lastMs, store.execute(command));
      if (reply) return reply;
      throw new StoreError("STORE_UNREACHABLE", `The table has not answered a ${command.kind} in time.`);
    },
  };
}
