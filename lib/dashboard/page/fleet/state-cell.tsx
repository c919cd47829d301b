import type { JobSummary } from "../../../operations/index.ts";
import { STATE_WORDS } from "../format/words.ts";
import { StatusMark } from "../ui/status-mark.tsx";
import { Relative } from "../ui/when.tsx";
import { isDisabled, shownState } from "./shown-state.ts";

/** What a job does now; of a pause by whom and why, of a run how far it is. */
export function StateCell({ job }: { job: JobSummary }) {
  const { paused, lock } = job;
  return (
    <>
      <StateWord job={job} />
      {paused && (
        <div class="quiet clip" title={`${paused.by}: ${paused.reason}`}>
          {paused.by}: {paused.reason}
        </div>
      )}
      {paused?.until && (
        <div class="quiet">
          until <Relative at={paused.until} />
        </div>
      )}
      {job.error !== undefined && (
        <div class="quiet clip" title={job.error}>
          {job.error}
        </div>
      )}
      {lock?.progress && <ProgressBar fraction={lock.progress.fraction} note={lock.progress.note} />}
      {lock?.heldOver && <div class="quiet">lock held over</div>}
    </>
  );
}

export function StateWord({ job }: { job: JobSummary }) {
  const state = shownState(job);
  return (
    <span class={`status is-${state}`} title={STATE_WORDS[state]}>
      <StatusMark mark={state} />
      {state}
      {isDisabled(job) && state !== "disabled" && <span class="quiet"> · disabled</span>}
    </span>
  );
}

export function ProgressBar({ fraction, note }: { fraction: number; note?: string | undefined }) {
  const percent = Math.round(100 * Math.min(1, Math.max(0, fraction)));
  return (
    <div class="progress">
      <progress max="100" value={percent} aria-label={note ?? "Progress"} />
      <span class="quiet clip">
        {percent} %{note && ` · ${note}`}
      </span>
    </div>
  );
}
