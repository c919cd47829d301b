import { useSignal } from "@preact/signals";
import type { JobTimeline, TimelineAnswer } from "../../api.ts";
import { allJobs } from "../fleet/view.ts";
import { fleet } from "../state/live.ts";
import { Await, Empty } from "../ui/states.tsx";
import { TimelineChart } from "./timeline-chart.tsx";
import { TimelineLegend } from "./timeline-legend.tsx";
import { TimelineTools } from "./timeline-tools.tsx";
import { useTimeline } from "./use-timeline.ts";
import { useViewport } from "./use-viewport.ts";

const JOBS_A_PAGE = 40;

/** Every job over one axis of time: what was to run, what ran, what comes. */
export function TimelinePage() {
  return (
    <Await state={fleet.value} rows={8}>
      {({ size }) =>
        size === 0 ? <Empty title="No jobs yet">What runs, and what will, appears here.</Empty> : <FleetTimeline />
      }
    </Await>
  );
}

function FleetTimeline() {
  const moves = useViewport();
  const page = useSignal(0);
  const zone = useSignal("UTC");
  const names = allJobs.value.map(({ job }) => job).sort();
  const shown = names.slice(page.value * JOBS_A_PAGE, (page.value + 1) * JOBS_A_PAGE);
  const { state, reload } = useTimeline("timeline", moves.viewport.value, { jobs: shown.join(",") });
  const zones = ["UTC", ...new Set(zonesOf(state.value.kind === "loaded" ? state.value.value : undefined))];
  return (
    <>
      <header class="page-head">
        <h1 tabIndex={-1}>Timeline</h1>
        <TimelineTools moves={moves}>
          <label class="zone-choice">
            <span class="quiet">Clock of</span>{" "}
            <select class="input" value={zone} onChange={({ currentTarget }) => (zone.value = currentTarget.value)}>
              {zones.map((name) => (
                <option key={name}>{name}</option>
              ))}
            </select>
          </label>
        </TimelineTools>
      </header>
      <TimelineLegend />
      <Await state={state.value} rows={8} retry={reload}>
        {({ jobs }) => (
          <TimelineChart
            jobs={jobs}
            timeZone={zone.value}
            clockChanges={changesIn(jobs, zone.value)}
            moves={moves}
            named
          />
        )}
      </Await>
      {names.length > JOBS_A_PAGE && (
        <nav class="pager" aria-label="Pages of jobs">
          <span class="quiet">
            {page.value * JOBS_A_PAGE + 1}–{Math.min(names.length, (page.value + 1) * JOBS_A_PAGE)} of {names.length}
          </span>
          <button
            type="button"
            class="button is-small"
            aria-label="Previous page"
            disabled={page.value === 0}
            onClick={() => page.value--}
          >
            ‹
          </button>
          <button
            type="button"
            class="button is-small"
            aria-label="Next page"
            disabled={(page.value + 1) * JOBS_A_PAGE >= names.length}
            onClick={() => page.value++}
          >
            ›
          </button>
        </nav>
      )}
    </>
  );
}

function zonesOf(answer: TimelineAnswer | undefined): string[] {
  return (answer?.jobs ?? []).map(({ timeZone }) => timeZone).filter((timeZone) => timeZone !== "UTC");
}

function changesIn(jobs: readonly JobTimeline[], timeZone: string): JobTimeline["clockChanges"] {
  return jobs.find((job) => job.timeZone === timeZone)?.clockChanges ?? [];
}
