import type { JobTimeline } from "../../api.ts";
import { jobHref } from "../route.ts";
import { layoutJob } from "./layout.ts";
import { OccurrenceTooth } from "./occurrence-tooth.tsx";
import { RunBar } from "./run-bar.tsx";
import type { Viewport } from "./viewport.ts";

interface TimelineRowProps {
  readonly job: JobTimeline;
  readonly viewport: Viewport;
  readonly place: (atMs: number) => number;
  readonly width: number;
  readonly nowMs: number;
  readonly timeZone: string;
  readonly named: boolean;
}

export const TEETH_HEIGHT = 18;
export const LANE_HEIGHT = 16;

/** One job: what was to run above, what ran below. */
export function TimelineRow({ job, viewport, place, width, nowMs, timeZone, named }: TimelineRowProps) {
  const { bars, teeth, lanes } = layoutJob(job, viewport, place, nowMs);
  const height = TEETH_HEIGHT + lanes * LANE_HEIGHT + 4;
  const zone = named ? job.timeZone : timeZone;
  return (
    <div class="timeline-row">
      {named && (
        <a class="timeline-name clip" href={jobHref(job.job)} title={job.job}>
          {job.job}
        </a>
      )}
      {/* biome-ignore lint/a11y/useSemanticElements: no fields are in it */}
      <svg class="timeline-marks" width={width} height={height} role="group" aria-label={summaryOf(job, bars.length)}>
        <line class="baseline" x2={width} y1={TEETH_HEIGHT} y2={TEETH_HEIGHT} />
        {bars.map((bar) => (
          <RunBar key={bar.run.runId} bar={bar} place={place} timeZone={zone} />
        ))}
        {teeth.map((tooth) => (
          <OccurrenceTooth key={tooth.occurrence.runId} tooth={tooth} />
        ))}
      </svg>
      {(job.truncated || job.moreToCome) && (
        <p class="quiet timeline-note">Only {partsShown(job)} are shown; look closer to see the others.</p>
      )}
    </div>
  );
}

/** Of the parts that are cut. */
function partsShown({ truncated, moreToCome }: JobTimeline): string {
  return [truncated && "the newest of the past", moreToCome && "the next to come"].filter(Boolean).join(" and ");
}

function summaryOf({ job, occurrences }: JobTimeline, bars: number): string {
  const missed = occurrences.filter(({ state }) => state === "missed").length;
  const coming = occurrences.filter(({ state }) => state === "to-come").length;
  return `${job}: ${bars} marks of runs, ${missed} missed occurrences, ${coming} to come`;
}
