import {
  confirm,
  type Expectation,
  isPausedAt,
  type Judgement,
  judge,
  judgeIdle,
  leaveUndecided,
  outside,
  recordedTimes,
  type WatchedSchedule,
} from "../../run/index.ts";
import { own } from "../../schedule/index.ts";
import { type JobAsSeen, readPauses } from "../../store/index.ts";
import type { ManifestJob } from "../manifest.ts";
import type { Watchdog } from "./watchdog.ts";

/** An occurrence without a run. */
export interface Missed {
  /** The schedule's name. */
  readonly name: string;
  readonly timeMs: number;
}

/** Oldest first. */
export interface Verdict {
  readonly missed: readonly Missed[];
  /** What is newer, has no run either, and may still be on its way. */
  readonly undecided: readonly Missed[];
}

/** Which occurrences of a job were missed, and what to remember of its schedules. */
export async function judgeJob(
  watchdog: Watchdog,
  job: ManifestJob,
  expectations: readonly Expectation[],
  seen: JobAsSeen,
): Promise<Verdict & { readonly schedules: Record<string, WatchedSchedule> }> {
  const missed: Missed[] = [];
  const undecided: Missed[] = [];
  const schedules: Record<string, WatchedSchedule> = {};
  for (const expectation of expectations) {
    const { name } = expectation;
    const judgement = await confirmed(watchdog, job, expectation, judged(job, expectation, seen));
    missed.push(...judgement.missing.map((timeMs) => ({ name, timeMs })));
    undecided.push(...judgement.undecided.map((timeMs) => ({ name, timeMs })));
    schedules[name] = judgement.watched;
  }
  const oldestFirst = (one: Missed, other: Missed) => one.timeMs - other.timeMs;
  return { missed: missed.sort(oldestFirst), undecided: undecided.sort(oldestFirst), schedules };
}

function judged(job: ManifestJob, expectation: Expectation, { state, runs, nowMs }: JobAsSeen): Judgement {
  if (!job.enabled) return judgeIdle(expectation, nowMs);
  // What it starts would be skipped as paused: it is judged when the pause is over.
  if (job.catchUp !== "none" && isPausedAt(state, nowMs)) return leaveUndecided(expectation);
  return judge(expectation, recordedTimes(expectation.name, state, runs), state.paused);
}

/** The pauses are read, and EventBridge is asked, only where something is missing, which is hardly ever. */
async function confirmed(
  { audit, deployedSchedule, log, nowMs }: Watchdog,
  { job, scheduleNames }: ManifestJob,
  expectation: Expectation,
  found: Judgement,
): Promise<Judgement> {
  if (found.missing.length === 0) return found;
  const judgement = outside(await readPauses(audit, job), found);
  if (judgement.missing.length === 0) return judgement;
  const { name } = expectation;
  const answer = confirm(expectation, judgement, await deployedSchedule(own(scheduleNames, name) ?? name), nowMs());
  const { drift } = answer;
  if (drift)
    log.warn(`the schedule is ${drift} in EventBridge Scheduler: nothing is expected of it`, {
      job,
      schedule: name,
      drift,
    });
  return answer;
}
