import type { AuditEntry } from "../audit.ts";

/** From its beginning, inclusive, to its end, exclusive. */
export interface Span {
  readonly fromMs: number;
  readonly toMs: number;
}

/** A job's pauses, as its operators made and ended them. @param entries newest first */
export function pausesOf(entries: readonly AuditEntry[]): Span[] {
  const oldestFirst = [...entries].reverse();
  return oldestFirst.flatMap(({ action, atMs, untilMs = Number.POSITIVE_INFINITY }, index) => {
    if (action !== "pause") return [];
    const resumed = oldestFirst.slice(index + 1).find((later) => later.action === "resume");
    return { fromMs: atMs, toMs: Math.min(resumed?.atMs ?? Number.POSITIVE_INFINITY, untilMs) };
  });
}

export function isIn(spans: readonly Span[], timeMs: number): boolean {
  return spans.some(({ fromMs, toMs }) => fromMs <= timeMs && timeMs < toMs);
}
