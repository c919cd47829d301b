import { type LogParts, logParts } from "../format/log-line.ts";

/** A line of a log as it was read or heard. */
export interface RawLine {
  readonly at?: string | undefined;
  readonly text: string;
}

/** A page with more than that is of no use to anybody, and slow. */
export const MOST_LINES = 2_000;

/**
 * What the log said when it was read, and the lines heard since the question was sent; those that are in both once, all
 * of them in the order of time. A line without a time stays behind the one before it.
 */
export function mergeLog(read: readonly RawLine[], heard: readonly RawLine[]): LogParts[] {
  const known = new Map<string, number>();
  for (const { text } of read) known.set(text, (known.get(text) ?? 0) + 1);
  const added = heard.filter(({ text }) => {
    const count = known.get(text) ?? 0;
    known.set(text, count - 1);
    return count <= 0;
  });
  let latest = "";
  const timed = [...read, ...added].flatMap(({ at, text }) => {
    const parts = logParts(text);
    if (!parts) return [];
    const time = parts.at ?? at;
    latest = time ?? latest;
    return [{ key: latest, parts: { ...parts, at: time } }];
  });
  timed.sort((one, other) => (one.key < other.key ? -1 : Number(one.key > other.key)));
  return timed.map(({ parts }) => parts).slice(-MOST_LINES);
}
