import type { JobState, RunView } from "../operations/index.ts";
import { paint, printable } from "./output.ts";
import { timeText } from "./times.ts";

const STATUS_COLORS: Record<RunView["status"], (text: string) => string> = {
  WAITING: paint.cyan,
  RUNNING: paint.cyan,
  SUCCEEDED: paint.green,
  SKIPPED: paint.yellow,
  CANCELLED: paint.yellow,
  FAILED: paint.red,
  TIMED_OUT: paint.red,
  LOST: paint.red,
};

/** `interrupted` stands for RUNNING where nothing runs. */
export function statusText({ status, interrupted }: Pick<RunView, "status" | "interrupted">): string {
  if (interrupted) return paint.yellow("interrupted");
  return STATUS_COLORS[status](status);
}

const STATE_COLORS: Record<JobState, (text: string) => string> = {
  idle: (text) => text,
  running: paint.cyan,
  interrupted: paint.yellow,
  paused: paint.yellow,
  disabled: paint.dim,
  removed: paint.dim,
  unreadable: paint.red,
};

export function stateText(state: JobState): string {
  return STATE_COLORS[state](state);
}

/** Why a run is as it is, in one line: what cut it short, the reason of a skip, or the error. */
export function whyText(
  run: Pick<
    RunView,
    "interrupted" | "waiting" | "reason" | "heldBy" | "heldOver" | "queueFull" | "sharedLock" | "error"
  >,
): string {
  const { interrupted, waiting, reason, heldBy, heldOver, queueFull, sharedLock, error } = run;
  if (waiting) return waitingText(waiting);
  if (interrupted) return "the runner ended; it comes again at the next start";
  if (reason === "overlap" && queueFull)
    return `overlap: as many runs waited as may${heldBy ? `, and ${printable(heldBy)} held the lock` : ""}`;
  if (reason === "overlap" && sharedLock && heldBy)
    return `overlap: ${printable(heldBy)} of ${sharedLock.job} held the lock ${sharedLock.name}`;
  if (reason === "overlap" && heldOver && heldBy)
    return `overlap: ${printable(heldBy)} timed out or crashed, and its hold on the lock was not over`;
  if (reason === "overlap") return heldBy ? `overlap: ${printable(heldBy)} held the lock` : "overlap";
  const errorText = error ? printable(`${error.name}: ${error.message.split("\n")[0]}`) : "";
  if (reason === "cancelled") return `cancelled: ${errorText}`;
  return reason ?? errorText;
}

/** `waits since 2026-05-02 10:00:00 UTC, at position 2, behind 2026-05-02T09:00:00.000Z#default` */
export function waitingText({ position, since, behind }: NonNullable<RunView["waiting"]>): string {
  return `waits since ${timeText(since)}, at position ${position}${behind ? `, behind ${printable(behind)}` : ""}`;
}
