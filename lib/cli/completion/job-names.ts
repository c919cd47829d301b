import { findRunner } from "../../local/runner-file.ts";
import type { CommonOptions } from "../options.ts";
import { connect } from "../with-operations.ts";

/** Whoever presses a key waits no longer for an answer. */
const PATIENCE_MS = 5_000;

/** The jobs of the running runner, or of the stack that is named; none where neither answers at once. */
export async function jobNames(options: Record<string, unknown>): Promise<readonly string[]> {
  const tooLong = new Promise<readonly string[]>((resolve) => {
    setTimeout(() => resolve([]), PATIENCE_MS).unref();
  });
  return Promise.race([read(options as unknown as CommonOptions).catch(() => []), tooLong]);
}

async function read(options: CommonOptions): Promise<readonly string[]> {
  // Without a runner its folder would have to be opened, which is slow, and keeps others out.
  if (options.stack === undefined && !(await findRunner(options.stateDir))) return [];
  const operations = await connect(options);
  try {
    return await operations.jobNames();
  } finally {
    await operations.close();
  }
}
