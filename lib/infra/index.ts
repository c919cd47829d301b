export { Dispatcher } from "./dispatcher.ts";
export { exitWithError, SynthError } from "./errors.ts";
export type { FunctionNodes } from "./lambda-function.ts";
export { type LoadedJob, type LoadJobsOptions, loadJobs } from "./load-jobs.ts";
export { RunTable, type RunTableProps } from "./run-table.ts";
export { ScheduledFunction, type ScheduledFunctionProps } from "./scheduled-function.ts";
export { ScheduledFunctions, type ScheduledFunctionsProps } from "./scheduled-functions.ts";
export { ScheduledFunctionsStack, type ScheduledFunctionsStackProps } from "./scheduled-functions-stack.ts";
export { Watchdog } from "./watchdog.ts";
