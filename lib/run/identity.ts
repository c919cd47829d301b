/**
 * A run's id is its identity: equal for every delivery and attempt of one occurrence, and sorted by time.
 * `<time>#<schedule>` · `<time>#manual#<id>` · `manual#<id>` (a request that carries no time).
 */
export type RunIdentity =
  | { readonly kind: "scheduled"; readonly scheduledTimeMs: number; readonly schedule: string }
  | { readonly kind: "manual"; readonly id: string; readonly requestedMs: number | undefined };

const MAX_PART_LENGTH = 256;
/** Enough for every ASCII name; a sort key, of at most 1024 bytes, has to hold it. */
const MAX_ENCODED_LENGTH = 768;
export const PART_RULE = `1 to ${MAX_PART_LENGTH} characters, at most ${MAX_ENCODED_LENGTH} when percent-encoded`;

/** The run id of a schedule's occurrence. Sorting these as text sorts them by time. */
export function scheduledRunId(scheduledTimeMs: number, schedule: string): string {
  return `${timeText(scheduledTimeMs)}#${encodePart(schedule)}`;
}

/** The run id of a run outside the schedules; `id` is unique for the request and the same each time it is delivered. */
export function manualRunId(id: string, requestedMs?: number): string {
  const manual = `manual#${encodePart(id)}`;
  return requestedMs === undefined ? manual : `${timeText(requestedMs)}#${manual}`;
}

/** Takes a run id apart; undefined when it is none. */
export function parseRunId(runId: string): RunIdentity | undefined {
  const [, time, manual, name] = /^(?:(?!manual#)([^#]+)#)?(manual#)?([^#]+)$/.exec(runId) ?? [];
  const timeMs = time === undefined ? undefined : Date.parse(time);
  const value = name === undefined ? undefined : decodePart(name);
  if (value === undefined || !isPart(value)) return undefined;
  if (timeMs !== undefined && (Number.isNaN(timeMs) || timeText(timeMs) !== time)) return undefined;
  if (manual) return { kind: "manual", id: value, requestedMs: timeMs };
  return timeMs === undefined ? undefined : { kind: "scheduled", scheduledTimeMs: timeMs, schedule: value };
}

/** The instant a run id carries: the scheduled time, or when a manual run was asked for. */
export function runTimeMs(runId: string): number | undefined {
  const identity = parseRunId(runId);
  return identity?.kind === "scheduled" ? identity.scheduledTimeMs : identity?.requestedMs;
}

/**
 * Makes a value from outside safe inside a key: `#`, the separator, never survives.
 * @throws RangeError for a value that `isPart` refuses
 */
export function encodePart(value: string): string {
  if (isPart(value)) return percentEncoded(value);
  throw new RangeError(`A name or id has ${PART_RULE}; this one has ${value.length}.`);
}

/** Whether a value from outside fits a key. */
export function isPart(value: string): boolean {
  const fits = value.length >= 1 && value.length <= MAX_PART_LENGTH;
  return fits && percentEncoded(value).length <= MAX_ENCODED_LENGTH;
}

/** A lone surrogate, which JSON can carry, has no encoding. */
function percentEncoded(value: string): string {
  return encodeURIComponent(value.replace(/\p{Surrogate}/gu, "\uFFFD"));
}

function decodePart(part: string): string | undefined {
  try {
    return decodeURIComponent(part);
  } catch {
    return undefined;
  }
}

/** ISO with milliseconds: a fixed width, so that text order is time order. */
function timeText(timeMs: number): string {
  return new Date(timeMs).toISOString();
}
