import { EscapementError } from "./errors.ts";

/** The variables that the construct sets on every function of a fleet. */
export const ENVIRONMENT = {
  /** The job's name. */
  job: "ESCAPEMENT_JOB",
  /** The fleet: the stack's name. */
  fleet: "ESCAPEMENT_FLEET",
  /** The name of the DynamoDB table. */
  table: "ESCAPEMENT_TABLE",
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
