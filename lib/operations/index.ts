export type { Actor, ActorWithReason } from "./actor.ts";
export type { AuditQuery, AuditView } from "./audit.ts";
export type { Selection } from "./backfill/selections.ts";
export type {
  Backfilled,
  BackfillPlan,
  BackfillProgress,
  BackfillQuery,
  BackfillRequest,
  PlannedRun,
} from "./backfill/types.ts";
export type { Cancelled, CancelRequest } from "./cancel.ts";
export { connectLocal, type LocalOptions } from "./connect-local.ts";
export { connectStack, type StackOptions } from "./connect-stack.ts";
export type { DeadLetter, DeadLetterView, Discarded, Resent } from "./dead-letters.ts";
export { diagnose } from "./diagnose.ts";
export { OperationError, type OperationErrorCode } from "./errors.ts";
export type { JobDetail, JobState, JobSummary, LockView, ScheduleView } from "./job-types.ts";
export type { LogLine, LogsQuery } from "./logs.ts";
export type { Missed, MissedQuery } from "./missed.ts";
export type { Paused, PauseRequest, PauseView, Resumed, ResumeRequest } from "./pause.ts";
export type { HeldUp, PauseLook } from "./pause-look.ts";
export type { RecentRuns } from "./recent.ts";
export type { AttemptView, RunView, WaitingView } from "./run-types.ts";
export type { ExpectedOccurrence, JobTimeline, Timeline, TimelineQuery } from "./timeline.ts";
export type {
  Diagnosis,
  Finding,
  JobUpcoming,
  LocalTarget,
  NextQuery,
  Operations,
  QueueSeen,
  RunsQuery,
  StackTarget,
  Target,
  Triggered,
  TriggerRequest,
} from "./types.ts";
export type { Unlocked, UnlockRequest } from "./unlock.ts";
export type { Upcoming, UpcomingOccurrence } from "./upcoming.ts";
