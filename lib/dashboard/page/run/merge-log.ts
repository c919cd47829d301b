/** One line of a run's log as the page shows it. */
export interface ShownLine {
  readonly at?: string | undefined;
  readonly text: string;
}

/** A page with more than that is of no use to anybody, and slow. */
export const MOST_LINES = 2_000;

/**
 * What the log said when it was read, and the lines heard since the question was sent; those that are in both, once.
 */
export function mergeLog(read: readonly ShownLine[], heard: readonly ShownLine[]): ShownLine[] {
  const known = new Map<string, number>();
  for (const { text } of read) known.set(text, (known.get(text) ?? 0) + 1);
  const added = heard.filter(({ text }) => {
    const count = known.get(text) ?? 0;
    known.set(text, count - 1);
    return count <= 0;
  });
  return [...read, ...added].slice(-MOST_LINES);
}
