import { shown } from "../schedule/index.ts";
import { OperationError } from "./errors.ts";

export { localTime } from "../schedule/index.ts";

const INSTANT =
  /^(?<date>\d{4}-\d{2}-\d{2})T(?<time>\d{2}:\d{2}(?::\d{2}(?:\.\d{1,3})?)?)(?:Z|[+-](?:0\d|1[0-4]):[0-5]\d)$/;

/**
 * Reads an instant: ISO 8601 with `Z` or an offset, such as `2026-03-28T00:00:00Z` or `2026-03-28T01:00+01:00`.
 * A text without either would mean another instant on every machine, and is refused.
 *
 * @param name What the text is, for the message: `from`.
 * @throws OperationError `INVALID_INPUT`
 */
export function parseInstant(name: string, text: string): number {
  const parts = INSTANT.exec(text)?.groups;
  // Date.parse turns 30 February into 2 March; the wall-clock part has to come back as it was.
  const wallClock = `${parts?.["date"]}T${parts?.["time"]}`;
  const wallClockMs = Date.parse(`${wallClock}Z`);
  if (!parts || Number.isNaN(wallClockMs) || !new Date(wallClockMs).toISOString().startsWith(wallClock)) {
    throw new OperationError(
      "INVALID_INPUT",
      `${name} ${shown(text)} is no instant: write ISO 8601 with Z or an offset, such as 2026-03-28T00:00:00Z or 2026-03-28T01:00:00+01:00`,
    );
  }
  return Date.parse(text);
}

/** `2026-03-28T01:30:00Z`; milliseconds only where there are some. */
export function instantText(ms: number): string {
  return new Date(ms).toISOString().replace(".000Z", "Z");
}
