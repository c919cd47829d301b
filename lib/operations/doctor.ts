import type { ListedJob } from "../store/index.ts";
import type { Backend } from "./backend.ts";
import { type DeadLetterView, listDeadLetters } from "./dead-letters.ts";
import { sinceMsOf, withFiredSchedules } from "./due.ts";
import type { JobSummary } from "./job-types.ts";
import { listJobs } from "./jobs.ts";
import type { Finding, Target } from "./types.ts";
import { upcoming } from "./upcoming.ts";
import { zoneDataFinding } from "./zone-data.ts";

/** What can be said of this machine alone. */
export function hostFindings(): Finding[] {
  return [nodeFinding(process.versions.node), zoneDataFinding(process.versions["tz"])];
}

const OLDEST_NODE = 22;

/** @param version such as `22.11.0` */
export function nodeFinding(version: string): Finding {
  const check = "Node";
  if (Number.parseInt(version, 10) >= OLDEST_NODE) return { check, level: "ok", message: version };
  return {
    check,
    level: "warning",
    message: `${version} is older than ${OLDEST_NODE}, the oldest that Escapement is made for`,
    advice: `Install Node ${OLDEST_NODE} or 24, then run npm install again.`,
  };
}

export async function fleetFindings(backend: Backend): Promise<Finding[]> {
  const nowMs = backend.nowMs();
  const { jobs } = await backend.fleet.readFleet();
  const summaries = await listJobs(backend);
  return [
    placeFinding(backend.target),
    { check: "table", level: "ok", message: `fleet ${backend.target.fleet}, jobs: ${summaries.length}` },
    ...(await backend.checks()),
    ...letterFindings(await listDeadLetters(backend)),
    ...summaries.flatMap(jobFindings),
    ...jobs
      .filter(({ job }) => hasNoRun(summaries.find((known) => known.job === job)))
      .flatMap((job) => neverRan(withFiredSchedules(job, backend), nowMs)),
  ];
}

function placeFinding(target: Target): Finding {
  if (target.kind === "stack") {
    return { check: "stack", level: "ok", message: `${target.stack} in ${target.region}` };
  }
  const { running, url } = target;
  const check = "runner";
  if (running) return { check, level: "ok", message: `running at ${url}` };
  return { check, level: "warning", message: "not running: nothing fires", advice: "Start it with: npm start" };
}

function letterFindings({ length }: readonly DeadLetterView[]): Finding[] {
  if (length === 0) return [{ check: "dead letters", level: "ok", message: "none" }];
  const advice = 'The command "dead-letters" lists them, "resend" starts them again, "discard" removes one.';
  return [{ check: "dead letters", level: "warning", message: `events that failed for good: ${length}`, advice }];
}

function hasNoRun(summary: JobSummary | undefined): boolean {
  return summary?.state !== "unreadable" && !summary?.lastRun;
}

function jobFindings({ job, error, lock, paused, lastRun, consecutiveFailures }: JobSummary): Finding[] {
  if (error !== undefined) return [{ check: `job ${job}`, level: "failed", message: `cannot be read: ${error}` }];
  const found: Finding[] = [];
  const warn = (message: string, advice: string) =>
    found.push({ check: `job ${job}`, level: "warning", message, advice });
  if (lock?.dead) {
    warn(
      `the holder of its lock, run ${lock.runId}, died: its lock lasts until ${lock.expiresAt}`,
      "Nothing needs to be done: the next delivery takes the lock over and records that run as LOST.",
    );
  }
  if (consecutiveFailures > 0) {
    warn(
      `attempts that failed since its last success: ${consecutiveFailures}${lastRun?.error ? `, last with ${lastRun.error.name}: ${lastRun.error.message}` : ""}`,
      `The command "runs ${job}" lists them.`,
    );
  }
  if (paused) warn(`paused since ${paused.at} by ${paused.by}: ${paused.reason}`, "Its occurrences are skipped.");
  return found;
}

/** Of a job that has no run: whether there should be one. */
function neverRan(listed: ListedJob, nowMs: number): Finding[] {
  const { job, schedules, enabled, removedMs } = listed;
  if (!enabled || removedMs !== undefined) return [];
  const firsts = Object.entries(schedules).flatMap(([name, spec]) => {
    const sinceMs = sinceMsOf(listed, name);
    return upcoming(spec, { fromMs: sinceMs, count: 1, createdMs: sinceMs }).occurrences;
  });
  const due = firsts.find(({ at }) => Date.parse(at) < nowMs);
  if (!due) return [];
  return [
    {
      check: `job ${job}`,
      level: "warning",
      message: `never ran, though it was due ${due.at}`,
      advice: `The command "trigger ${job}" runs it once.`,
    },
  ];
}
