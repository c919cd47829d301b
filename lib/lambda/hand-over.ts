import { randomUUID } from "node:crypto";
import { type QueueEntry, startEvent, startOf } from "../run/index.ts";
import type { Invocation } from "./invocation.ts";

/**
 * Starts the run whose turn it is. Where this fails, what this invocation has done stays done, and the watchdog starts
 * that run: the failure is logged and counted.
 */
export async function handOver({ runtime, job, log }: Invocation, next: QueueEntry | undefined): Promise<void> {
  if (!next) return;
  const { runId } = next;
  try {
    await runtime.invokeSelf(startEvent(job.name, startOf(next, randomUUID())));
    log.info(`run ${runId} is next`, { next: runId });
  } catch (error) {
    runtime.metrics.handOverFailed();
    log.error(`run ${runId} is next, but could not be started; the watchdog will`, error as Error);
  }
}
