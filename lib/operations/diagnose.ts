import { hostFindings } from "./doctor.ts";
import { OperationError } from "./errors.ts";
import type { Diagnosis, Operations } from "./types.ts";

/**
 * Checks this machine, and the runner or the stack as far as it can be connected to.
 *
 * @example const { findings } = await diagnose(() => connectStack({ stack: "Escapement-prod" }));
 */
export async function diagnose(connect: () => Promise<Operations>): Promise<Diagnosis> {
  try {
    const operations = await connect();
    try {
      return { target: operations.target, findings: await operations.doctor() };
    } finally {
      await operations.close();
    }
  } catch (error) {
    if (!(error instanceof Error && "code" in error)) throw error;
    const nothingYet = error instanceof OperationError && error.code === "NO_STATE";
    const level = nothingYet ? "warning" : "failed";
    return { findings: [...hostFindings(), { check: "state", level, message: error.message }] };
  }
}
