import type { StartCause, Trigger } from "./delivery.ts";

/** A run to start that no fresh delivery asks for. It runs under its own identity, and is never late. */
export interface Start {
  readonly runId: string;
  readonly cause: StartCause;
  /** Unique for each sending: it tells the platform's repetition of one from another one. */
  readonly id: string;
  readonly trigger: Trigger;
  /** Of a manual run: the time that it works for. */
  readonly workTimeMs?: number | undefined;
  /** The schedule whose occurrence it works for. */
  readonly workSchedule?: string | undefined;
  readonly input?: unknown;
}

/**
 * The event that starts a run when it is sent to its job's function, asynchronously.
 * @example startEvent("nightly-report", { runId, cause: "backfill", id: randomUUID(), trigger: { kind: "operator", by } })
 */
export function startEvent(job: string, { workTimeMs, input, ...start }: Start) {
  const workTime = workTimeMs === undefined ? undefined : new Date(workTimeMs).toISOString();
  return { escapement: { job, start: { ...start, workTime } }, input };
}
