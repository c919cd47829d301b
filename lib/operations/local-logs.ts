import { existsSync, readFileSync, statSync } from "node:fs";
import { join, relative } from "node:path";
import { isInstant, isInstantText } from "../local/clock.ts";
import { logFilesIn } from "../local/log-file.ts";
import { instantText } from "./instants.ts";
import type { LogLine, LogSource } from "./logs.ts";

interface TimedLine {
  readonly stream: string;
  readonly atMs: number;
  readonly text: string;
}

/** The runner's logs: of each function one file a sandbox, whose names say nothing of the order. */
export function localLogs(stateDir: string): LogSource {
  return {
    async read({ functionName, containsAny, sinceMs = 0, limit }) {
      const folder = join(stateDir, "logs", functionName);
      if (!existsSync(folder)) return [];
      const isAsked = (text: string) => containsAny.length === 0 || containsAny.some((part) => text.includes(part));
      return logFilesIn(folder)
        .flatMap((path) => timedLines(relative(folder, path).replace(/\.log$/, ""), readLog(path)))
        .filter(({ atMs, text }) => atMs >= sinceMs && isAsked(text))
        .sort((one, other) => one.atMs - other.atMs)
        .slice(-limit)
        .map(viewOf);
    },
  };
}

interface Log {
  readonly lines: readonly string[];
  /** When its last line was written, by the runner's clock. */
  readonly writtenMs: number;
}

/** A runner at work removes its oldest logs, meanwhile too. */
function readLog(path: string): Log {
  try {
    const writtenMs = Math.round(statSync(path).mtimeMs);
    return { lines: readFileSync(path, "utf8").split("\n").filter(Boolean), writtenMs };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return { lines: [], writtenMs: 0 };
    throw error;
  }
}

/** A line that does not say its time has that of the one before it in its invocation, else that of the next that does. */
function timedLines(stream: string, { lines, writtenMs }: Log): TimedLine[] {
  let beforeMs: number | undefined;
  const said = lines.map((text) => {
    if (text.startsWith("START ")) beforeMs = undefined;
    beforeMs = timeIn(text) ?? beforeMs;
    return { text, saidMs: beforeMs };
  });
  let afterMs = writtenMs;
  return said
    .reverse()
    .map(({ text, saidMs }) => {
      afterMs = saidMs ?? afterMs;
      return { stream, atMs: afterMs, text };
    })
    .reverse();
}

/** As a structured line says it, a metric's, or one of Lambda's own, which begins with it; in milliseconds. */
function timeIn(text: string): number | undefined {
  const [, first] = /^(\S+)\t/.exec(text) ?? [];
  if (isInstantText(first)) return Date.parse(first as string);
  if (!text.startsWith("{")) return undefined;
  try {
    const { timestamp, _aws } = JSON.parse(text) as { timestamp?: unknown; _aws?: { Timestamp?: unknown } | null };
    const atMs = typeof timestamp === "string" ? Date.parse(timestamp) : _aws?.Timestamp;
    // A handler may print any number.
    return typeof atMs === "number" && isInstant(atMs) ? atMs : undefined;
  } catch {
    return undefined;
  }
}

function viewOf({ stream, atMs, text }: TimedLine): LogLine {
  return { stream, at: instantText(atMs), text };
}
