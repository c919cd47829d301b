import type { Backend } from "./backend.ts";
import { listJobs } from "./jobs.ts";
import type { Finding, JobSummary, Target } from "./types.ts";
import { zoneDataFinding } from "./zone-data.ts";

/** What can be said of this machine alone. */
export function hostFindings(): Finding[] {
  return [{ check: "Node", level: "ok", message: process.versions.node }, zoneDataFinding(process.versions["tz"])];
}

export async function fleetFindings(backend: Backend): Promise<Finding[]> {
  const jobs = await listJobs(backend);
  const table: Finding = {
    check: "table",
    level: "ok",
    message: `fleet ${backend.target.fleet}, jobs: ${jobs.length}`,
  };
  return [runnerFinding(backend.target), table, ...jobs.flatMap(jobFindings)];
}

function runnerFinding({ running, url }: Target): Finding {
  const check = "runner";
  if (running) return { check, level: "ok", message: `running at ${url}` };
  return { check, level: "warning", message: "not running: nothing fires", advice: "Start it with: npm start" };
}

function jobFindings({ job, lock, paused, lastRun, consecutiveFailures }: JobSummary): Finding[] {
  const found: Finding[] = [];
  const warn = (message: string, advice: string) =>
    found.push({ check: `job ${job}`, level: "warning", message, advice });
  if (lock?.dead) {
    warn(
      `the holder of its lock, run ${lock.runId}, died: the lock ended ${lock.expiresAt}`,
      "Nothing needs to be done: the next delivery takes the lock over and records that run as LOST.",
    );
  }
  if (consecutiveFailures > 0) {
    warn(
      `attempts failed in a row: ${consecutiveFailures}${lastRun?.error ? `, last with ${lastRun.error.name}: ${lastRun.error.message}` : ""}`,
      `See: escapement runs ${job}`,
    );
  }
  if (paused) warn(`paused since ${paused.at} by ${paused.by}: ${paused.reason}`, "Its occurrences are skipped.");
  if (!lastRun) warn("has no run on record", `Run it once: escapement trigger ${job}`);
  return found;
}
