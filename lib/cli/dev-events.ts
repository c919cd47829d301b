import type { RunnerEvent } from "../local/index.ts";
import { paint } from "./output.ts";
import { durationText, timeText } from "./times.ts";

/** What a runner event looks like on its one line; nothing for those that say no more than their neighbours. */
export function eventLine(event: RunnerEvent, jobOf: (functionName: string) => string): string | undefined {
  switch (event.kind) {
    case "progress":
      return paint.dim(event.message);
    case "warning":
      return `${paint.yellow("warning:")} ${event.message}`;
    case "missed": {
      const { job, count, firstMs, lastMs, schedule } = event;
      const range = `${instant(firstMs)} to ${instant(lastMs)}`;
      return `${paint.bold(job)} ${paint.yellow(`missed ${count}`)} of schedule ${schedule} while no runner ran, ${range}; they are not run`;
    }
    case "delivered":
      return undefined;
    case "started":
      return `${paint.bold(jobOf(event.functionName))} ${paint.cyan("started")}${event.attempt > 1 ? `, delivered the ${event.attempt}. time` : ""}`;
    case "finished": {
      if (!event.error) return undefined;
      const { errorType, errorMessage } = event.error;
      return `${paint.bold(jobOf(event.functionName))} ${paint.red("failed")} after ${durationText(event.durationMs)}: ${errorType}: ${errorMessage}`;
    }
    case "again":
      return `${paint.bold(jobOf(event.functionName))} ${paint.yellow("comes again")} at ${instant(event.dueAtMs)} (${event.why})`;
    case "dead-lettered":
      return `${paint.bold(jobOf(event.functionName))} ${paint.red("is a dead letter now")}: ${event.error.errorType}: ${event.error.errorMessage}`;
    case "log":
      return logLine(event.line, jobOf(event.functionName));
  }
}

/** What each line of a job's log carries besides its message; the command line says it in other ways or not at all. */
const COMMON_KEYS = ["level", "message", "timestamp", "service", "job", "runId", "requestId", "attempt", "status"];
const LEVEL_COLORS: Record<string, (text: string) => string> = {
  WARN: paint.yellow,
  ERROR: paint.red,
  CRITICAL: paint.red,
};

/** A line of structured log as text; any other line as it is. Metrics are left out. */
function logLine(line: string, job: string): string | undefined {
  const entry = parseObject(line);
  if (!entry) return `${paint.bold(job)} ${paint.dim("|")} ${line}`;
  if ("_aws" in entry) return undefined;
  const color = LEVEL_COLORS[String(entry["level"])] ?? ((text: string) => text);
  const details = Object.entries(entry)
    .filter(([key]) => !COMMON_KEYS.includes(key))
    .map(([key, value]) => `${key}=${typeof value === "string" ? value : JSON.stringify(value)}`);
  return `${paint.bold(job)} ${color(String(entry["message"]))} ${paint.dim(details.join(" "))}`.trimEnd();
}

function parseObject(line: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}

function instant(ms: number): string {
  return timeText(new Date(ms).toISOString());
}
