/**
 * A run's id is its identity: equal for every delivery and attempt of one occurrence, and sorted by time.
 * `<time>#<schedule>` · `<time>#manual#<id>` · `manual#<id>` (a request that carries no time).
 */
export type RunIdentity =
  | { readonly kind: "scheduled"; readonly scheduledTimeMs: number; readonly schedule: string }
  | { readonly kind: "manual"; readonly id: string; readonly requestedMs: number | undefined };

const MAX_PART_LENGTH = 256;

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
  if (value === undefined || (timeMs !== undefined && (Number.isNaN(timeMs) || timeText(timeMs) !== time)))
    return undefined;
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
 * @throws RangeError for an empty value or one above 256 characters.
 */
export function encodePart(value: string): string {
  if (value.length === 0 || value.length > MAX_PART_LENGTH) {
    throw new RangeError(`A name or id has 1 to ${MAX_PART_LENGTH} characters; this one has ${value.length}.`);
  }
  // A lone surrogate, which JSON can carry, has no encoding.
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
