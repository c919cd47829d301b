import { own } from "../schedule/index.ts";
import { EscapementError } from "./errors.ts";
import type { JobOptions } from "./options.ts";

/** The variables that the construct sets on the functions of a fleet. */
export const ENVIRONMENT = {
  /** The job's name. */
  job: "ESCAPEMENT_JOB",
  /** The fleet: the stack's name. */
  fleet: "ESCAPEMENT_FLEET",
  /** The name of the DynamoDB table. */
  table: "ESCAPEMENT_TABLE",
  /** The event bus that is told how runs end; absent where none is. */
  eventBus: "ESCAPEMENT_EVENT_BUS",
  /** What this stage says of its jobs in place of their files, as JSON by job; absent where it says nothing. */
  overrides: "ESCAPEMENT_OVERRIDES",
} as const;

/** Reads one of the variables. Throws an `EscapementError` (`INVALID_ENVIRONMENT`) where it is absent or empty. */
export function readEnvironment(name: keyof typeof ENVIRONMENT, variables = process.env): string {
  const variable = ENVIRONMENT[name];
  const value = variables[variable];
  if (value) return value;
  throw new EscapementError(
    "INVALID_ENVIRONMENT",
    `The environment variable ${variable} is not set. The stack sets it; outside of a stack set it by hand.`,
  );
}

/** The options that the stage gives a job in place of its file's. */
export function readOverrides(job: string, variables = process.env): Partial<JobOptions> {
  const overrides: Record<string, Partial<JobOptions>> = JSON.parse(variables[ENVIRONMENT.overrides] ?? "{}");
  return own(overrides, job) ?? {};
}
