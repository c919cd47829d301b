import type { Step } from "../run/index.ts";
import { shown } from "./check.ts";
import { StepError } from "./errors.ts";
import { toJson } from "./summary.ts";

/** What a run may remember. With it a record stays far below the 400 KB that an item of DynamoDB may have. */
export const STEP_LIMITS = { nameLength: 64, steps: 100, bytes: 65_536 } as const;

const WORK_IS_DONE = "The step's work is done, but not remembered.";

/**
 * Checks all that can be known before a step's work.
 * @param names of the other steps of the run, remembered or begun
 * @returns the name as the record can hold it
 * @throws {StepError}
 */
export function checkStep(runId: string, given: unknown, fn: unknown, names: ReadonlySet<string>): string {
  const { nameLength, steps } = STEP_LIMITS;
  if (typeof given !== "string" || given.length < 1 || given.length > nameLength) {
    const problem = `a step's name is ${shown(given)}. Allowed: text of 1 to ${nameLength} characters.`;
    throw new StepError("STEP_INVALID", runId, problem);
  }
  const name = given.toWellFormed();
  if (typeof fn !== "function") {
    const problem = `step ${shown(name)} has no function. Write: run.step(${shown(name)}, async () => …).`;
    throw new StepError("STEP_INVALID", runId, problem);
  }
  if (!names.has(name) && names.size >= steps) {
    const problem = `step ${shown(name)} is one too many. Allowed: ${steps} steps for a run. Do more in one step.`;
    throw new StepError("STEP_LIMIT", runId, problem);
  }
  return name;
}

/**
 * What is remembered of a step.
 * @param done the steps of the run that are remembered already
 * @throws {StepError} where the result is no JSON, or too large
 */
export function finishedStep(runId: string, name: string, result: unknown, done: readonly Step[]): Step {
  const json = toJson(result);
  if (json === undefined && result !== undefined) {
    const problem = `the result of step ${shown(name)} is no JSON. ${WORK_IS_DONE} Return what JSON can hold, or nothing.`;
    throw new StepError("STEP_INVALID", runId, problem);
  }
  const bytes = bytesOf({ json });
  const bytesBefore = done.reduce((sum, step) => sum + bytesOf(step), 0);
  if (bytesBefore + bytes > STEP_LIMITS.bytes) {
    const sizes = `has ${bytes} bytes of JSON, and those before it have ${bytesBefore}. Allowed: ${STEP_LIMITS.bytes} bytes for a run.`;
    const advice = "Keep the result elsewhere and return where it is.";
    throw new StepError("STEP_LIMIT", runId, `the result of step ${shown(name)} ${sizes} ${WORK_IS_DONE} ${advice}`);
  }
  return { name, ...(json !== undefined && { json }) };
}

/** As every attempt gets it, the one that did the work, too: what JSON makes of the result. */
export function resultOf({ json }: Pick<Step, "json">): unknown {
  return json === undefined ? undefined : JSON.parse(json);
}

function bytesOf({ json = "" }: Pick<Step, "json">): number {
  return Buffer.byteLength(json);
}
