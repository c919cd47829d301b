import { occurrencesBetween, type Schedule } from "../../schedule/index.ts";

/** However long nobody looked, the watchdog judges no occurrence older than this. */
export const LOOK_BACK_MS = 24 * 60 * 60_000;

/** EventBridge Scheduler calls its target within the minute that an occurrence names. */
const PRECISION_MS = 60_000;
/** EventBridge Scheduler's bounds of how long it tries to deliver one occurrence. */
const DELIVERY_MS = { atLeast: 60_000, atMost: 24 * 60 * 60_000 };

/** How far a schedule has been judged. */
export interface Mark {
  /** Every occurrence up to this one has been judged, or shall not be. */
  readonly untilMs: number;
  /** What a rate counts from: its newest known run, or when it was first seen. */
  readonly anchorMs: number;
}

/** The mark of a schedule that is seen for the first time: nothing is expected of it before now. */
export function firstMark(schedule: Schedule, nowMs: number): Mark {
  if (schedule.kind !== "rate" || schedule.startMs === undefined) return { untilMs: nowMs, anchorMs: nowMs };
  const { startMs, rate } = schedule;
  return { untilMs: nowMs, anchorMs: startMs + Math.floor((nowMs - startMs) / rate.periodMs) * rate.periodMs };
}

/**
 * Up to when an occurrence that has no run is missing, and not on its way: its window, and then as long as Scheduler tries,
 * have to be over. Where a rate stands is known to a period only, so it is given one more.
 */
export function dueUntilMs(schedule: Schedule, maxLatenessMs: number, nowMs: number): number {
  const windowMs = (schedule.flexibleWindowMinutes ?? 0) * 60_000;
  const deliveryMs = Math.min(Math.max(maxLatenessMs, DELIVERY_MS.atLeast), DELIVERY_MS.atMost);
  const toleranceMs = schedule.kind === "rate" ? schedule.rate.periodMs : 0;
  return nowMs - windowMs - deliveryMs - PRECISION_MS - toleranceMs;
}

/** Up to when an occurrence that came in time has a run by now: its window and the minute that it names, and a minute to start. */
export function punctualUntilMs(schedule: Schedule, nowMs: number): number {
  return nowMs - (schedule.flexibleWindowMinutes ?? 0) * 60_000 - 2 * PRECISION_MS;
}

/** The occurrences after the mark and up to an instant, oldest first; those of a rate as far as its mark tells. */
export function expectedOccurrences(
  schedule: Schedule,
  mark: Mark,
  untilMs: number,
  lookBackMs = LOOK_BACK_MS,
): number[] {
  const fromMs = Math.max(mark.untilMs, untilMs - lookBackMs) + 1;
  if (schedule.kind === "rate") return rateSteps(schedule, mark.anchorMs, fromMs, untilMs + 1);
  return [...occurrencesBetween(schedule, fromMs, untilMs + 1)];
}

/**
 * Which of the expected occurrences have no run.
 *
 * @param recorded the times of the schedule's runs from the first expected occurrence on, ascending
 */
export function withoutRun(
  schedule: Schedule,
  mark: Mark,
  expected: readonly number[],
  recorded: readonly number[],
): number[] {
  if (schedule.kind === "rate") return withoutRunOfRate(schedule, mark, expected, recorded);
  const reachMs = (schedule.flexibleWindowMinutes ?? 0) * 60_000 + PRECISION_MS;
  const left = [...recorded];
  const nextRunMs = () => left[0] ?? Number.POSITIVE_INFINITY;
  // Each takes the first run at its time or, should AWS name the time of delivery, within its window.
  return expected.filter((timeMs) => {
    while (nextRunMs() < timeMs) left.shift();
    if (nextRunMs() >= timeMs + reachMs) return true;
    left.shift();
    return false;
  });
}

type RateSchedule = Schedule & { kind: "rate" };

/** A rate counts on from each run; a step that is at most half a period before the next run is that run. */
function withoutRunOfRate(
  schedule: RateSchedule,
  { anchorMs }: Mark,
  expected: readonly number[],
  recorded: readonly number[],
): number[] {
  // Where nothing is expected, no step is between these.
  const firstMs = expected[0] ?? Number.POSITIVE_INFINITY;
  const lastMs = expected.at(-1) ?? Number.NEGATIVE_INFINITY;
  const points = [anchorMs, ...recorded.filter((timeMs) => timeMs > anchorMs)];
  return points.flatMap((pointMs, index) => {
    const nextMs = points[index + 1] ?? Number.POSITIVE_INFINITY;
    const toMs = Math.min(nextMs - schedule.rate.periodMs / 2, lastMs + 1);
    return rateSteps(schedule, pointMs, firstMs, toMs);
  });
}

/** The steps after a point, from one instant (inclusive) to another (exclusive), within the schedule's limits. */
function rateSteps(
  { rate: { periodMs }, startMs = 0, endMs = Number.POSITIVE_INFINITY }: RateSchedule,
  pointMs: number,
  fromMs: number,
  toMs: number,
): number[] {
  const steps: number[] = [];
  const first = Math.max(1, Math.ceil((Math.max(fromMs, startMs) - pointMs) / periodMs));
  for (let timeMs = pointMs + first * periodMs; timeMs < toMs && timeMs <= endMs; timeMs += periodMs) {
    steps.push(timeMs);
  }
  return steps;
}
