import type { AuditEntry, OperatorAction } from "./audit.ts";
import type { Protocol } from "./command.ts";
import { readRecord, recordLost } from "./dead-run.ts";
import { giveBackShared } from "./locks.ts";
import { lostRecord, tallyAfter } from "./records.ts";
import { isPausedAt, type JobState, type Lease, NOTHING_YET, type Pause } from "./state.ts";

/** Who acts on a job, and why. */
export interface Operator {
  readonly by: string;
  readonly reason?: string | undefined;
  /** Makes the action's entry unique beside its time. */
  readonly id: string;
  /** How long the entry is kept. */
  readonly retentionMs: number;
}

/** `conflict`: somebody else acted since the look; nothing was done. */
export type PauseAnswer =
  | { readonly kind: "paused"; readonly paused: Pause }
  | { readonly kind: "already-paused"; readonly paused: Pause }
  | { readonly kind: "conflict"; readonly state: JobState };

export type ResumeAnswer =
  | { readonly kind: "resumed"; readonly paused: Pause; readonly atMs: number }
  | { readonly kind: "not-paused" }
  | { readonly kind: "conflict"; readonly state: JobState };

export type UnlockAnswer =
  | { readonly kind: "unlocked"; readonly lease: Lease }
  | { readonly kind: "not-locked" }
  | { readonly kind: "conflict"; readonly state: JobState };

/** From here on every scheduled occurrence is recorded as skipped, until the job is resumed or the pause runs out. */
export function* pause(
  job: string,
  operator: Operator & { readonly reason: string },
  untilMs?: number,
): Protocol<PauseAnswer> {
  const { state = NOTHING_YET, nowMs } = yield { kind: "read-state", job };
  if (state.paused && isPausedAt(state, nowMs)) return { kind: "already-paused", paused: state.paused };
  const paused = { by: operator.by, reason: operator.reason, atMs: nowMs, untilMs };
  const entry = { ...entryOf(job, "pause", operator, nowMs), untilMs };
  const reply = yield { kind: "pause", job, paused, seen: state.paused, entry };
  return reply.applied ? { kind: "paused", paused } : conflict(reply.state);
}

/** @param seenAtMs since when the pause is that the operator decided to end; absent: whichever there is */
export function* resume(job: string, operator: Operator, seenAtMs?: number): Protocol<ResumeAnswer> {
  const { state = NOTHING_YET, nowMs } = yield { kind: "read-state", job };
  const { paused } = state;
  if (!paused) return { kind: "not-paused" };
  if (seenAtMs !== undefined && paused.atMs !== seenAtMs) return conflict(state);
  const detail = `paused by ${paused.by} since ${timeText(paused.atMs)}: ${paused.reason}`;
  const entry = entryOf(job, "resume", operator, nowMs, detail);
  const reply = yield { kind: "resume", job, seen: paused, entry };
  return reply.applied ? { kind: "resumed", paused, atMs: nowMs } : conflict(reply.state);
}

/**
 * Takes the lock from its holder, whose code may still be at work. Its attempt is recorded as LOST first: whatever it
 * writes from then on, under its lock or to its record, is refused. The shared locks that it took go with it.
 * @param owner the holder that the operator decided about
 */
export function* unlock(
  job: string,
  operator: Operator & { readonly reason: string },
  owner: string,
): Protocol<UnlockAnswer> {
  const { state = NOTHING_YET, nowMs } = yield { kind: "read-state", job };
  const { lease, fence } = state;
  if (!lease || fence === undefined) return { kind: "not-locked" };
  if (lease.owner !== owner) return conflict(state);

  const found = yield* readRecord(job, lease.runId);
  const error = { name: "RunUnlocked", message: `${operator.by} took its lock: ${operator.reason}` };
  const end = { endedMs: nowMs, error };
  const stands = yield* recordLost(found, (seen) => lostRecord(job, lease, fence, seen, end));

  yield* giveBackShared(lease);
  const shared = lease.locks ? `, and the shared ${lease.locks.join(", ")}` : "";
  const detail = `the lock of run ${lease.runId}, attempt ${lease.attempt}, fencing token ${fence}${shared}`;
  const entry = entryOf(job, "unlock", operator, nowMs, detail);
  const reply = yield { kind: "unlock", job, owner, tally: stands && tallyAfter(state, stands), entry };
  if (reply.applied) return { kind: "unlocked", lease };
  const isLostByMe = stands?.endedMs === nowMs && stands.error?.message === error.message;
  if (!isLostByMe) return conflict(reply.state);
  // Its holder has given it back since, and its attempt counts as lost all the same: that has to be told.
  yield { kind: "note", job, entry };
  return { kind: "unlocked", lease };
}

/** Tells of an action that changes nothing of the job's state. */
export function* note(
  job: string,
  action: OperatorAction,
  operator: Operator,
  nowMs: number,
  detail: string,
): Protocol<void> {
  yield { kind: "note", job, entry: entryOf(job, action, operator, nowMs, detail) };
}

export function entryOf(
  job: string,
  action: OperatorAction,
  { by, reason, id, retentionMs }: Operator,
  atMs: number,
  detail?: string,
): AuditEntry {
  return { job, id, atMs, action, by, reason, detail, expiresAtMs: atMs + retentionMs };
}

function conflict(state: JobState = NOTHING_YET): { kind: "conflict"; state: JobState } {
  return { kind: "conflict", state };
}

function timeText(ms: number): string {
  return new Date(ms).toISOString().replace(".000Z", "Z");
}
