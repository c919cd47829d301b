export type OperationErrorCode =
  | "INVALID_INPUT"
  | "UNKNOWN_JOB"
  | "UNKNOWN_RUN"
  | "UNKNOWN_PAST"
  | "PAUSED"
  | "NO_ROOM"
  | "NO_STATE"
  | "NOT_RUNNING"
  | "NO_STACK"
  | "NO_CREDENTIALS"
  | "CREDENTIALS_EXPIRED"
  | "ACCESS_DENIED"
  | "AWS_FAILED"
  | "UNKNOWN_LETTER"
  | "AT_WORK"
  | "WAIT_TIMED_OUT";

/**
 * An operation that cannot be done as asked. The message is for people: what was wrong, what is allowed, what to do.
 * Switch on `code`, not on the class: two copies of the package may meet.
 */
export class OperationError extends Error {
  readonly code: OperationErrorCode;

  constructor(code: OperationErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = "OperationError";
    this.code = code;
  }
}
