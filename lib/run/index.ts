export { isMine } from "./acquire.ts";
export { type AuditEntry, OPERATOR_ACTIONS, type OperatorAction } from "./audit.ts";
export { begin } from "./begin.ts";
export { type CancelAnswer, requestCancel } from "./cancel.ts";
export { CATCH_UPS, type CatchUp } from "./catch-up.ts";
export type { Command, Protocol, Reply } from "./command.ts";
export {
  type Delivery,
  OVERLAPS,
  type Overlap,
  type RunError,
  START_CAUSES,
  type StartCause,
  type Summary,
  TRIGGER_KINDS,
  type Trigger,
} from "./delivery.ts";
export { truncateUtf8 } from "./errors.ts";
export { finish, finishCommitted, record, release } from "./finish.ts";
export {
  encodePart,
  isPart,
  manualRunId,
  PART_RULE,
  parseRunId,
  type RunIdentity,
  runTimeMs,
  scheduledRunId,
} from "./identity.ts";
export { goneAtMs, type Renewed, renew, stopAtMs } from "./lease.ts";
export { startOf, strandedHead } from "./line.ts";
export { giveBack } from "./locks.ts";
export {
  note,
  type Operator,
  type PauseAnswer,
  pause,
  type ResumeAnswer,
  resume,
  type UnlockAnswer,
  unlock,
} from "./operate.ts";
export type { Begun, Finished, Hold, Holder, Outcome } from "./outcome.ts";
export {
  type Attempt,
  isFinal,
  type RecordedReason,
  RUN_STATUSES,
  type RunRecord,
  type RunStatus,
  type SharedLockHeld,
  type SkipReason,
} from "./record.ts";
export { endedRecord } from "./records.ts";
export { nextLookMs, waitsUntilMs } from "./replace.ts";
export type { SharedLease, SharedLock } from "./shared-lock.ts";
export { type Start, startEvent } from "./start.ts";
export {
  isDead,
  isHeldOver,
  isPausedAt,
  type JobState,
  type Lease,
  MAX_QUEUED_INPUT_BYTES,
  type Pause,
  type Progress,
  type QueueEntry,
  SKEW_TOLERANCE_MS,
  type Stop,
  type Success,
  type Tally,
} from "./state.ts";
export { recordSteps, type Step, type Stepped } from "./step.ts";
export { isAttemptDue, openSinceMs, toCatchUp } from "./watch/due.ts";
export { LOOK_BACK_MS } from "./watch/expected.ts";
export {
  confirm,
  type DeployedSchedule,
  type Drift,
  driftOf,
  type Expectation,
  expectationOf,
  isSame,
  type Judgement,
  judge,
  judgeIdle,
  leaveUndecided,
  outside,
  type WatchedSchedule,
} from "./watch/judge.ts";
export { recordedTimes } from "./watch/recorded.ts";
export { hasDead, settleDead } from "./watch/settle.ts";
export { type WithdrawAnswer, withdraw } from "./withdraw.ts";
