import type { RunView } from "../../../operations/index.ts";
import { lockOf } from "../actions/holder-facts.tsx";
import { openAction } from "../actions/open-action.ts";
import { ProgressBar } from "../fleet/state-cell.tsx";
import { durationText } from "../format/duration.ts";
import { localText, zoneWord } from "../format/instant.ts";
import { Acts } from "../ui/acts.tsx";
import { Status } from "../ui/status.tsx";

/** What run it is and how it stands. */
export function RunHead({ run }: { run: RunView }) {
  const lock = lockOf(run.job);
  const holds = lock?.runId === run.runId;
  return (
    <header class="page-head">
      <div class="page-title">
        <h1 tabIndex={-1}>
          {run.job} <span class="quiet">{titleOf(run)}</span>
        </h1>
        <div class="head-state is-large">
          <Status run={run} />
          {run.durationMs !== undefined && <span class="quiet">after {durationText(run.durationMs)}</span>}
          {holds && lock.progress && <ProgressBar fraction={lock.progress.fraction} note={lock.progress.note} />}
        </div>
        {run.error && (
          <pre class="error-text">
            <b>{run.error.name}</b>
            {"\n"}
            {run.error.message}
          </pre>
        )}
      </div>
      <Acts>
        <div class="actions">
          <button type="button" class="button" onClick={() => openAction({ kind: "trigger", job: run.job })}>
            Run {run.job} now…
          </button>
          {(holds || run.status === "WAITING") && (
            <button
              type="button"
              class="button is-danger"
              onClick={() => openAction({ kind: "cancel", job: run.job, runId: run.runId })}
            >
              Cancel…
            </button>
          )}
        </div>
      </Acts>
    </header>
  );
}

function titleOf({ schedule, scheduledTime, workTime, requestedAt, timeZone }: RunView): string {
  const at = scheduledTime ?? requestedAt ?? workTime;
  const time = at === undefined ? "" : ` ${localText(at, timeZone)} ${zoneWord(timeZone)}`;
  if (schedule === undefined) return `manual run${time && ` of${time}`}`;
  return `${schedule === "default" ? "" : schedule}${time}`;
}
