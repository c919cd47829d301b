import type { RunError } from "./delivery.ts";

const MAX_NAME_BYTES = 200;
const MAX_MESSAGE_BYTES = 2_000;

/** An error as it is kept: short enough that eleven attempts fit a record many times over. */
export function boundError({ name, message }: RunError): RunError {
  return { name: truncateUtf8(name, MAX_NAME_BYTES), message: truncateUtf8(message, MAX_MESSAGE_BYTES) };
}

/**
 * The longest beginning of a text that takes at most so many bytes in UTF-8, with "…" where it was cut. Half of a surrogate
 * pair, which UTF-8 cannot say, becomes U+FFFD.
 */
export function truncateUtf8(given: string, maxBytes: number): string {
  const text = given.toWellFormed();
  let bytes = 0;
  let end = 0;
  let cut = 0;
  for (const character of text) {
    bytes += utf8Bytes(character);
    if (bytes > maxBytes) return `${text.slice(0, cut)}…`;
    end += character.length;
    if (bytes <= maxBytes - utf8Bytes("…")) cut = end;
  }
  return text;
}

function utf8Bytes(character: string): number {
  const codePoint = character.codePointAt(0) ?? 0;
  if (codePoint < 0x80) return 1;
  if (codePoint < 0x800) return 2;
  return codePoint < 0x10000 ? 3 : 4;
}
