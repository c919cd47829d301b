import { own } from "../schedule/index.ts";

/** What a store fault is. None of them ever means that a lock is held. */
export type StoreErrorCode =
  | "STORE_THROTTLED"
  | "STORE_ACCESS_DENIED"
  | "STORE_TABLE_MISSING"
  | "STORE_UNREACHABLE"
  | "STORE_CONFLICT"
  | "STORE_REJECTED"
  | "STORE_ITEM_NEWER"
  | "STORE_ITEM_INVALID";

/**
 * A real fault of the table or of an item in it. Tell faults apart by `code`: two bundled copies of this class are
 * different classes.
 */
export class StoreError extends Error {
  override readonly name = "StoreError";
  readonly code: StoreErrorCode;

  constructor(code: StoreErrorCode, message: string, options?: { cause: unknown }) {
    super(message, options);
    this.code = code;
  }
}

/** Why a write of a run's handler was not done. In each case nothing at all was written. */
export type WriteErrorCode =
  /** The run does not hold its job's lock, or a shared one, any more. Stop: another run may be at work. */
  | "WRITE_FENCED"
  /** A condition of the handler's own did not hold; `reasons` says which. */
  | "WRITE_REFUSED"
  /** The run has committed already, or its commit is under way. */
  | "WRITE_COMMITTED"
  /** The write is not one that can be done. It was not sent. */
  | "WRITE_INVALID";

/** What became of one item of a transaction, in the order in which they were given. */
export interface WriteReason {
  /** `None` for an item that was not the cause; else DynamoDB's own, such as `ConditionalCheckFailed`. */
  readonly code: string;
  readonly message?: string | undefined;
  /** As it stands, where the item asked for it with `ReturnValuesOnConditionCheckFailure: "ALL_OLD"`. */
  readonly item?: Readonly<Record<string, unknown>> | undefined;
}

/** A fenced write that was not done. Tell the causes apart by `code`. */
export class WriteError extends Error {
  override readonly name = "WriteError";
  readonly code: WriteErrorCode;
  readonly reasons: readonly WriteReason[];

  constructor(code: WriteErrorCode, message: string, reasons: readonly WriteReason[] = []) {
    super(message);
    this.code = code;
    this.reasons = reasons;
  }
}

/** DynamoDB says that a condition did not hold by this error name alone; nothing else is a refusal. */
export function isConditionFailure(error: unknown): error is Error & { Item?: unknown } {
  return error instanceof Error && error.name === "ConditionalCheckFailedException";
}

const CODES: Readonly<Record<string, StoreErrorCode>> = {
  ProvisionedThroughputExceededException: "STORE_THROTTLED",
  ThrottlingException: "STORE_THROTTLED",
  RequestLimitExceeded: "STORE_THROTTLED",
  AccessDeniedException: "STORE_ACCESS_DENIED",
  UnrecognizedClientException: "STORE_ACCESS_DENIED",
  InvalidSignatureException: "STORE_ACCESS_DENIED",
  ExpiredTokenException: "STORE_ACCESS_DENIED",
  CredentialsProviderError: "STORE_ACCESS_DENIED",
  ResourceNotFoundException: "STORE_TABLE_MISSING",
  ValidationException: "STORE_REJECTED",
  ItemCollectionSizeLimitExceededException: "STORE_REJECTED",
};

/** Turns whatever the SDK threw into a `StoreError` that says what was asked of which table. */
export function toStoreError(error: unknown, action: string, tableName: string): StoreError {
  if (error instanceof StoreError) return error;
  const name = error instanceof Error ? error.name : "Error";
  const message = error instanceof Error ? error.message : String(error);
  const code = own(CODES, name) ?? "STORE_UNREACHABLE";
  return new StoreError(code, `Could not ${action} in table ${tableName}: ${name}: ${message}`, { cause: error });
}
