import { quietBrokenPipe } from "./output.ts";
import { createProgram } from "./program.ts";
import { reportError } from "./report-error.ts";

/** Runs one command. Exit 0: done, 1: failed, 2: wrong usage or invalid input. */
export async function main(args: string[]): Promise<void> {
  quietBrokenPipe();
  // Read when the SDK loads; on Node 20 it repeats with every command what the install has said.
  process.env["AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED"] ??= "true";
  try {
    await createProgram().parseAsync(args, { from: "user" });
  } catch (error) {
    process.exitCode = reportError(error);
  }
}
