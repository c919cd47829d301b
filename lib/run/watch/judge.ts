import { parseSchedule, type Schedule, type ScheduleSpec } from "../../schedule/index.ts";
import type { Pause } from "../state.ts";
import { dueUntilMs, expectedOccurrences, firstMark, type Mark, withoutRun } from "./expected.ts";

/** What the watchdog remembers of a schedule: how it was, and how far it has been judged. */
export interface WatchedSchedule extends Mark {
  readonly spec: ScheduleSpec;
}

/** What the watchdog knows of a job from the stack. */
export interface WatchedJob {
  readonly enabled: boolean;
  readonly schedules: Readonly<Record<string, ScheduleSpec>>;
  readonly maxLatenessMs: Readonly<Record<string, number>>;
}

/** The occurrences of one schedule that should have a run by now. */
export interface Expectation {
  readonly name: string;
  readonly schedule: Schedule;
  readonly watched: WatchedSchedule;
  readonly dueUntilMs: number;
  readonly expected: readonly number[];
}

/** What became of them. */
export interface Judgement {
  readonly missing: readonly number[];
  /** What to remember; the very object of before where there is nothing new. */
  readonly watched: WatchedSchedule;
}

/** A schedule as EventBridge Scheduler has it. */
export interface DeployedSchedule {
  readonly spec: ScheduleSpec;
  readonly enabled: boolean;
  /** When anybody last changed it, by a deployment or in the console. */
  readonly modifiedMs: number;
}

/** Why missing occurrences are none of EventBridge's or the job's doing. */
export type Drift = "deleted" | "disabled" | "changed";

/** What is expected of a schedule. One that is new, or not as it was remembered, is expected to do something from now on. */
export function expectationOf(
  name: string,
  spec: ScheduleSpec,
  maxLatenessMs: number,
  remembered: WatchedSchedule | undefined,
  nowMs: number,
): Expectation {
  const schedule = parseSchedule(spec);
  const isAsRemembered = remembered !== undefined && isSame(remembered.spec, spec);
  const watched = isAsRemembered ? remembered : { spec, ...firstMark(schedule, nowMs) };
  const dueMs = dueUntilMs(schedule, maxLatenessMs, nowMs);
  return { name, schedule, watched, dueUntilMs: dueMs, expected: expectedOccurrences(schedule, watched, dueMs) };
}

/**
 * Compares what is expected with the times of the schedule's runs, ascending.
 *
 * @param pause one that has run out, if there is any
 */
export function judge(
  { schedule, watched, dueUntilMs: dueMs, expected }: Expectation,
  recorded: readonly number[],
  pause: Pause | undefined,
): Judgement {
  if (expected.length === 0) return { missing: [], watched };
  const missing = withoutRun(schedule, watched, expected, recorded).filter((timeMs) => !isWithin(pause, timeMs));
  const anchorMs = recorded.findLast((timeMs) => timeMs <= dueMs) ?? watched.anchorMs;
  return { missing, watched: { ...watched, untilMs: dueMs, anchorMs: Math.max(anchorMs, watched.anchorMs) } };
}

/** Nothing is expected of a schedule that is switched off, or whose job is paused; what fell due meanwhile never will be. */
export function judgeIdle({ schedule, watched }: Expectation, nowMs: number): Judgement {
  const fellDue = expectedOccurrences(schedule, watched, nowMs).length > 0;
  return { missing: [], watched: fellDue ? { ...watched, ...firstMark(schedule, nowMs) } : watched };
}

/**
 * Asks, before anything is called missing, what EventBridge really had to deliver: nothing while the schedule was deleted,
 * disabled or another one, and nobody knows what before it was last changed.
 */
export function confirm(
  { schedule, watched: { spec } }: Expectation,
  { missing, watched }: Judgement,
  deployed: DeployedSchedule | undefined,
  nowMs: number,
): Judgement & { readonly drift?: Drift } {
  const drift = driftOf(spec, deployed);
  if (drift) return { missing: [], watched: { spec, ...firstMark(schedule, nowMs) }, drift };
  return { missing: missing.filter((timeMs) => timeMs > (deployed?.modifiedMs ?? 0)), watched };
}

/** How EventBridge's schedule differs from the stack's; `undefined` where it does not. */
export function driftOf(spec: ScheduleSpec, deployed: DeployedSchedule | undefined): Drift | undefined {
  if (!deployed) return "deleted";
  if (!deployed.enabled) return "disabled";
  return isSame(deployed.spec, spec) ? undefined : "changed";
}

function isWithin(pause: Pause | undefined, timeMs: number): boolean {
  return pause !== undefined && timeMs >= pause.atMs && timeMs < (pause.untilMs ?? Number.POSITIVE_INFINITY);
}

export function isSame(one: ScheduleSpec, other: ScheduleSpec): boolean {
  return (
    one.expression === other.expression &&
    one.timeZone === other.timeZone &&
    instant(one.start) === instant(other.start) &&
    instant(one.end) === instant(other.end) &&
    one.flexibleWindowMinutes === other.flexibleWindowMinutes
  );
}

function instant(text: string | undefined): number | undefined {
  return text === undefined ? undefined : Date.parse(text);
}
