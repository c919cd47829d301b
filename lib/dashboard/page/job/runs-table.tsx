import type { RunView } from "../../../operations/index.ts";
import { durationText } from "../format/duration.ts";
import { plural } from "../format/words.ts";
import { runHref } from "../route.ts";
import { Status } from "../ui/status.tsx";
import { At, Relative } from "../ui/when.tsx";

export function RunsTable({ runs }: { runs: readonly RunView[] }) {
  return (
    <table class="table runs">
      <thead>
        <tr>
          <th scope="col">Status</th>
          <th scope="col">Of</th>
          <th scope="col">Started</th>
          <th scope="col" class="number">
            Took
          </th>
        </tr>
      </thead>
      <tbody>
        {runs.map((run) => (
          <RunRow key={run.runId} run={run} />
        ))}
      </tbody>
    </table>
  );
}

function RunRow({ run }: { run: RunView }) {
  const at = run.scheduledTime ?? run.requestedAt ?? run.startedAt;
  const last = run.attempts.length > 1 && plural(run.attempts.length, "attempt");
  return (
    <tr>
      <th scope="row">
        <a href={runHref(run.job, run.runId)} class="plain" data-row>
          <Status run={run} />
        </a>
        {run.error && (
          <div class="quiet clip" title={run.error.message}>
            {run.error.name}: {run.error.message}
          </div>
        )}
      </th>
      <td>
        {at && <At at={at} timeZone={run.timeZone} />}
        <div class="quiet breakable">
          {run.schedule === undefined ? `manual${run.trigger.by ? `, by ${run.trigger.by}` : ""}` : run.schedule}
          {last && ` · ${last}`}
        </div>
      </td>
      <td class="quiet">{run.startedAt ? <Relative at={run.startedAt} /> : "–"}</td>
      <td class="number">{run.durationMs === undefined ? "–" : durationText(run.durationMs)}</td>
    </tr>
  );
}
