const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const DAY_MS = 24 * 60 * MINUTE_MS;

/** The last day in whole minutes, and no more of it than the job is known for. */
export function usualRange(nowMs: number, firstSeen: string | undefined): { from: string; to: string } {
  const endMs = Math.floor(nowMs / MINUTE_MS) * MINUTE_MS;
  const fromMs = Math.max(endMs - DAY_MS, firstSeen === undefined ? 0 : Date.parse(firstSeen));
  return { from: isoText(fromMs), to: isoText(endMs > fromMs ? endMs : nowMs) };
}

/** An instant as a field shows it, in UTC. Occurrences are at whole seconds: rounded up, a range has the same of them. */
export function fieldText(iso: string): string {
  return isoText(Math.ceil(Date.parse(iso) / SECOND_MS) * SECOND_MS).slice(0, 19);
}

function isoText(ms: number): string {
  return new Date(ms).toISOString();
}
