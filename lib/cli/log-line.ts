import { furtherFields, isLoggedError, stackText } from "./error-stack.ts";
import { paint, printable } from "./output.ts";

/** What each line of a job's log carries besides its message: said already, or of use only where lines are searched. */
const COMMON_KEYS = [
  ...["level", "message", "timestamp", "service", "sampling_rate", "xray_trace_id"],
  ...["job", "runId", "requestId", "attempt", "status"],
];

const LEVEL_COLORS = new Map<unknown, (text: string) => string>([
  ["WARN", paint.yellow],
  ["ERROR", paint.red],
  ["CRITICAL", paint.red],
]);

/** A line of structured log as text, the stacks of its errors below it; any other line marked as such. Metrics are left out. */
export function logLine(line: string): string | undefined {
  const entry = parseLogEntry(line) ?? parseLambdaError(line);
  if (!entry) return `${paint.dim("|")} ${printable(line)}`;
  if ("_aws" in entry) return undefined;
  const message = printable(entry["message"]);
  const color = LEVEL_COLORS.get(entry["level"]) ?? ((text: string) => text);
  const fields = Object.entries(entry).filter(([key]) => !COMMON_KEYS.includes(key));
  const details = fields
    .map(([key, value]) => [key, isLoggedError(value) ? furtherFields(value) : value] as const)
    .filter(([key, value]) => value !== undefined && !isSaid(message, key, value))
    .map(([key, value]) => printable(`${key}=${detailText(value)}`));
  const stacks = fields.map(([, value]) => (isLoggedError(value) ? stackText(value) : ""));
  return `${`${color(message)} ${paint.dim(details.join(" "))}`.trim()}${stacks.join("")}`;
}

/** The fields of a line of structured log; undefined for any other. */
export function parseLogEntry(line: string): Record<string, unknown> | undefined {
  if (!line.startsWith("{")) return undefined;
  try {
    return JSON.parse(line) as Record<string, unknown>;
  } catch {
    return undefined;
  }
}

/** Lambda's own line about an invocation that failed, or code that did not load. */
function parseLambdaError(line: string): Record<string, unknown> | undefined {
  const [, what, error] = /^\S+Z\t[^\t]*\tERROR\t([^\t]+)\t(\{.*\})$/.exec(line) ?? [];
  if (what === undefined || error === undefined) return undefined;
  const fields = parseLogEntry(error);
  return isLoggedError(fields) ? { level: "ERROR", message: what.trim(), error: fields } : undefined;
}

function isSaid(message: string, key: string, value: unknown): boolean {
  if (typeof value === "number") return message.includes(`${key} ${value}`);
  return typeof value === "string" && message.includes(value);
}

function detailText(value: unknown): string {
  return typeof value === "number" ? String(Number(value.toFixed(3))) : printable(value);
}
