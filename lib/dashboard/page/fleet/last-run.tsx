import type { FleetJob } from "../../api.ts";
import { durationText, slowness } from "../format/duration.ts";
import { runHref } from "../route.ts";
import { Status } from "../ui/status.tsx";
import { Relative } from "../ui/when.tsx";

/** How a job's last run ended, when, and how long it took beside what is usual. */
export function LastRun({ job }: { job: FleetJob }) {
  const { lastRun, recent } = job;
  if (!lastRun) return <span class="quiet">no run yet</span>;
  const at = lastRun.endedAt ?? lastRun.startedAt ?? lastRun.scheduledTime;
  const slow = slowness(lastRun.durationMs, recent.usualDurationMs);
  return (
    <>
      <div class="last-head">
        <a href={runHref(job.job, lastRun.runId)} class="plain">
          <Status run={lastRun} />
        </a>
        {at && (
          <span class="quiet">
            <Relative at={at} />
          </span>
        )}
      </div>
      <div class="quiet">
        {lastRun.durationMs !== undefined && <span class="strong">{durationText(lastRun.durationMs)}</span>}
        {lastRun.durationMs !== undefined && recent.usualDurationMs !== undefined && (
          <>
            {" "}
            · usually <span class="unbroken">{durationText(recent.usualDurationMs)}</span>
          </>
        )}
        {slow && (
          <span class="slow" data-tip={`It took ${slow} as long as is usual`}>
            {" "}
            ▲ {slow}
          </span>
        )}
        {job.consecutiveFailures > 1 && <span class="bad"> · {job.consecutiveFailures} in a row</span>}
      </div>
    </>
  );
}
