import { useSignal } from "@preact/signals";
import type { JobDetail, RunView } from "../../../operations/index.ts";
import { get, jobPath } from "../api/client.ts";
import { STATUS_WORDS } from "../format/words.ts";
import { useLoaded } from "../state/loadable.ts";
import { Section } from "../ui/facts.tsx";
import { Await, Empty } from "../ui/states.tsx";
import { RunsTable } from "./runs-table.tsx";

/** So many are in a job's detail. */
const NEWEST = 10;
const MORE = 40;
const MOST = 1_000;

/** A job's runs, newest first: the newest ones live, more of them or those of one status when asked for. */
export function RunsSection({ job }: { job: JobDetail }) {
  const status = useSignal("");
  const limit = useSignal(0);
  const isNewest = status.value === "" && limit.value === 0;
  const ask = (more: number) => (limit.value = more);
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
      {isNewest ? (
        <Runs runs={job.runs} limit={NEWEST} ask={ask} />
      ) : (
        <AskedRuns job={job} status={status.value} limit={limit.value || MORE} ask={ask} />
      )}
    </Section>
  );
}

interface Asked {
  readonly limit: number;
  readonly ask: (limit: number) => void;
}

function AskedRuns({ job, status, limit, ask }: Asked & { job: JobDetail; status: string }) {
  const query = { status: status || undefined, limit };
  const newest = job.runs[0];
  const part = `${limit} ${newest?.runId} ${newest?.status}`;
  const { state, reload } = useLoaded(
    `${job.job} ${status}`,
    () => get<RunView[]>(jobPath(job.job, "runs"), query),
    part,
  );
  return (
    <Await state={state.value} rows={6} retry={reload}>
      {(runs) => <Runs runs={runs} limit={limit} ask={ask} />}
    </Await>
  );
}

/** Fewer than were asked for are all that there are. */
function Runs({ runs, limit, ask }: Asked & { runs: readonly RunView[] }) {
  if (runs.length === 0) return <Empty title="No runs" />;
  return (
    <>
      <RunsTable runs={runs} />
      {runs.length >= limit && limit < MOST && (
        <button type="button" class="button is-small" onClick={() => ask(Math.min(MOST, Math.max(MORE, limit * 4)))}>
          Show more
        </button>
      )}
    </>
  );
}
