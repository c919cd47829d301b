import type { Outcome, RunError } from "../run/index.ts";
import { sendRunEvent } from "./run-events.ts";
import { traceAttempt } from "./trace.ts";

/** An attempt that has ended, as its record says. */
export interface EndedAttempt {
  readonly fleet: string;
  readonly job: string;
  readonly runId: string;
  readonly schedule?: string | undefined;
  readonly scheduledTimeMs?: number | undefined;
  readonly attempt: number;
  readonly status: Outcome["status"];
  readonly startedMs: number;
  readonly endedMs: number;
  readonly error?: RunError | undefined;
}

/**
 * Tells whoever listens how an attempt ended: the trace, and the event bus. What is told may not arrive, and fails nothing: the
 * run's record is what counts.
 *
 * @returns what went wrong, for the log
 */
export async function announce(attempt: EndedAttempt): Promise<Error[]> {
  const told = await Promise.allSettled([traceAttempt(attempt), sendRunEvent(attempt)]);
  return told.flatMap((one) => (one.status === "rejected" ? [one.reason as Error] : []));
}
