import { type LogParts, logParts } from "../format/log-line.ts";

/** A line of a log as it was read or heard. */
export interface RawLine {
  readonly at?: string | undefined;
  readonly text: string;
}

/** A page with more than that is of no use to anybody, and slow. */
export const MOST_LINES = 2_000;

// A page with a lively log merges it again and again: each line is taken apart once.
const known = new WeakMap<RawLine, LogParts | "none">();

function partsOf(line: RawLine): LogParts | "none" {
  const found = known.get(line);
  if (found !== undefined) return found;
  const parts = logParts(line.text);
  const kept = parts ? { ...parts, at: parts.at ?? line.at } : "none";
  known.set(line, kept);
  return kept;
}

/**
 * What the log said when it was read, and the lines heard since the question was sent; those that are in both once, all
 * of them in the order of time. A line without a time stays behind the one before it.
 */
export function mergeLog(read: readonly RawLine[], heard: readonly RawLine[]): LogParts[] {
  const counts = new Map<string, number>();
  for (const { text } of read) counts.set(text, (counts.get(text) ?? 0) + 1);
  const added = heard.filter(({ text }) => {
    const count = counts.get(text) ?? 0;
    counts.set(text, count - 1);
    return count <= 0;
  });
  let latest = "";
  const timed = [...read, ...added].flatMap((line) => {
    const parts = partsOf(line);
    if (parts === "none") return [];
    latest = parts.at ?? latest;
    return [{ key: latest, parts }];
  });
  timed.sort((one, other) => (one.key < other.key ? -1 : Number(one.key > other.key)));
  return timed.map(({ parts }) => parts).slice(-MOST_LINES);
}
