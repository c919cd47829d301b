import type { Stop } from "../run/index.ts";

/** Stable names of what can go wrong. Switch on `error.code`: `instanceof` fails where two copies of the package meet. */
export type EscapementErrorCode =
  | "INVALID_JOB"
  | "INVALID_EVENT"
  | "INVALID_ENVIRONMENT"
  | "COME_AGAIN"
  | "RUN_EXHAUSTED"
  | "RUN_TIMED_OUT"
  | "RUN_CANCELLED"
  | "LEASE_LOST"
  | "STEP_INVALID"
  | "STEP_LIMIT";

/** The base of every error that Escapement's runtime throws by itself. */
export class EscapementError extends Error {
  readonly code: EscapementErrorCode;

  constructor(code: EscapementErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = new.target.name;
    this.code = code;
  }
}

/** A job's options are wrong. `job` is absent where the options are checked before the job has a name. */
export class JobError extends EscapementError {
  readonly job: string | undefined;
  readonly field: string;
  readonly value: unknown;

  constructor(at: { job: string | undefined; field: string; value: unknown; problem: string; cause?: unknown }) {
    const subject = at.job === undefined ? "Job options" : `Job ${at.job}`;
    super("INVALID_JOB", `${subject}: ${at.problem}`, { cause: at.cause });
    this.job = at.job;
    this.field = at.field;
    this.value = at.value;
  }
}

/** An event names an occurrence that cannot be run: a wrong job, or a scheduled time in the future or unreadable. */
export class EventError extends EscapementError {
  readonly field: string;
  readonly value: unknown;

  constructor(field: string, value: unknown, problem: string) {
    super("INVALID_EVENT", problem);
    this.field = field;
    this.value = value;
  }
}

/** This delivery cannot be decided yet. It is thrown so that the platform delivers the event again. */
export class ComeAgainError extends EscapementError {
  constructor(runId: string, why: string) {
    super("COME_AGAIN", `Run ${runId} cannot be decided now (${why}). The event has to come again.`);
  }
}

/** Every attempt of the run has been used. Thrown with the recorded error, so that the event reaches the dead letters. */
export class RunExhaustedError extends EscapementError {
  constructor(runId: string, recorded: { name: string; message: string }) {
    super("RUN_EXHAUSTED", `Run ${runId} has no attempts left. Its last error: ${recorded.name}: ${recorded.message}`);
  }
}

/** The handler had not ended shortly before the deadline. It is also the reason of the aborted `run.signal`. */
export class RunTimedOutError extends EscapementError {
  constructor(runId: string, deadlineMs: number, marginMs: number) {
    const deadline = new Date(deadlineMs).toISOString();
    super("RUN_TIMED_OUT", `Run ${runId} was still going ${marginMs} ms before its deadline at ${deadline}.`);
  }
}

/**
 * The lease could not be renewed, or a step was refused: another run may be at work, or start soon. The handler has to
 * stop. It is the reason of the aborted `run.signal`, and what the refused step throws.
 */
export class LeaseLostError extends EscapementError {
  constructor(runId: string, why: string) {
    super("LEASE_LOST", `Run ${runId} has to stop: ${why}.`);
  }
}

/**
 * Somebody wants this run to stop: an operator (`cancel`), a newer run of its job (`replace`), or a run of a job with a
 * higher priority that needs the same lock (`priority`). It is the reason of the aborted `run.signal`; however the handler
 * ends then, the run is CANCELLED.
 */
export class RunCancelledError extends EscapementError {
  readonly kind: Stop["kind"];
  /** The operator, or the run that waits. */
  readonly by: string;
  readonly reason: string | undefined;

  constructor(runId: string, { kind, by, reason }: Pick<Stop, "kind" | "by" | "reason">) {
    super("RUN_CANCELLED", `Run ${runId} has to stop: ${kind} by ${by}${reason === undefined ? "" : `, ${reason}`}.`);
    this.kind = kind;
    this.by = by;
    this.reason = reason;
  }
}

/** A step that cannot be made or remembered. `STEP_LIMIT`: it is too much for one run; else `STEP_INVALID`. */
export class StepError extends EscapementError {
  constructor(code: "STEP_INVALID" | "STEP_LIMIT", runId: string, problem: string) {
    super(code, `Run ${runId}: ${problem}`);
  }
}
