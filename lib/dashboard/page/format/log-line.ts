import { parseVisibly } from "./visible-json.ts";

/** A line of a log, taken apart where it is one of the structured ones that `run.log` writes, or Lambda's runtime did. */
export interface LogParts {
  /** `INFO`, `ERROR`, …; absent for what was printed as plain text. */
  readonly level?: string | undefined;
  readonly at?: string | undefined;
  readonly message: string;
  /** What else the line says: `key value` pairs, and the error's stack. */
  readonly fields: readonly (readonly [name: string, value: string])[];
  readonly stack?: string | undefined;
}

/** The same for each line of a run, which its page says already. */
const KNOWN = /^(level|message|timestamp|service|job|runId|schedule|scheduledTime|attempt|fencingToken|sampling_rate)$/;
const CONTEXT =
  /^(function_(name|arn|memory_size|request_id)|cold_start|xray_trace_id|trace_id|fleet|trigger|requestId|error)$/;

/** What Lambda's runtime makes of a line that `console` prints, and of an error that a handler threw. */
const OF_RUNTIME = /^\d{4}-\d\d-\d\dT[\d:.]+Z\t[^\t]*\t([A-Z]+)\t(.*)$/s;

/** Undefined for metrics, which are printed for CloudWatch and not for people. */
export function logParts(text: string): LogParts | undefined {
  const line = parseObject(text);
  if (line && "_aws" in line) return undefined;
  if (typeof line?.["message"] !== "string") return partsOfRuntime(text) ?? { message: text, fields: [] };
  const fields = Object.entries(line).filter(([name]) => !KNOWN.test(name) && !CONTEXT.test(name));
  return {
    level: stringOf(line["level"]),
    at: stringOf(line["timestamp"]),
    message: line["message"],
    fields: fields.map(([name, value]) => [name, valueText(value)]),
    stack: stackOf(line["error"]),
  };
}

/** Its time is that of the machine, and no part of it: the line has one of its own. */
function partsOfRuntime(text: string): LogParts | undefined {
  const [, level, said = ""] = OF_RUNTIME.exec(text) ?? [];
  if (level === undefined) return undefined;
  const [, message = "", json = ""] = /^([^\t]*)\t(\{.*)$/s.exec(said) ?? [];
  const stack = parseObject(json)?.["stack"];
  if (!Array.isArray(stack)) return { level, message: said, fields: [] };
  return { level, message: message.trim(), fields: [], stack: stack.join("\n") };
}

function valueText(value: unknown): string {
  if (typeof value === "number") return String(Number(value.toFixed(3)));
  return typeof value === "string" ? value : (errorText(value) ?? JSON.stringify(value));
}

function stackOf(error: unknown): string | undefined {
  if (typeof error === "string") return error;
  if (typeof error !== "object" || error === null) return undefined;
  const { stack } = error as Record<string, unknown>;
  return stringOf(stack) ?? errorText(error) ?? JSON.stringify(error);
}

function errorText(error: unknown): string | undefined {
  if (typeof error !== "object" || error === null) return undefined;
  const { name, message } = error as Record<string, unknown>;
  return typeof message === "string" ? `${stringOf(name) ?? "Error"}: ${message}` : undefined;
}

function stringOf(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}

function parseObject(text: string): Record<string, unknown> | undefined {
  if (!text.startsWith("{")) return undefined;
  try {
    return parseVisibly(text) as Record<string, unknown>;
  } catch {
    return undefined;
  }
}
