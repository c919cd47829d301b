import type { CatchUp } from "../catch-up.ts";
import { runTimeMs } from "../identity.ts";
import { placeOf } from "../line.ts";
import { isFinal, type RunRecord } from "../record.ts";
import { isPausedAt, type JobState } from "../state.ts";
import { LOOK_BACK_MS } from "./expected.ts";

/** Lambda delivers a failed event again after one minute and after two more; what has not come by then comes no more. */
const REDELIVERY_MS = 5 * 60_000;

/** Whether the run has attempts left, and nothing but the watchdog will start the next one. */
export function isAttemptDue(run: RunRecord, state: JobState, retries: number, nowMs: number): boolean {
  if (!isOpen(run, retries) || run.endedMs === undefined || run.endedMs + REDELIVERY_MS > nowMs) return false;
  const isAtWork = state.lease?.runId === run.runId;
  const waits = placeOf(state, run.runId) !== undefined;
  const isPaused = run.schedule !== undefined && isPausedAt(state, nowMs);
  return !isAtWork && !waits && !isPaused;
}

/**
 * Which of the missed occurrences run after all, oldest first. One outage comes to light bit by bit, from look to look: what
 * is newer and undecided counts, or each look would have a newest one of its own.
 *
 * @param missed oldest first
 * @param undecided what is newer, has no run either, and may still be on its way
 */
export function toCatchUp<T extends { readonly timeMs: number }>(
  missed: readonly T[],
  undecided: readonly T[],
  catchUp: CatchUp,
  queueLength: number,
): readonly T[] {
  if (catchUp === "none") return [];
  const newestFirst = [...missed, ...undecided].sort((one, other) => other.timeMs - one.timeMs);
  const newest = newestFirst.slice(0, catchUp === "latest" ? 1 : queueLength);
  return missed.filter((occurrence) => newest.includes(occurrence));
}

/**
 * The time of the oldest run that has to be looked at again: at work, waiting, or with attempts left. What is older than
 * the watchdog looks back is left to whoever operates the job.
 */
export function openSinceMs(
  state: JobState,
  runs: readonly RunRecord[],
  retries: number,
  nowMs: number,
): number | undefined {
  const { queue = [], lease } = state;
  const open = [...runs.filter((run) => isOpen(run, retries)), ...queue, lease];
  const times = open.flatMap((run) => (run && runTimeMs(run.runId)) ?? []);
  const recent = times.filter((timeMs) => timeMs >= nowMs - LOOK_BACK_MS);
  return recent.length > 0 ? Math.min(...recent) : undefined;
}

function isOpen({ status, attempt }: RunRecord, retries: number): boolean {
  return status === "RUNNING" || (!isFinal(status) && attempt <= retries);
}
