import type { Protocol, Reply } from "./command.ts";
import { parseRunId } from "./identity.ts";
import { placeOf } from "./line.ts";
import { entryOf, type Operator } from "./operate.ts";
import type { RunRecord } from "./record.ts";
import { type JobState, NOTHING_YET, type QueueEntry } from "./state.ts";

/** A state changes under every look only where the queue moves fast; then the run is about to start anyway. */
const MAX_ROUNDS = 5;

export type WithdrawAnswer =
  | { readonly kind: "withdrawn"; readonly runId: string }
  /** Somebody else has done so since the look, and said why. */
  | { readonly kind: "withdrawn-before"; readonly runId: string; readonly said: string | undefined }
  | { readonly kind: "not-waiting" }
  /** It is at work, about to be, or waits for its next attempt. */
  | { readonly kind: "has-started" };

/**
 * Takes a run that waits for the job's lock out of the queue for good. First the mark: up to it every start claims the
 * run's record. Then that record, which is final: of it and a start that is under way whichever is first decides. Then the
 * entry; left there it would be started for nothing.
 */
export function* withdraw(
  job: string,
  runId: string,
  operator: Operator & { readonly reason: string },
): Protocol<WithdrawAnswer> {
  let look: Reply = yield { kind: "read-state", job };
  for (let round = 1; round <= MAX_ROUNDS; round++) {
    const { state = NOTHING_YET, nowMs } = look;
    const waiting = state.queue?.find((queued) => queued.runId === runId);
    if (!waiting) return { kind: "not-waiting" };
    // Come to wait twice, it runs under one entry while the other one stays; the newest claims no record.
    if (state.lease?.runId === runId) return { kind: "has-started" };
    if (!isAboveMark(state, runId)) return yield* settle(job, waiting, state, operator, nowMs);
    look = yield { kind: "raise-high-water", job, seen: state, whilePaused: false, highWater: runId };
  }
  return { kind: "has-started" };
}

/** A manual run has no place in that order, and every start of it claims its record. */
function isAboveMark({ highWater = "" }: JobState, runId: string): boolean {
  return parseRunId(runId)?.kind === "scheduled" && highWater < runId;
}

function* settle(
  job: string,
  waiting: QueueEntry,
  state: JobState,
  operator: Operator & { readonly reason: string },
  nowMs: number,
): Protocol<WithdrawAnswer> {
  const { runId } = waiting;
  const why = `${operator.by} took it out of the queue: ${operator.reason}`;
  const mine = withdrawn(job, waiting, state, operator, nowMs, why);
  const reply = yield { kind: "put-skipped", record: mine };
  const stands = reply.applied ? mine : reply.record;
  if (stands?.reason !== "cancelled") return { kind: "has-started" };

  const said = stands.error?.message;
  // Also when the reply was lost and the repetition was refused.
  const isMine = stands.endedMs === nowMs && said === why;
  const entry = isMine ? entryOf(job, "cancel", operator, nowMs, `run ${runId}, which waited`) : undefined;
  const answer: WithdrawAnswer = isMine ? { kind: "withdrawn", runId } : { kind: "withdrawn-before", runId, said };
  let seen = state;
  for (let round = 1; round <= MAX_ROUNDS; round++) {
    const leaves = placeOf(seen, runId);
    if (!leaves) break;
    const reply = yield { kind: "leave-queue", job, leaves, entry };
    if (reply.applied) return answer;
    seen = reply.state ?? NOTHING_YET;
  }
  if (entry) yield { kind: "note", job, entry };
  return answer;
}

function withdrawn(
  job: string,
  { runId, workTimeMs, workSchedule, deliveredMs, trigger, requestId }: QueueEntry,
  { fence = 0 }: JobState,
  { retentionMs }: Operator,
  nowMs: number,
  why: string,
): RunRecord {
  const identity = parseRunId(runId);
  return {
    job,
    runId,
    ...(identity?.kind === "scheduled" && { schedule: identity.schedule, scheduledTimeMs: identity.scheduledTimeMs }),
    workTimeMs,
    workSchedule,
    status: "SKIPPED",
    reason: "cancelled",
    fence,
    attempt: 0,
    attempts: [],
    deliveredMs,
    endedMs: nowMs,
    trigger,
    error: { name: "RunCancelled", message: why },
    requestId,
    expiresAtMs: nowMs + retentionMs,
  };
}
