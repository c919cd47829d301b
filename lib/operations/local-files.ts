import { existsSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { basename, join } from "node:path";
import { listDeadLetters } from "../local/dead-letters.ts";
import type { DeadLetterBox } from "./dead-letters.ts";
import type { LogLine, LogSource } from "./logs.ts";

/** The runner's dead letters: one file each. */
export function localDeadLetters(stateDir: string): DeadLetterBox {
  return {
    async *read() {
      for (const letter of listDeadLetters(stateDir)) {
        const { timestamp, requestContext, requestPayload, responsePayload } = letter;
        yield {
          id: requestContext.requestId,
          at: timestamp,
          from: "function",
          functionName: requestContext.functionArn.split(":").at(-1),
          condition: requestContext.condition,
          error: { name: String(responsePayload.errorType), message: String(responsePayload.errorMessage) },
          payload: requestPayload,
        };
      }
    },
    async remove(id) {
      rmSync(join(stateDir, "dead-letters", `${basename(id)}.json`), { force: true });
    },
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
