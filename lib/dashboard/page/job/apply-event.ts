import type { JobDetail } from "../../../operations/index.ts";
import type { DashboardEvent } from "../../api.ts";

/** How many runs a job's page shows before it is asked for more. */
const SHOWN_RUNS = 10;

/** A job's detail after an event; the same one where it changes nothing of it. */
export function applyToDetail(detail: JobDetail, event: DashboardEvent): JobDetail {
  if (event.kind === "job" && event.job.job === detail.job) return { ...detail, ...event.job };
  if (event.kind === "run" && event.run.job === detail.job) {
    const { run } = event;
    const others = detail.runs.filter(({ runId }) => runId !== run.runId);
    // Run ids sort as their times do; a manual one without a time comes first, as in the table.
    const runs = [run, ...others].sort((one, other) => (one.runId < other.runId ? 1 : -1));
    return { ...detail, runs: runs.slice(0, SHOWN_RUNS) };
  }
  return detail;
}
