import { printable, printableBlock } from "./output.ts";

/** An error as a log has it: of the job's own logger, or of Lambda. */
export interface LoggedError {
  readonly name?: string;
  readonly message?: unknown;
  readonly errorType?: string;
  readonly errorMessage?: unknown;
  readonly stack: string | readonly unknown[];
  readonly cause?: unknown;
}

/** What its stack says. */
const SAID_KEYS = ["name", "location", "message", "errorType", "errorMessage", "stack"];

/** Files of a bundle are told as the project has them: its source maps name them below the asset's folder. No path is longer. */
const ASSET_FOLDER = /(\(|at (?:async )?)(?:file:\/\/)?\/[^()\n]{0,1000}\/asset\.[0-9a-f]{64}\//g;

export function isLoggedError(value: unknown): value is LoggedError {
  const { stack, errorType, name = errorType } = (value ?? {}) as Record<string, unknown>;
  return typeof name === "string" && (typeof stack === "string" || Array.isArray(stack));
}

/** Its stack and those of its causes, to be shown below a line: each of its lines begins anew, and is indented. */
export function stackText(error: LoggedError): string {
  let text = "";
  let cause: unknown = error;
  for (let title = ""; isLoggedError(cause); title = "caused by ") {
    text += `\n${title}${ownStack(cause)}`;
    cause = cause.cause;
  }
  return printableBlock(text.replaceAll(ASSET_FOLDER, "$1"));
}

/** What else it says, as its code; undefined where that is nothing. */
export function furtherFields(error: LoggedError): object | undefined {
  const isCause = (key: string) => key === "cause" && isLoggedError(error.cause);
  const further = Object.entries(error).filter(([key]) => !SAID_KEYS.includes(key) && !isCause(key));
  return further.length === 0 ? undefined : Object.fromEntries(further);
}

/** Of what is thrown and is no error there is none: its name and message, then. */
function ownStack(error: LoggedError): string {
  const { stack, errorType, errorMessage, name = errorType, message = errorMessage } = error;
  const text = typeof stack === "string" ? stack : stack.filter((line) => typeof line === "string").join("\n");
  return text || `${name}: ${printable(message)}`;
}
