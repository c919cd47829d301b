import { randomUUID } from "node:crypto";
import { endedRecord, type Hold, type RunRecord } from "../run/index.ts";
import { guardWrite, StoreError, type TransactItem, WriteError } from "../store/index.ts";
import type { Clock } from "./clock.ts";
import type { Invocation } from "./invocation.ts";
import type { Run } from "./run.ts";
import { summarise } from "./summary.ts";

/** The fenced writes of one run's handler, and what became of its commit. */
export interface HandlerWrites extends Pick<Run, "guard" | "transact" | "commit"> {
  /**
   * Due when the handler has returned: waits for a commit that it did not await.
   * @throws what the last commit failed with, also where the handler passed over it: its effects are not there, or nobody
   * knows
   */
  settled(): Promise<void>;
  /** The record that a commit has written. */
  committed(): RunRecord | undefined;
}

const MAX_TRIES = 5;
/** The wait before the second try; each further one is twice as long. */
const FIRST_WAIT_MS = 50;

export function createHandlerWrites({ runtime, job }: Invocation, hold: Hold): HandlerWrites {
  const { clock, fencedStore } = runtime;
  let underWay: Promise<void> | undefined;
  let committed: RunRecord | undefined;
  let failed: { readonly error: unknown } | undefined;

  const write = (items: readonly TransactItem[], record?: RunRecord) => {
    const token = randomUUID();
    return throughConflicts(clock, () => fencedStore.transact(hold, items, token, record));
  };

  const commit = async (items: readonly TransactItem[], result: unknown) => {
    const summary = summarise(result, job.store.result, job.redact);
    const record = endedRecord(hold, { status: "SUCCEEDED", endedMs: clock.nowMs(), result: summary });
    failed = undefined;
    try {
      await write(items, record);
      committed = record;
    } catch (error) {
      failed = { error };
      throw error;
    } finally {
      underWay = undefined;
    }
  };

  return {
    guard: (given) => guardWrite(given, job.name, hold.fencingToken),
    transact: (items) => write(items),
    commit(items, result) {
      if (underWay || committed) {
        const problem = underWay ? "a commit of it is under way" : "it has committed before";
        const message = `Run ${hold.delivery.runId}: ${problem}. A run commits once.`;
        return Promise.reject(new WriteError("WRITE_COMMITTED", message));
      }
      underWay = commit(items, result);
      // Where the handler does not await it, this failure is the run's and not the process's.
      underWay.catch(() => {});
      return underWay;
    },
    async settled() {
      await underWay;
      if (failed) throw failed.error;
    },
    committed: () => committed,
  };
}

/** Tries again what another request was in the way of: nothing was written then. */
async function throughConflicts(clock: Clock, write: () => Promise<void>): Promise<void> {
  for (let tries = 1; ; tries++) {
    try {
      return await write();
    } catch (error) {
      const isConflict = error instanceof StoreError && error.code === "STORE_CONFLICT";
      if (!isConflict || tries === MAX_TRIES) throw error;
      await new Promise<void>((resolve) => clock.startTimer(FIRST_WAIT_MS * 2 ** (tries - 1), resolve));
    }
  }
}
