import type { Protocol } from "./command.ts";
import type { Hold } from "./outcome.ts";
import type { RunRecord } from "./record.ts";
import { claimedRecord } from "./records.ts";

/** A finished step of a run, for its later attempts. */
export interface Step {
  readonly name: string;
  /** Its result as JSON text; absent where that was `undefined`. */
  readonly json?: string | undefined;
}

/** Not recorded: the run's record says something else, `found`, or is gone. The run must not go on. */
export type Stepped =
  | { readonly recorded: true }
  | { readonly recorded: false; readonly found?: RunRecord | undefined };

/**
 * Writes the steps that the hold has onto the run's record while its handler is at work. Nothing that ends the attempt
 * is undone by it, nor a later one of these, however late the request lands; whoever records the end in the owner's place
 * keeps the steps that it finds.
 */
export function* recordSteps(hold: Hold): Protocol<Stepped> {
  const { applied, record: found } = yield { kind: "put-record", record: claimedRecord(hold) };
  if (applied) return { recorded: true };
  const isMyAttempt = found?.fence === hold.fencingToken && found.status === "RUNNING";
  // My own write, whose reply was lost, or a later one.
  return isMyAttempt ? { recorded: true } : { recorded: false, found };
}
