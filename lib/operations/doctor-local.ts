import { connectLocal, type LocalOptions } from "./connect-local.ts";
import { hostFindings } from "./doctor.ts";
import { OperationError } from "./errors.ts";
import type { Diagnosis } from "./types.ts";

/** Checks this machine, and the local runner's folder as far as there is one. */
export async function doctorLocal(options: LocalOptions = {}): Promise<Diagnosis> {
  try {
    const operations = await connectLocal(options);
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
