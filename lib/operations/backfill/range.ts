import { shown } from "../../schedule/index.ts";
import type { ListedJob } from "../../store/index.ts";
import { OperationError } from "../errors.ts";
import { instantText, parseInstant } from "../instants.ts";

/** From the first instant (inclusive) to the second (exclusive). */
export interface Range {
  readonly fromMs: number;
  readonly toMs: number;
}

/** @throws OperationError `INVALID_INPUT` for what is no instant, or a range that is empty by its ends */
export function parseRange(from: string, to: string): Range {
  const range = { fromMs: parseInstant("from", from), toMs: parseInstant("to", to) };
  if (range.fromMs < range.toMs) return range;
  throw new OperationError("INVALID_INPUT", `from ${shown(from)} is not before to ${shown(to)}`);
}

/** Since when the absence of a record proves that there was no run. */
export function knownSinceMs({ firstSeenMs, retentionMs }: ListedJob, nowMs: number): number {
  return Math.max(firstSeenMs, nowMs - retentionMs);
}

/** @throws OperationError `UNKNOWN_PAST` where the range begins before that */
export function checkKnown(job: ListedJob, { fromMs }: Range, nowMs: number): void {
  const sinceMs = knownSinceMs(job, nowMs);
  if (fromMs >= sinceMs) return;
  const why =
    sinceMs === job.firstSeenMs
      ? `the job is known since ${instantText(sinceMs)}`
      : `records are kept since ${instantText(sinceMs)}`;
  throw new OperationError(
    "UNKNOWN_PAST",
    `from ${instantText(fromMs)} is too early: ${why}, and before that a missing record proves nothing; begin there, or trigger single runs`,
  );
}
