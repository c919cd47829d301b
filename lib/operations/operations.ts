import { listAudit } from "./audit.ts";
import type { Backend } from "./backend.ts";
import { backfill, planBackfill } from "./backfill/backfill.ts";
import { cancelRun } from "./cancel.ts";
import { discard, listDeadLetters, resend } from "./dead-letters.ts";
import { fleetFindings, hostFindings } from "./doctor.ts";
import { followRun } from "./follow.ts";
import { describeJob, listJobs } from "./jobs.ts";
import { readLogs } from "./logs.ts";
import { missedOf, missedOfAll } from "./missed.ts";
import { nextOfJob } from "./next.ts";
import { pauseJob, resumeJob } from "./pause.ts";
import { lookAtPause } from "./pause-look.ts";
import { listRuns, readRun } from "./runs.ts";
import { readTimeline } from "./timeline.ts";
import { triggerJob } from "./trigger.ts";
import type { Operations } from "./types.ts";
import { unlockJob } from "./unlock.ts";

/** The same operations wherever the jobs run. */
export function createOperations(backend: Backend): Operations {
  return {
    target: backend.target,
    list: () => listJobs(backend),
    jobNames: async () => (await backend.fleet.readFleet()).jobs.map(({ job }) => job),
    describe: (job) => describeJob(backend, job),
    next: (job, query) => nextOfJob(backend, job, query),
    runs: (job, query) => listRuns(backend, job, query),
    run: (job, runId) => readRun(backend, job, runId),
    trigger: (job, request) => triggerJob(backend, job, request),
    follow: (job, runId, onChange) => followRun(backend, job, runId, onChange),
    pause: (job, request) => pauseJob(backend, job, request),
    lookAtPause: (job) => lookAtPause(backend, job),
    resume: (job, request) => resumeJob(backend, job, request),
    unlock: (job, request) => unlockJob(backend, job, request),
    cancel: (job, request) => cancelRun(backend, job, request),
    audit: (job, query) => listAudit(backend, job, query),
    planBackfill: (job, query) => planBackfill(backend, job, query),
    backfill: (job, request, onProgress, signal) => backfill(backend, job, request, onProgress, signal),
    missed: (job, query) => missedOf(backend, job, query),
    missedOfAll: (query) => missedOfAll(backend, query),
    timeline: (query) => readTimeline(backend, query),
    deadLetters: () => listDeadLetters(backend),
    resend: (id, actor) => resend(backend, id, actor),
    discard: (id, actor) => discard(backend, id, actor),
    logs: (job, query) => readLogs(backend, job, query),
    whoAmI: () => backend.whoAmI(),
    doctor: async () => [...hostFindings(), ...(await fleetFindings(backend))],
    close: () => backend.close(),
  };
}
