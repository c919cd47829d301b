/** What a job file imports, and what runs in its Lambda function. */
export type { Duration } from "./lambda/duration.ts";
export {
  ComeAgainError,
  EscapementError,
  type EscapementErrorCode,
  EventError,
  JobError,
  LeaseLostError,
  RunCancelledError,
  RunExhaustedError,
  RunTimedOutError,
  StepError,
} from "./lambda/errors.ts";
export type { BundlingOptions, FunctionOptions } from "./lambda/function-options.ts";
export { defineJob, type JobDefinition } from "./lambda/job.ts";
export type { RunLog } from "./lambda/log.ts";
export type { JobOptions } from "./lambda/options.ts";
export type { Run, RunContext } from "./lambda/run.ts";
export { type ScheduledHandler, type ScheduledRun, scheduled, scheduledRun } from "./lambda/scheduled.ts";
export type { Skipped } from "./lambda/skipped.ts";
export type { RunError, Trigger } from "./run/index.ts";
export { at, cron, rate, ScheduleError, type ScheduleOptions, type ScheduleSpec } from "./schedule/index.ts";
export {
  type GuardableWrite,
  StoreError,
  type StoreErrorCode,
  type TransactItem,
  WriteError,
  type WriteErrorCode,
  type WriteReason,
} from "./store/index.ts";
