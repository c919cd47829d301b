import type { JobDetail } from "../../../operations/index.ts";
import { openAction } from "../actions/open-action.ts";
import { ProgressBar, StateWord } from "../fleet/state-cell.tsx";
import { Acts } from "../ui/acts.tsx";

/** The job's name and state, and what can be done. */
export function JobHead({ job }: { job: JobDetail }) {
  const name = job.job;
  return (
    <header class="page-head">
      <div class="page-title">
        <h1 tabIndex={-1}>{name}</h1>
        {job.description && <p class="lead">{job.description}</p>}
        <div class="head-state">
          <StateWord job={job} />
          {job.lock?.progress && <ProgressBar fraction={job.lock.progress.fraction} note={job.lock.progress.note} />}
          {job.error !== undefined && <span class="bad">{job.error}</span>}
        </div>
      </div>
      <Acts>
        <div class="actions">
          <button type="button" class="button is-main" onClick={() => openAction({ kind: "trigger", job: name })}>
            Run now…
          </button>
          {job.paused ? (
            <button type="button" class="button" onClick={() => openAction({ kind: "resume", job: name })}>
              Resume…
            </button>
          ) : (
            <button type="button" class="button" onClick={() => openAction({ kind: "pause", job: name })}>
              Pause…
            </button>
          )}
          <button type="button" class="button" onClick={() => openAction({ kind: "backfill", job: name })}>
            Backfill…
          </button>
          {job.lock && (
            <>
              <button type="button" class="button" onClick={() => openAction({ kind: "cancel", job: name })}>
                Cancel run…
              </button>
              <button type="button" class="button" onClick={() => openAction({ kind: "unlock", job: name })}>
                Unlock…
              </button>
            </>
          )}
        </div>
      </Acts>
    </header>
  );
}
