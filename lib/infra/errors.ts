import { printableLines } from "../schedule/index.ts";

/**
 * The app cannot be synthesized, because of something its author can change. The message says all of it: where, what
 * was found, what is allowed and what to do.
 */
export class SynthError extends Error {
  override readonly name = "SynthError";
  readonly code = "SYNTH_FAILED";
}

/** Ends a CDK app that failed: prints what is wrong, which may be a job file's own words, with a stack trace only where it is not the author's to change. */
export function exitWithError(error: unknown): never {
  console.error(error instanceof SynthError ? `\n${printableLines(error.message)}\n` : error);
  process.exit(1);
}
