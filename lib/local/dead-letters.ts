import { mkdirSync, readdirSync } from "node:fs";
import { basename, join } from "node:path";
import { isInstantText } from "./clock.ts";
import type { FunctionError } from "./events.ts";
import { readJson, requireFields, writeJson } from "./json-file.ts";

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

/**
 * An occurrence that never reached its function: the message that Scheduler sends to the schedule's dead-letter queue,
 * with its attributes.
 *
 * @see https://docs.aws.amazon.com/scheduler/latest/UserGuide/configuring-schedule-dlq.html
 */
export interface UndeliveredOccurrence {
  readonly timestamp: string;
  readonly destination: string;
  readonly body: unknown;
  readonly attributes: {
    readonly ERROR_CODE: string;
    readonly ERROR_MESSAGE: string;
    readonly EXHAUSTED_RETRY_CONDITION: "MaximumRetryAttempts" | "MaximumEventAgeInSeconds";
    readonly RETRY_ATTEMPTS: string;
    readonly SCHEDULED_TIME: string;
    readonly SCHEDULE_ARN: string;
    readonly TARGET_ARN: string;
  };
}

export type DeadLetterFile =
  | { readonly id: string; readonly from: "function"; readonly letter: DeadLetter }
  | { readonly id: string; readonly from: "schedule"; readonly letter: UndeliveredOccurrence }
  /** Damaged, or written by other hands. */
  | { readonly id: string; readonly from: "nobody"; readonly problem: string };

const folder = "dead-letters";

export function saveDeadLetter(stateDir: string, id: string, letter: DeadLetter | UndeliveredOccurrence): void {
  mkdirSync(join(stateDir, folder), { recursive: true, mode: 0o700 });
  writeJson(join(stateDir, folder, `${id}.json`), letter);
}

/** All dead letters in a runner's folder, the oldest first, those that cannot be read last. */
export function listDeadLetters(stateDir: string): DeadLetterFile[] {
  const files = fileNames(join(stateDir, folder)).map((name) => readLetter(join(stateDir, folder, name)));
  const time = (file: DeadLetterFile) => (file.from === "nobody" ? "9999" : file.letter.timestamp);
  return files.sort((a, b) => time(a).localeCompare(time(b)));
}

function readLetter(path: string): DeadLetterFile {
  const id = basename(path, ".json");
  try {
    const value = (readJson(path) ?? {}) as Partial<DeadLetter & UndeliveredOccurrence>;
    const { timestamp, requestContext, attributes } = value;
    requireFields({ timestamp: isInstantText(timestamp) });
    if (attributes) {
      requireFields({ "attributes.TARGET_ARN": typeof attributes.TARGET_ARN === "string" });
      return { id, from: "schedule", letter: value as UndeliveredOccurrence };
    }
    requireFields({ "requestContext.functionArn": typeof requestContext?.functionArn === "string" });
    return { id, from: "function", letter: value as DeadLetter };
  } catch (error) {
    return { id, from: "nobody", problem: `${path} cannot be read: ${(error as Error).message}` };
  }
}

function fileNames(dir: string): string[] {
  try {
    return readdirSync(dir).filter((name) => name.endsWith(".json"));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return [];
    throw error;
  }
}
