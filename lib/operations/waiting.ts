import { type JobState, parseRunId, type QueueEntry } from "../run/index.ts";
import type { ListedJob } from "../store/index.ts";
import { instantText } from "./instants.ts";
import type { RunView, WaitingView } from "./run-types.ts";
import { optionalInstant, requestedAt, zoneOf } from "./views.ts";

/** Those who wait for the job's lock, in the order in which it is their turn. */
export function waitingViews({ queue = [], lease }: Pick<JobState, "queue" | "lease">): WaitingView[] {
  return queue.map(({ runId, queuedMs }, at) => ({
    runId,
    position: at + 1,
    since: instantText(queuedMs),
    behind: queue[at - 1]?.runId ?? lease?.runId,
  }));
}

/** A run that has no record yet. */
export function waitingRunView(
  { runId, trigger, requestId, workTimeMs, workSchedule, deliveredMs }: QueueEntry,
  job: ListedJob,
): RunView {
  const identity = parseRunId(runId);
  const schedule = identity?.kind === "scheduled" ? identity.schedule : undefined;
  return {
    job: job.job,
    runId,
    status: "WAITING",
    schedule,
    scheduledTime: identity?.kind === "scheduled" ? instantText(identity.scheduledTimeMs) : undefined,
    requestedAt: requestedAt(runId),
    workTime: optionalInstant(workTimeMs),
    workSchedule,
    timeZone: zoneOf(job, schedule ?? workSchedule),
    trigger,
    fencingToken: 0,
    attempts: [],
    deliveredAt: optionalInstant(deliveredMs),
    requestId,
  };
}
