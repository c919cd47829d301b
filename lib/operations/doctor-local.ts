import { connectLocal, type LocalOptions } from "./connect-local.ts";
import { hostFindings } from "./doctor.ts";
import { OperationError } from "./errors.ts";
import type { Finding } from "./types.ts";

/** Checks this machine, and the local runner's folder as far as there is one. */
export async function doctorLocal(options: LocalOptions = {}): Promise<Finding[]> {
  try {
    const operations = await connectLocal(options);
    try {
      return await operations.doctor();
    } finally {
      await operations.close();
    }
  } catch (error) {
    if (!(error instanceof Error && "code" in error)) throw error;
    const nothingYet = error instanceof OperationError && error.code === "NO_STATE";
    return [...hostFindings(), { check: "state", level: nothingYet ? "warning" : "failed", message: error.message }];
  }
}
