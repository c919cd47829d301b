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

/** A line of structured log as text; any other line marked as such. Metrics are left out. */
export function logLine(line: string): string | undefined {
  const entry = parseLogEntry(line);
  if (!entry) return `${paint.dim("|")} ${printable(line)}`;
  if ("_aws" in entry) return undefined;
  const message = printable(entry["message"]);
  const color = LEVEL_COLORS.get(entry["level"]) ?? ((text: string) => text);
  const details = Object.entries(entry)
    .filter(([key, value]) => !COMMON_KEYS.includes(key) && !(typeof value === "string" && message.includes(value)))
    .map(([key, value]) => printable(`${key}=${detailText(value)}`));
  return `${color(message)} ${paint.dim(details.join(" "))}`.trim();
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

function detailText(value: unknown): string {
  return typeof value === "number" ? String(Number(value.toFixed(3))) : printable(value);
}
