/** What was told of the server's clock, and what bounds it. */
export interface Told {
  /** What it showed then (epoch ms). */
  readonly toldMs: number;
  /** How fast it ran: 60 is an hour a minute. */
  readonly pace: number;
  /** It may be faster than the machine's, and is told of each second. */
  readonly isWarped: boolean;
  /** The first occurrence that is known to come (epoch ms). */
  readonly nextMs: number;
}

/** So long a warped clock goes on without a word of it. */
export const UNTOLD_MS = 3_000;

/** What the clock shows so long (of the machine's time) after it was told. As the runner's, a fast one passes no occurrence. */
export function shownMs({ toldMs, pace, isWarped, nextMs }: Told, elapsedMs: number): number {
  const reachedMs = toldMs + (isWarped ? Math.min(elapsedMs, UNTOLD_MS) : elapsedMs) * pace;
  return pace > 1 ? Math.min(reachedMs, Math.max(toldMs, nextMs)) : reachedMs;
}
