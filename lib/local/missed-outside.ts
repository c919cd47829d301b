import type { Pause } from "../run/index.ts";
import { nextOccurrence, occurrencesBetween, previousOccurrence, type Schedule } from "../schedule/index.ts";

/** They are counted up to here. */
const MAX_MISSED = 10_000;

/** Both ends inclusive. */
interface Range {
  readonly fromMs: number;
  readonly untilMs: number;
}

/** How many occurrences of a range did not fall due in the pause, with the first and the last; undefined for none. */
export function missedOutside(paused: Pick<Pause, "atMs" | "untilMs"> | undefined, schedule: Schedule, range: Range) {
  const spans = rangesOutside(paused, range).flatMap((outside) => spanOf(schedule, outside));
  const first = spans[0];
  const last = spans.at(-1);
  if (!first || !last) return undefined;
  const count = spans.reduce((sum, span) => sum + span.count, 0);
  return { count: Math.min(count, MAX_MISSED), firstMs: first.firstMs, lastMs: last.lastMs };
}

function rangesOutside(paused: Pick<Pause, "atMs" | "untilMs"> | undefined, { fromMs, untilMs }: Range): Range[] {
  if (!paused) return [{ fromMs, untilMs }];
  const before = { fromMs, untilMs: Math.min(untilMs, paused.atMs - 1) };
  return paused.untilMs === undefined ? [before] : [before, { fromMs: Math.max(fromMs, paused.untilMs), untilMs }];
}

function spanOf(schedule: Schedule, { fromMs, untilMs }: Range) {
  const firstMs = nextOccurrence(schedule, fromMs - 1);
  const lastMs = previousOccurrence(schedule, untilMs + 1);
  if (firstMs === undefined || lastMs === undefined || firstMs > lastMs) return [];
  let count = 0;
  for (const _ of occurrencesBetween(schedule, firstMs, lastMs + 1)) {
    count += 1;
    if (count === MAX_MISSED) break;
  }
  return [{ count, firstMs, lastMs }];
}
