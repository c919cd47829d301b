import type { RunView } from "../../../operations/index.ts";
import { get, jobPath } from "../api/client.ts";
import { jobHref } from "../route.ts";
import { useLoaded } from "../state/loadable.ts";
import { useEvents } from "../state/use-events.ts";
import { Await } from "../ui/states.tsx";
import { AttemptList } from "./attempt-list.tsx";
import { LogView } from "./log-view.tsx";
import { PayloadSection } from "./payload.tsx";
import { RunCourse } from "./run-course.tsx";
import { RunFacts } from "./run-facts.tsx";
import { RunHead } from "./run-head.tsx";
import { SkipNotice } from "./skip-notice.tsx";

/** One run: when, why, by whom, with what end, and what it printed. */
export function RunPage({ job, runId }: { job: string; runId: string }) {
  const { state, reload, change } = useLoaded(`${job} ${runId}`, () => get<RunView>(jobPath(job, "runs", runId)));
  useEvents((event) => {
    if (event.kind !== "run" || event.run.job !== job) return;
    if (event.run.runId === runId) change(() => event.run);
    // A run for this one's time is told with this one alone.
    else if (event.run.workTime !== undefined) void reload();
  });
  return (
    <>
      <nav class="crumbs" aria-label="Where you are">
        <a href="#/">Fleet</a> <span aria-hidden="true">/</span> <a href={jobHref(job)}>{job}</a>{" "}
        <span aria-hidden="true">/</span> <span class="clip">{runId}</span>
      </nav>
      <Await state={state.value} rows={10} retry={reload}>
        {(run) => (
          <>
            <RunHead run={run} />
            <SkipNotice run={run} />
            <RunCourse run={run} />
            <div class="columns">
              <div>
                <AttemptList run={run} />
                <LogView run={run} />
              </div>
              <div>
                <RunFacts run={run} />
                <PayloadSection title="Input" payload={run.input} />
                <PayloadSection title="Result" payload={run.result} />
              </div>
            </div>
          </>
        )}
      </Await>
    </>
  );
}
