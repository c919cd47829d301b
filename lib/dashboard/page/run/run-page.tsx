import { useEffect } from "preact/hooks";
import type { RunView } from "../../../operations/index.ts";
import { get, jobPath } from "../api/client.ts";
import { jobHref } from "../route.ts";
import { useLoaded } from "../state/loadable.ts";
import { useEvents } from "../state/use-events.ts";
import { Await, Empty } from "../ui/states.tsx";
import { AttemptList } from "./attempt-list.tsx";
import { LogView } from "./log-view.tsx";
import { PayloadSection } from "./payload.tsx";
import { RunCourse } from "./run-course.tsx";
import { RunFacts } from "./run-facts.tsx";
import { RunHead } from "./run-head.tsx";
import { SkipNotice } from "./skip-notice.tsx";

const LOOK_AGAIN_MS = 2_000;

/** One run: when, why, by whom, with what end, and what it printed. */
export function RunPage({ job, runId }: { job: string; runId: string }) {
  const { state, reload, mend, put } = useLoaded(`${job} ${runId}`, () => get<RunView>(jobPath(job, "runs", runId)));
  useEvents((event) => {
    if (event.kind === "job" && event.job.job === job) mend();
    if (event.kind !== "run" || event.run.job !== job) return;
    if (event.run.runId === runId) put(event.run);
    // A run for this one's time is told with this one alone.
    else if (event.run.workTime !== undefined) void reload();
  });
  const isUnknown = state.value.kind === "failed" && state.value.error.code === "UNKNOWN_RUN";
  // One that was just asked for has no record until it starts.
  useEffect(() => {
    if (!isUnknown) return;
    const timer = setInterval(() => void reload(), LOOK_AGAIN_MS);
    return () => clearInterval(timer);
  });
  return (
    <>
      <nav class="crumbs" aria-label="Where you are">
        <a href="#/">Fleet</a> <span aria-hidden="true">/</span> <a href={jobHref(job)}>{job}</a>{" "}
        <span aria-hidden="true">/</span> <span class="clip">{runId}</span>
      </nav>
      {isUnknown ? (
        <Empty title="No record of this run yet">
          A run that was just asked for appears here as soon as it starts. One of long ago may be forgotten: records are
          kept for as long as the job says.
        </Empty>
      ) : (
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
      )}
    </>
  );
}
