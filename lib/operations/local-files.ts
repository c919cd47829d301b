import { existsSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { basename, join } from "node:path";
import { type DeadLetterFile, listDeadLetters } from "../local/dead-letters.ts";
import type { DeadLetter, DeadLetterBox } from "./dead-letters.ts";
import type { LogLine, LogSource } from "./logs.ts";

/** The runner's dead letters: one file each. */
export function localDeadLetters(stateDir: string): DeadLetterBox {
  return {
    async *read() {
      yield* listDeadLetters(stateDir).map(letterOf);
    },
    async remove(id) {
      rmSync(join(stateDir, "dead-letters", `${basename(id)}.json`), { force: true });
    },
  };
}

function letterOf(file: DeadLetterFile): DeadLetter {
  const { id, from } = file;
  if (from === "nobody") {
    const error = { name: "Unreadable", message: `${file.problem}. Put it right, or delete it.` };
    return { id, from: "function", error, payload: null };
  }
  const at = file.letter.timestamp;
  if (from === "schedule") {
    const { body: payload, attributes } = file.letter;
    return {
      id,
      at,
      from,
      functionName: attributes.TARGET_ARN.split(":").at(-1),
      condition: attributes.EXHAUSTED_RETRY_CONDITION,
      error: { name: attributes.ERROR_CODE, message: attributes.ERROR_MESSAGE },
      payload,
    };
  }
  const { requestContext, requestPayload, responsePayload } = file.letter;
  return {
    id,
    at,
    from,
    functionName: requestContext.functionArn.split(":").at(-1),
    condition: requestContext.condition,
    error: { name: String(responsePayload?.errorType), message: String(responsePayload?.errorMessage) },
    payload: requestPayload,
  };
}

/** The runner's logs: of each function one file a sandbox. */
export function localLogs(stateDir: string): LogSource {
  return {
    async read({ functionName, contains, limit }) {
      const folder = join(stateDir, "logs", functionName);
      if (!existsSync(folder)) return [];
      const files = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".log"));
      const lines: LogLine[] = files.sort().flatMap((name) =>
        readFileSync(join(folder, name), "utf8")
          .split("\n")
          .filter((text) => text !== "" && contains.every((part) => text.includes(part)))
          .map((text) => ({ stream: name.replace(/\.log$/, ""), text })),
      );
      return lines.slice(-limit);
    },
  };
}
