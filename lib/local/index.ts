export { type Clock, RunnerClock } from "./clock.ts";
export { type DeadLetter, listDeadLetters } from "./dead-letters.ts";
export { type EmbeddedDynamo, openEmbeddedDynamo } from "./embedded-table.ts";
export { RunnerError, type RunnerErrorCode } from "./errors.ts";
export type { FaultKind, FunctionError, RunnerEvent } from "./events.ts";
export type { JobView, ScheduleView } from "./job-views.ts";
export { type Runner, type RunnerOptions, startRunner } from "./runner.ts";
export { findRunner, type RunnerInfo } from "./runner-file.ts";
export type { Worker, WorkerState } from "./workers.ts";
