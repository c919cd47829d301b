import type { Worker, WorkersAnswer } from "../../api.ts";
import { get } from "../api/client.ts";
import { bytesText } from "../format/duration.ts";
import { plural } from "../format/words.ts";
import { runHref } from "../route.ts";
import { target } from "../state/live.ts";
import { useLoaded } from "../state/loadable.ts";
import { useEvents } from "../state/use-events.ts";
import { Await, Empty } from "../ui/states.tsx";
import { StatusMark } from "../ui/status-mark.tsx";
import { Relative } from "../ui/when.tsx";

/** The sandboxes, or a deployed stack's log streams: which run each is on, and when it was last heard of. */
export function WorkersPage() {
  const { state, reload, put } = useLoaded("workers", () => get<WorkersAnswer>("workers"));
  useEvents((event) => {
    if (event.kind === "workers") put({ workers: event.workers });
  });
  return (
    <>
      <header class="page-head">
        <div class="page-title">
          <h1 tabIndex={-1}>Workers</h1>
          <p class="lead">
            {target.value?.target.kind === "stack"
              ? "Log streams of the stack's functions"
              : "Sandboxes of this machine"}
          </p>
        </div>
      </header>
      <Await state={state.value} retry={reload}>
        {({ workers }) =>
          workers.length === 0 ? (
            <Empty title="Nobody is at work">
              A sandbox is started for a run, and ends when it has been idle for a while.
            </Empty>
          ) : (
            <WorkersTable workers={workers} />
          )
        }
      </Await>
    </>
  );
}

const MARKS = { starting: "interrupted", busy: "running", idle: "idle" } as const;

function WorkersTable({ workers }: { workers: readonly Worker[] }) {
  const busy = workers.filter(({ state }) => state === "busy").length;
  return (
    <>
      <p class="quiet sum">
        {plural(workers.length, "worker")}, {busy} busy
      </p>
      <table class="table workers">
        <thead>
          <tr>
            <th scope="col">Worker</th>
            <th scope="col">State</th>
            <th scope="col">Run</th>
            <th scope="col">Since</th>
            <th scope="col">Last heard of</th>
            <th scope="col" class="number">
              Memory
            </th>
          </tr>
        </thead>
        <tbody>
          {workers.map((worker) => (
            <WorkerRow key={worker.id} worker={worker} />
          ))}
        </tbody>
      </table>
    </>
  );
}

function WorkerRow({
  worker: { id, job, functionName, state, runId, since, heardAt, memoryBytes },
}: {
  worker: Worker;
}) {
  return (
    <tr>
      <th scope="row">
        <code class="breakable">{id}</code>
        <div class="quiet breakable">{functionName}</div>
      </th>
      <td>
        <span class={`status is-${state === "busy" ? "running" : state}`}>
          <StatusMark mark={MARKS[state]} />
          {state}
        </span>
      </td>
      <td>
        {job !== undefined && runId !== undefined ? (
          <a href={runHref(job, runId)} class="breakable">
            {runId}
          </a>
        ) : (
          <span class="quiet">–</span>
        )}
      </td>
      <td class="quiet">{since ? <Relative at={since} /> : "–"}</td>
      <td class="quiet">{heardAt ? <Relative at={heardAt} /> : "–"}</td>
      <td class="number">{memoryBytes === undefined ? "–" : bytesText(memoryBytes)}</td>
    </tr>
  );
}
