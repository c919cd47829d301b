import { useSignal } from "@preact/signals";
import type { JobDetail, RunView } from "../../../operations/index.ts";
import { get, jobPath } from "../api/client.ts";
import { STATUS_WORDS } from "../format/words.ts";
import { useLoaded } from "../state/loadable.ts";
import { Section } from "../ui/facts.tsx";
import { Await, Empty } from "../ui/states.tsx";
import { RunsTable } from "./runs-table.tsx";

const MORE = 40;
const MOST = 1_000;

/** A job's runs, newest first: the newest ones live, more of them or those of one status when asked for. */
export function RunsSection({ job }: { job: JobDetail }) {
  const status = useSignal("");
  const limit = useSignal(0);
  const isNewest = status.value === "" && limit.value === 0;
  return (
    <Section
      title="Runs"
      aside={
        <select
          class="input"
          aria-label="Status of the runs"
          value={status}
          onChange={({ currentTarget }) => (status.value = currentTarget.value)}
        >
          <option value="">every status</option>
          {Object.entries(STATUS_WORDS).map(([name, word]) => (
            <option key={name} value={name}>
              {word}
            </option>
          ))}
        </select>
      }
    >
      {isNewest ? <Runs runs={job.runs} /> : <AskedRuns job={job} status={status.value} limit={limit.value || MORE} />}
      {limit.value < MOST && job.runs.length > 0 && (
        <button
          type="button"
          class="button is-small"
          onClick={() => (limit.value = Math.min(MOST, limit.value * 4 || MORE))}
        >
          Show more
        </button>
      )}
    </Section>
  );
}

function AskedRuns({ job, status, limit }: { job: JobDetail; status: string; limit: number }) {
  const query = { status: status || undefined, limit };
  const newest = job.runs[0];
  const part = `${status} ${limit} ${newest?.runId} ${newest?.status}`;
  const { state, reload } = useLoaded(job.job, () => get<RunView[]>(jobPath(job.job, "runs"), query), part);
  return (
    <Await state={state.value} rows={6} retry={reload}>
      {(runs) => <Runs runs={runs} />}
    </Await>
  );
}

function Runs({ runs }: { runs: readonly RunView[] }) {
  return runs.length === 0 ? <Empty title="No runs" /> : <RunsTable runs={runs} />;
}
