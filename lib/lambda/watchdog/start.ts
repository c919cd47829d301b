import { randomUUID } from "node:crypto";
import {
  isAttemptDue,
  type RunRecord,
  type Start,
  scheduledRunId,
  startEvent,
  startOf,
  strandedHead,
  toCatchUp,
} from "../../run/index.ts";
import type { JobAsSeen } from "../../store/index.ts";
import type { ManifestJob } from "../manifest.ts";
import type { Verdict } from "./judge-job.ts";
import { inputOf } from "./kept-input.ts";
import type { Watchdog } from "./watchdog.ts";

/** Starts the run whose turn it is and that nobody starts, and the next attempts that no redelivery will bring. */
export async function startDue(watchdog: Watchdog, job: ManifestJob, { state, runs, nowMs }: JobAsSeen): Promise<void> {
  const head = strandedHead(state, nowMs);
  if (head) await start(watchdog, job, startOf(head, randomUUID()));

  const due = runs.filter((run) => isAttemptDue(run, state, job.retries, nowMs));
  for (const run of due.slice(0, job.queueLength)) await startNextAttempt(watchdog, job, run);
}

/** Starts what was missed, as far as the job's policy says. */
export async function startCatchUp(
  watchdog: Watchdog,
  job: ManifestJob,
  { missed, undecided }: Verdict,
): Promise<void> {
  for (const { name, timeMs } of toCatchUp(missed, undecided, job.catchUp, job.queueLength)) {
    const runId = scheduledRunId(timeMs, name);
    await start(watchdog, job, {
      runId,
      cause: "catch-up",
      id: randomUUID(),
      trigger: { kind: "schedule" },
      input: {},
    });
  }
}

async function startNextAttempt(watchdog: Watchdog, job: ManifestJob, run: RunRecord): Promise<void> {
  const { runId, trigger, workTimeMs, workSchedule } = run;
  const input = inputOf(run);
  if (!input.isKnown) {
    const advice = "its input was not stored: resend its dead letter, or let the job store its inputs";
    watchdog.log.warn(`a next attempt is due, and cannot be started: ${advice}`, { job: job.job, runId });
    return;
  }
  await start(watchdog, job, {
    runId,
    cause: "next-attempt",
    id: randomUUID(),
    trigger,
    workTimeMs,
    workSchedule,
    input: input.value,
  });
}

async function start({ invoke, log }: Watchdog, { job, functionName }: ManifestJob, start: Start): Promise<void> {
  await invoke(functionName, startEvent(job, start));
  log.info(`started: ${start.cause}`, { job, runId: start.runId });
}
