import type { Operations, Target } from "../operations/index.ts";
import type { CommonOptions } from "./options.ts";
import { paint, printLine } from "./output.ts";

/** Connects, says to what, and closes again. */
export async function withOperations(
  { stateDir, json }: CommonOptions,
  use: (operations: Operations) => Promise<void>,
): Promise<void> {
  // Loaded here, since it brings the AWS SDK, which `next EXPRESSION` and `--help` can do without.
  const { connectLocal } = await import("../operations/index.ts");
  const operations = await connectLocal({ stateDir });
  try {
    if (!json) printLine(paint.dim(targetText(operations.target)));
    await use(operations);
  } finally {
    await operations.close();
  }
}

export function targetText(target: Target): string {
  return target.running
    ? `Local runner at ${target.url}, fleet ${target.fleet}`
    : `Local state in ${target.stateDir}, fleet ${target.fleet}; no runner is running`;
}
