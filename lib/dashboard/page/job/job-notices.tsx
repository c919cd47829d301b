import type { JobDetail, Missed } from "../../../operations/index.ts";
import { openAction } from "../actions/open-action.ts";
import { get, jobPath } from "../api/client.ts";
import { plural } from "../format/words.ts";
import { useLoaded } from "../state/loadable.ts";
import { Acts } from "../ui/acts.tsx";
import { StatusMark } from "../ui/status-mark.tsx";
import { When } from "../ui/when.tsx";
import { BackfillProgressBar } from "./backfill-progress.tsx";

/** What somebody who opens the job should know first. */
export function JobNotices({ job }: { job: JobDetail }) {
  const warnings = job.schedules.flatMap(({ name, warnings }) => warnings.map((warning) => ({ name, ...warning })));
  return (
    <div class="notices">
      {job.paused && (
        <p class="notice is-paused">
          <StatusMark mark="paused" />
          <span>
            Paused by <b>{job.paused.by}</b>, <When at={job.paused.at} />: “{job.paused.reason}”
            {job.paused.until && (
              <>
                {" "}
                · ends by itself <When at={job.paused.until} />
              </>
            )}
          </span>
        </p>
      )}
      <BackfillProgressBar job={job.job} />
      <MissedNotice job={job.job} lastRun={job.lastRun?.runId ?? ""} />
      {warnings.map(({ name, code, message }) => (
        <p class="notice is-warning" key={`${name} ${code}`}>
          <StatusMark mark="warning" label="Warning" />
          <span>
            {job.schedules.length > 1 && <b>{name}: </b>}
            {message}
          </span>
        </p>
      ))}
    </div>
  );
}

/** What fell due in the last day and has no record; looked at again whenever the job has run. */
function MissedNotice({ job, lastRun }: { job: string; lastRun: string }) {
  const { state } = useLoaded(job, () => get<Missed>(jobPath(job, "missed")), lastRun);
  if (state.value.kind !== "loaded") return null;
  const { missed, from, to } = state.value.value;
  if (missed.length === 0) return null;
  return (
    <p class="notice is-missed">
      <StatusMark mark="missed" />
      <span>
        <b>{plural(missed.length, "occurrence")} missed</b> in the last day:{" "}
        {missed.length === 1 ? "it fell due and has" : "they fell due and have"} no record.
      </span>
      <Acts>
        <button type="button" class="button is-small" onClick={() => openAction({ kind: "backfill", job, from, to })}>
          Backfill…
        </button>
      </Acts>
    </p>
  );
}
