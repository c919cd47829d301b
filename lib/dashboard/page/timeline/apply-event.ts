import type { RunView } from "../../../operations/index.ts";
import type { JobTimeline, TimelineAnswer } from "../../api.ts";

/** The timeline with a run as it is now; the same one where that run is none of its jobs'. */
export function applyRun(timeline: TimelineAnswer, run: RunView): TimelineAnswer {
  if (!timeline.jobs.some(({ job }) => job === run.job)) return timeline;
  return { ...timeline, jobs: timeline.jobs.map((job) => (job.job === run.job ? withRun(job, run) : job)) };
}

function withRun(timeline: JobTimeline, run: RunView): JobTimeline {
  const others = timeline.runs.filter(({ runId }) => runId !== run.runId);
  const occurrences = timeline.occurrences.map((occurrence) =>
    occurrence.runId === run.runId ? { ...occurrence, state: "recorded" as const } : occurrence,
  );
  return { ...timeline, runs: [...others, run], occurrences };
}
