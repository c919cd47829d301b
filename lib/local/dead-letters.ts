import { mkdirSync, readdirSync } from "node:fs";
import { join } from "node:path";
import type { FunctionError } from "./events.ts";
import { readJson, writeJson } from "./json-file.ts";

/**
 * An event that failed for good, in the shape that Lambda sends to an on-failure destination.
 *
 * @see https://docs.aws.amazon.com/lambda/latest/dg/invocation-async-retain-records.html
 */
export interface DeadLetter {
  readonly version: "1.0";
  readonly timestamp: string;
  readonly destination: string;
  readonly requestContext: {
    readonly requestId: string;
    readonly functionArn: string;
    readonly condition: "RetriesExhausted" | "EventAgeExceeded";
    readonly approximateInvokeCount: number;
  };
  readonly requestPayload: unknown;
  readonly responsePayload: FunctionError;
}

const folder = "dead-letters";

export function saveDeadLetter(stateDir: string, letter: DeadLetter): void {
  mkdirSync(join(stateDir, folder), { recursive: true, mode: 0o700 });
  writeJson(join(stateDir, folder, `${letter.requestContext.requestId}.json`), letter);
}

/** All dead letters in a runner's folder, the oldest first. */
export function listDeadLetters(stateDir: string): DeadLetter[] {
  return fileNames(join(stateDir, folder))
    .map((name) => readJson(join(stateDir, folder, name)) as DeadLetter)
    .sort((a, b) => a.timestamp.localeCompare(b.timestamp));
}

function fileNames(dir: string): string[] {
  try {
    return readdirSync(dir).filter((name) => name.endsWith(".json"));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return [];
    throw error;
  }
}
