import type { JobTimeline } from "../../api.ts";
import { offsetMsAt, parseOffset } from "../format/instant.ts";

/** From (inclusive) to (exclusive) a zone's clock shows UTC + offset. */
export interface Stretch {
  readonly fromMs: number;
  readonly toMs: number;
  readonly offsetMs: number;
}

/** A range of time, cut where the zone's clock is changed. */
export function stretchesOf(
  { fromMs, toMs }: { fromMs: number; toMs: number },
  timeZone: string,
  clockChanges: JobTimeline["clockChanges"],
): Stretch[] {
  const changes = clockChanges
    .map(({ at, after }) => ({ atMs: Date.parse(at), offsetMs: parseOffset(after) }))
    .filter(({ atMs }) => atMs > fromMs && atMs < toMs);
  const starts = [{ atMs: fromMs, offsetMs: offsetMsAt(fromMs, timeZone) }, ...changes];
  return starts.map(({ atMs, offsetMs }, index) => ({
    fromMs: atMs,
    toMs: starts[index + 1]?.atMs ?? toMs,
    offsetMs,
  }));
}
