import type { Operations, Target } from "../operations/index.ts";
import type { CommonOptions } from "./options.ts";
import { paint, printLine } from "./output.ts";

/** Connects, says to what, and closes again. */
export async function withOperations(
  options: CommonOptions,
  use: (operations: Operations) => Promise<void>,
): Promise<void> {
  const operations = await connect(options);
  try {
    if (!options.json) printLine(paint.dim(targetText(operations.target)));
    await use(operations);
  } finally {
    await operations.close();
  }
}

export async function connect({ stateDir, stack, region, profile, nowMs }: CommonOptions): Promise<Operations> {
  // Loaded here, and only what is needed: each brings clients of the AWS SDK, which are most of a command's start.
  if (stack === undefined) {
    const { connectLocal } = await import("../operations/connect-local.ts");
    return connectLocal({ stateDir, nowMs });
  }
  const { connectStack } = await import("../operations/connect-stack.ts");
  return connectStack({ stack, region, profile });
}

export function targetText(target: Target): string {
  if (target.kind === "stack") return `Stack ${target.stack} in ${target.region}, fleet ${target.fleet}`;
  return target.running
    ? `Local runner at ${target.url}, fleet ${target.fleet}`
    : `Local state in ${target.stateDir}, fleet ${target.fleet}; no runner is running`;
}
