import { existsSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { logFilesIn } from "../local/log-file.ts";
import { instantText } from "./instants.ts";
import type { LogLine, LogSource } from "./logs.ts";

interface TimedLine {
  readonly stream: string;
  readonly atMs: number | undefined;
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
        .flatMap((path) => timedLines(relative(folder, path).replace(/\.log$/, ""), readText(path)))
        .filter(({ atMs = sinceMs, text }) => atMs >= sinceMs && isAsked(text))
        .sort((one, other) => (one.atMs ?? 0) - (other.atMs ?? 0))
        .slice(-limit)
        .map(viewOf);
    },
  };
}

/** A runner at work removes its oldest logs, meanwhile too. */
function readText(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return "";
    throw error;
  }
}

/** A line that does not say its time has that of the one before it; the first ones that of the first that does. */
function timedLines(stream: string, content: string): TimedLine[] {
  const lines = content
    .split("\n")
    .filter((text) => text !== "")
    .map((text) => ({ text, saidMs: timeIn(text) }));
  let atMs = lines.find(({ saidMs }) => saidMs !== undefined)?.saidMs;
  return lines.map(({ text, saidMs }) => {
    atMs = saidMs ?? atMs;
    return { stream, atMs, text };
  });
}

/** As a structured line says it, or a metric's; in milliseconds. */
function timeIn(text: string): number | undefined {
  if (!text.startsWith("{")) return undefined;
  try {
    const { timestamp, _aws } = JSON.parse(text) as { timestamp?: unknown; _aws?: { Timestamp?: unknown } | null };
    const atMs = typeof timestamp === "string" ? Date.parse(timestamp) : _aws?.Timestamp;
    return typeof atMs === "number" && isInstant(atMs) ? atMs : undefined;
  } catch {
    return undefined;
  }
}

/** A handler may print any number. */
function isInstant(atMs: number): boolean {
  return !Number.isNaN(new Date(atMs).getTime());
}

function viewOf({ stream, atMs, text }: TimedLine): LogLine {
  return { stream, at: atMs === undefined ? undefined : instantText(atMs), text };
}
