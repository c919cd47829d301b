import type { JobDetail } from "../../../operations/index.ts";
import { jobPath } from "../api/client.ts";
import { TimelineChart } from "../timeline/timeline-chart.tsx";
import { TimelineLegend } from "../timeline/timeline-legend.tsx";
import { TimelineTools } from "../timeline/timeline-tools.tsx";
import { useTimeline } from "../timeline/use-timeline.ts";
import { useViewport } from "../timeline/use-viewport.ts";
import { Section } from "../ui/facts.tsx";
import { Await } from "../ui/states.tsx";

/** What was to run, what ran and what comes, on the clock of the job's zone. */
export function JobTimelineSection({ job }: { job: JobDetail }) {
  const moves = useViewport();
  const { state, reload } = useTimeline(jobPath(job.job, "timeline"), moves.viewport.value);
  return (
    <Section
      title="Timeline"
      aside={
        <TimelineTools moves={moves}>
          <span class="quiet">{job.schedules[0]?.timeZone ?? "UTC"}</span>
        </TimelineTools>
      }
    >
      <Await state={state.value} rows={2} retry={reload}>
        {({ jobs }) => {
          const { timeZone = "UTC", clockChanges = [] } = jobs[0] ?? {};
          return <TimelineChart jobs={jobs} moves={moves} named={false} {...{ timeZone, clockChanges }} />;
        }}
      </Await>
      <TimelineLegend />
    </Section>
  );
}
