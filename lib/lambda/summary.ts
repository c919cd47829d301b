import { createHash } from "node:crypto";
import { type RunError, type Summary, truncateUtf8 } from "../run/index.ts";

const MAX_KEPT_BYTES = 4_096;
const MAX_MESSAGE_BYTES = 2_000;
const MAX_NAME_BYTES = 200;

/**
 * What a run's record keeps of an input or a result: its size and hash, and its content where `keep` says so and it fits 4 KB.
 * Absent for `undefined` and for what is no JSON (a circle, a BigInt). Never throws.
 */
export function summarise(value: unknown, keep: boolean, redact: (value: unknown) => unknown): Summary | undefined {
  const json = toJson(value);
  if (json === undefined) return undefined;
  const summary = { bytes: Buffer.byteLength(json), hash: createHash("sha256").update(json).digest("hex") };
  // `redact` gets a copy, which it may edit in place.
  const kept = keep ? unlessItThrows(() => jsonWithin(MAX_KEPT_BYTES, atOnce(redact(JSON.parse(json))))) : undefined;
  return kept === undefined ? summary : { ...summary, json: kept };
}

/** What a run's record and its log keep of whatever was thrown: bounded, redacted. Never throws. */
export function summariseError(thrown: unknown, redact: (value: unknown) => unknown): RunError {
  return unlessItThrows(() => describe(thrown, redact)) ?? { name: "Error", message: "(it could not be described)" };
}

/** The value as JSON; undefined where it is none, or takes more than so many bytes. */
export function jsonWithin(maxBytes: number, value: unknown): string | undefined {
  const json = toJson(value);
  return json !== undefined && Buffer.byteLength(json) <= maxBytes ? json : undefined;
}

/** Whether Lambda can answer with this value. */
export function isJson(value: unknown): boolean {
  return value === undefined || toJson(value) !== undefined;
}

function describe(thrown: unknown, redact: (value: unknown) => unknown): RunError {
  const isError = thrown instanceof Error;
  const message = isError ? thrown.message : typeof thrown === "string" ? thrown : (toJson(thrown) ?? String(thrown));
  return {
    name: truncateUtf8(isError ? String(thrown.name) : `Thrown ${typeof thrown}`, MAX_NAME_BYTES),
    message: truncateUtf8(String(atOnce(redact(message))), MAX_MESSAGE_BYTES),
  };
}

/** The value as JSON text; absent for `undefined` and for what is no JSON. Never throws. */
export function toJson(value: unknown): string | undefined {
  return unlessItThrows(() => JSON.stringify(value));
}

/** What is promised is not there yet; that it may be refused later must not end the process. */
function atOnce(redacted: unknown): unknown {
  if (typeof (redacted as { then?: unknown } | null | undefined)?.then !== "function") return redacted;
  if (redacted instanceof Promise) redacted.catch(() => {});
  throw new TypeError("redact returned a promise");
}

/** The values here come from user code, whose getters, `toJSON` and `redact` may throw. */
function unlessItThrows<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}
