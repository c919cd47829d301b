import { goneAtMs, type Hold, type Progress, renew, type Stop, stopAtMs } from "../run/index.ts";
import { perform } from "../store/index.ts";
import { LeaseLostError, RunCancelledError } from "./errors.ts";
import type { Invocation } from "./invocation.ts";

/** After a fault the lease has little time left: the next renewal does not wait for a whole heartbeat. */
const AFTER_FAULT_MS = 1_000;

export interface Heartbeat {
  /** The next beat carries it: progress costs no request of its own. */
  carry(progress: Progress): void;
  /** Begins no beat any more, and waits for the one under way. */
  stop(): Promise<void>;
}

/** Of a job without the option: its lease lasts until the deadline. */
const NO_HEARTBEAT: Heartbeat = { carry() {}, stop: async () => {} };

/**
 * Renews the lease of a run, one request after the other, while its handler is at work. Nothing here ever rejects: where
 * the lease is lost, or cannot be confirmed in time, the handler is told to stop. If it has not stopped when the lease
 * ends, the process ends: the next run may start then, and must not find this one at work. A handler that is told to stop
 * because somebody asked for it keeps its lease while it stops.
 *
 * @param abort is called before this function returns if the time is up already; only its first call has an effect.
 */
export function startHeartbeat(invocation: Invocation, hold: Hold, abort: Abort): Heartbeat {
  const { heartbeatMs } = hold.delivery;
  return heartbeatMs === undefined ? NO_HEARTBEAT : beatEvery(heartbeatMs, invocation, hold, abort);
}

type Abort = (reason: LeaseLostError | RunCancelledError) => void;

function beatEvery(heartbeatMs: number, { runtime, log }: Invocation, hold: Hold, abort: Abort): Heartbeat {
  const { clock, store } = runtime;
  let confirmedMs = hold.startedMs;
  let isLost = false;
  let isCancelled = false;
  let isStopped = false;
  let isFailing = false;
  let said: Progress | undefined;
  let underWay = Promise.resolve();
  let cancelBeat = () => {};
  let cancelWatch = () => {};

  watch();
  if (!isLost) nextBeat(confirmedMs + heartbeatMs);
  return {
    carry(progress) {
      said = progress;
    },
    stop() {
      isStopped = true;
      cancelBeat();
      cancelWatch();
      return underWay;
    },
  };

  function nextBeat(atMs: number): void {
    cancelBeat = clock.startTimer(Math.max(0, atMs - clock.nowMs()), () => {
      underWay = beat();
    });
  }

  async function beat(): Promise<void> {
    const sentMs = clock.nowMs();
    try {
      const renewed = await perform(renew(hold, sentMs, said), store);
      if (isStopped) return;
      if (renewed.kind === "lost") return stopHandler("it does not hold the lock any more");
      isFailing = false;
      confirmedMs = sentMs;
      if (renewed.stop) cancelHandler(renewed.stop);
      watch();
      nextBeat(sentMs + heartbeatMs);
    } catch (error) {
      if (isStopped) return;
      if (!isFailing) log.warn("the lease could not be renewed; trying again", error as Error);
      isFailing = true;
      nextBeat(clock.nowMs() + AFTER_FAULT_MS);
    }
  }

  /** Counts from when the last good request was sent: that is when the lease that it wrote began. */
  function watch(): void {
    cancelWatch();
    const dueMs = isLost ? goneAtMs(confirmedMs, heartbeatMs) : stopAtMs(confirmedMs, heartbeatMs);
    const leftMs = dueMs - clock.nowMs();
    if (leftMs > 0) {
      cancelWatch = clock.startTimer(leftMs, watch);
    } else if (isLost) {
      log.error("the handler did not stop before its lease ended, so this process ends");
      runtime.endProcess();
    } else {
      stopHandler("its lease could not be confirmed in time");
    }
  }

  function stopHandler(why: string): void {
    if (isLost) return;
    const reason = new LeaseLostError(hold.delivery.runId, why);
    log.error(reason.message);
    isLost = true;
    abort(reason);
    watch();
  }

  function cancelHandler(stop: Stop): void {
    if (isCancelled) return;
    const reason = new RunCancelledError(hold.delivery.runId, stop);
    log.warn(reason.message);
    isCancelled = true;
    abort(reason);
  }
}
