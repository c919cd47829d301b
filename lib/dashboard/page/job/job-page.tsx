import type { JobDetail, JobSummary } from "../../../operations/index.ts";
import type { DashboardEvent } from "../../api.ts";
import { get, jobPath } from "../api/client.ts";
import { useLoaded } from "../state/loadable.ts";
import { useEvents } from "../state/use-events.ts";
import { Await } from "../ui/states.tsx";
import { applyToDetail } from "./apply-event.ts";
import { AuditList } from "./audit-list.tsx";
import { JobFacts } from "./job-facts.tsx";
import { JobHead } from "./job-head.tsx";
import { JobNotices } from "./job-notices.tsx";
import { JobTimelineSection } from "./job-timeline.tsx";
import { RunsSection } from "./runs-section.tsx";
import { ScheduleList } from "./schedule-list.tsx";

/** All that is known of one job, and what can be done with it. */
export function JobPage({ job }: { job: string }) {
  const { state, reload, mend, change } = useLoaded(job, () => get<JobDetail>(jobPath(job)));
  useEvents((event: DashboardEvent) => {
    if (!isOf(event, job)) return;
    const before = state.peek();
    change((detail) => applyToDetail(detail, event));
    // Who waits, and what operators did, is told with the job alone.
    const isTurn = event.kind === "job" && before.kind === "loaded" && turnOf(before.value) !== turnOf(event.job);
    if (isTurn || event.kind === "backfill") void reload();
    else mend();
  });
  return (
    <>
      <nav class="crumbs" aria-label="Where you are">
        <a href="#/">Fleet</a> <span aria-hidden="true">/</span> <span class="clip">{job}</span>
      </nav>
      <Await state={state.value} rows={10} retry={reload}>
        {(detail) => (
          <>
            <JobHead job={detail} />
            <JobNotices job={detail} />
            <JobTimelineSection job={detail} />
            <div class="columns">
              <div>
                <RunsSection job={detail} />
              </div>
              <div>
                <ScheduleList job={detail} />
                <JobFacts job={detail} />
                <AuditList audit={detail.audit} />
              </div>
            </div>
          </>
        )}
      </Await>
    </>
  );
}

function isOf(event: DashboardEvent, job: string): boolean {
  if (event.kind === "job") return event.job.job === job;
  if (event.kind === "run") return event.run.job === job;
  return event.kind === "backfill" && event.job === job;
}

/** Another one where an operator has acted, or the lock has passed on; a heartbeat is neither. */
function turnOf({ state, paused, lock }: JobSummary): string {
  return `${state} ${paused?.at} ${lock?.owner}`;
}
