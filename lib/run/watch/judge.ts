import { parseSchedule, type Schedule, type ScheduleSpec } from "../../schedule/index.ts";
import type { Pause } from "../state.ts";
import { dueUntilMs, expectedOccurrences, firstMark, type Mark, punctualUntilMs, withoutRun } from "./expected.ts";
import { isIn, type Span } from "./pauses.ts";

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

/** When the watchdog looks. */
export interface Look {
  readonly nowMs: number;
  /** Nothing that fell due until then is on its way: it is known that nobody delivered. 0 where that is not known. */
  readonly awayUntilMs: number;
}

/** The occurrences of one schedule that should have a run by now. */
export interface Expectation {
  readonly name: string;
  readonly schedule: Schedule;
  readonly watched: WatchedSchedule;
  /** What fell due until then is not on its way any more, by all that AWS says. */
  readonly dueUntilMs: number;
  /** So far it is judged: beyond that, where it is known that nobody delivered. */
  readonly judgedUntilMs: number;
  readonly expected: readonly number[];
  /** Those that fell due since, and may still be on their way; not those of the last moments, which mostly are. */
  readonly since: readonly number[];
}

/** What became of them. */
export interface Judgement {
  readonly missing: readonly number[];
  /** What is newer, has no run either, and may still be on its way. */
  readonly undecided: readonly number[];
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
  { nowMs, awayUntilMs }: Look,
): Expectation {
  const schedule = parseSchedule(spec);
  const isAsRemembered = remembered !== undefined && isSame(remembered.spec, spec);
  const watched = isAsRemembered ? remembered : { spec, ...firstMark(schedule, nowMs) };
  const dueMs = dueUntilMs(schedule, maxLatenessMs, nowMs);
  const judgedUntilMs = Math.max(dueMs, Math.min(awayUntilMs, nowMs));
  const expected = expectedOccurrences(schedule, watched, judgedUntilMs);
  const since = expectedOccurrences(schedule, { ...watched, untilMs: judgedUntilMs }, punctualUntilMs(schedule, nowMs));
  return { name, schedule, watched, dueUntilMs: dueMs, judgedUntilMs, expected, since };
}

/**
 * Compares what is expected with the times of the schedule's runs, ascending.
 *
 * @param pause the newest, also one that has run out
 */
export function judge(
  { schedule, watched, judgedUntilMs: untilMs, expected, since }: Expectation,
  recorded: readonly number[],
  pause: Pause | undefined,
): Judgement {
  if (expected.length === 0) return { missing: [], undecided: [], watched };
  const all = withoutRun(schedule, watched, [...expected, ...since], recorded);
  const without = all.filter((timeMs) => !isWithin(pause, timeMs));
  const missing = without.filter((timeMs) => timeMs <= untilMs);
  const undecided = without.filter((timeMs) => timeMs > untilMs);
  const anchorMs = recorded.findLast((timeMs) => timeMs <= untilMs) ?? watched.anchorMs;
  return {
    missing,
    undecided,
    watched: { ...watched, untilMs, anchorMs: Math.max(anchorMs, watched.anchorMs) },
  };
}

/** Leaves all that fell due to a later look. */
export function leaveUndecided({ watched }: Expectation): Judgement {
  return { missing: [], undecided: [], watched };
}

/** Nothing is expected of a schedule that is switched off; what fell due meanwhile never will be. */
export function judgeIdle({ schedule, watched }: Expectation, nowMs: number): Judgement {
  const fellDue = expectedOccurrences(schedule, watched, nowMs).length > 0;
  return { missing: [], undecided: [], watched: fellDue ? { ...watched, ...firstMark(schedule, nowMs) } : watched };
}

/** Without what fell due in a pause, also one that has ended. */
export function outside(pauses: readonly Span[], { missing, undecided, watched }: Judgement): Judgement {
  const isOutside = (timeMs: number) => !isIn(pauses, timeMs);
  return { missing: missing.filter(isOutside), undecided: undecided.filter(isOutside), watched };
}

/**
 * Asks, before anything is called missing, what EventBridge really had to deliver: nothing while the schedule was deleted,
 * disabled or another one, and nobody knows what before it was last changed.
 */
export function confirm(
  { schedule, watched: { spec } }: Expectation,
  { missing, undecided, watched }: Judgement,
  deployed: DeployedSchedule | undefined,
  nowMs: number,
): Judgement & { readonly drift?: Drift } {
  const drift = driftOf(spec, deployed);
  if (drift) return { missing: [], undecided: [], watched: { spec, ...firstMark(schedule, nowMs) }, drift };
  return { missing: missing.filter((timeMs) => timeMs > (deployed?.modifiedMs ?? 0)), undecided, watched };
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
