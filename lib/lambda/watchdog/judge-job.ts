import {
  confirm,
  type Expectation,
  isPausedAt,
  type Judgement,
  judge,
  judgeIdle,
  recordedTimes,
  type WatchedSchedule,
} from "../../run/index.ts";
import { own } from "../../schedule/index.ts";
import type { JobAsSeen } from "../../store/index.ts";
import type { ManifestJob } from "../manifest.ts";
import type { Watchdog } from "./watchdog.ts";

/** An occurrence without a run. */
export interface Missed {
  /** The schedule's name. */
  readonly name: string;
  readonly timeMs: number;
}

/** Which occurrences of a job were missed, oldest first, and what to remember of its schedules. */
export async function judgeJob(
  watchdog: Watchdog,
  job: ManifestJob,
  expectations: readonly Expectation[],
  seen: JobAsSeen,
): Promise<{ missed: Missed[]; schedules: Record<string, WatchedSchedule> }> {
  const missed: Missed[] = [];
  const schedules: Record<string, WatchedSchedule> = {};
  for (const expectation of expectations) {
    const { name } = expectation;
    const judgement = await confirmed(watchdog, job, expectation, judged(job, expectation, seen));
    missed.push(...judgement.missing.map((timeMs) => ({ name, timeMs })));
    schedules[name] = judgement.watched;
  }
  return { missed: missed.sort((one, other) => one.timeMs - other.timeMs), schedules };
}

function judged(job: ManifestJob, expectation: Expectation, { state, runs, nowMs }: JobAsSeen): Judgement {
  if (!job.enabled || isPausedAt(state, nowMs)) return judgeIdle(expectation, nowMs);
  return judge(expectation, recordedTimes(expectation.name, state, runs), state.paused);
}

/** EventBridge is asked only where something is missing, which is hardly ever. */
async function confirmed(
  { deployedSchedule, log, nowMs }: Watchdog,
  { job, scheduleNames }: ManifestJob,
  expectation: Expectation,
  judgement: Judgement,
): Promise<Judgement> {
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
