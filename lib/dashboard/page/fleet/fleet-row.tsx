import type { FleetJob } from "../../api.ts";
import { openAction } from "../actions/open-action.ts";
import { jobHref } from "../route.ts";
import { Acts } from "../ui/acts.tsx";
import { memo } from "../ui/memo.ts";
import { RecentMarks } from "../ui/recent-marks.tsx";
import { When } from "../ui/when.tsx";
import { LastRun } from "./last-run.tsx";
import { ScheduleCell } from "./schedule-cell.tsx";
import { shownState } from "./shown-state.ts";
import { nextOf } from "./sort.ts";
import { StateCell } from "./state-cell.tsx";

/** One job. It is rendered again only when the job has changed. */
export const FleetRow = memo(({ job }: { job: FleetJob }) => {
  const next = nextOf(job);
  return (
    <tr class={`row is-${shownState(job)}`}>
      <th scope="row" class="cell-job">
        <a href={jobHref(job.job)} class="job-name" data-row>
          {job.job}
        </a>
        {job.description && <div class="quiet breakable">{job.description}</div>}
      </th>
      <td class="cell-state">
        <StateCell job={job} />
      </td>
      <td class="cell-schedule">
        <ScheduleCell job={job} />
      </td>
      <td class="cell-next" data-label="Next">
        {next ? <When at={next.at} timeZone={next.schedule.timeZone} /> : <span class="quiet">–</span>}
      </td>
      <td class="cell-last" data-label="Last run">
        <LastRun job={job} />
      </td>
      <td class="cell-recent" data-label="Recent">
        <RecentMarks recent={job.recent} />
      </td>
      <td class="cell-actions">
        <Acts>
          <RowButton
            sign="▶"
            label={`Run ${job.job} now`}
            onClick={() => openAction({ kind: "trigger", job: job.job })}
          />
          {job.paused ? (
            <RowButton
              sign="⏵❙"
              label={`Resume ${job.job}`}
              onClick={() => openAction({ kind: "resume", job: job.job })}
            />
          ) : (
            <RowButton
              sign="❙❙"
              label={`Pause ${job.job}`}
              onClick={() => openAction({ kind: "pause", job: job.job })}
            />
          )}
        </Acts>
      </td>
    </tr>
  );
});

function RowButton({ sign, label, onClick }: { sign: string; label: string; onClick: () => void }) {
  return (
    <button type="button" class="button is-small" aria-label={label} data-tip={label} onClick={onClick}>
      <span aria-hidden="true">{sign}</span>
    </button>
  );
}
