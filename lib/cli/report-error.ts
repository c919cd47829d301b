import { CommanderError } from "commander";
import { paint, printAside, printableLines } from "./output.ts";

const INVALID_INPUT_CODES = new Set([
  "INVALID_INPUT",
  "INVALID_SCHEDULE",
  "INVALID_JOB",
  "UNKNOWN_JOB",
  "UNKNOWN_RUN",
  "UNKNOWN_PAST",
  "UNKNOWN_LETTER",
]);

/** Says on stderr what went wrong and returns the exit code. Only a fault of ours shows a stack trace. */
export function reportError(error: unknown): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2; // commander has said why
  if (!isForPeople(error)) {
    printAside(
      `${printableLines(String(error instanceof Error ? error.stack : error))}\n\nThis is a fault in Escapement, not in your input.`,
    );
    return 1;
  }
  printAside(`${paint.red("error:")} ${printableLines(error.message).replaceAll("\n", "\n  ")}`);
  return error.exitCode ?? (INVALID_INPUT_CODES.has(error.code) ? 2 : 1);
}

/** Every error that is meant to be read carries a code, as the system's own do (`EACCES`, …). */
function isForPeople(error: unknown): error is Error & { code: string; exitCode?: number } {
  return error instanceof Error && "code" in error && typeof error.code === "string";
}
