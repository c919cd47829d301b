import { scaleUtc } from "d3-scale";
import { useEffect } from "preact/hooks";
import type { JobTimeline } from "../../api.ts";
import { NowLine } from "./now-line.tsx";
import { stretchesOf } from "./stretches.ts";
import { TimelineAxis } from "./timeline-axis.tsx";
import { TimelineRow } from "./timeline-row.tsx";
import { useNowByPixel } from "./use-now-by-pixel.ts";
import type { ViewportMoves } from "./use-viewport.ts";
import { useWidth } from "./use-width.ts";

interface TimelineChartProps {
  readonly jobs: readonly JobTimeline[];
  readonly timeZone: string;
  readonly clockChanges: JobTimeline["clockChanges"];
  readonly moves: ViewportMoves;
  /** Names beside the rows, with links. */
  readonly named: boolean;
}

/** Expected occurrences as marks and runs as bars, one row for each job, over one axis. */
export function TimelineChart({ jobs, timeZone, clockChanges, moves, named }: TimelineChartProps) {
  const { ref, width } = useWidth();
  const viewport = moves.viewport.value;
  const place = scaleUtc().domain([viewport.fromMs, viewport.toMs]).range([0, width.value]);
  const stretches = stretchesOf(viewport, timeZone, clockChanges);
  const nowMs = useNowByPixel(viewport, width.value);

  useEffect(() => {
    const timeline = ref.current?.parentElement;
    timeline?.addEventListener("wheel", onWheel, { passive: false });
    return () => timeline?.removeEventListener("wheel", onWheel);
  });

  /** With Ctrl, as everywhere, or sideways; the plain wheel scrolls the page. */
  function onWheel(event: WheelEvent): void {
    const sideways = Math.abs(event.deltaX) > Math.abs(event.deltaY) ? event.deltaX : event.shiftKey ? event.deltaY : 0;
    if (!event.ctrlKey && !event.metaKey && sideways === 0) return;
    event.preventDefault();
    const x = event.clientX - (ref.current?.getBoundingClientRect().left ?? 0);
    if (sideways !== 0) moves.move(sideways / width.peek());
    else moves.zoomBy(1.0015 ** event.deltaY, place.invert(x).getTime());
  }

  function onKeyDown(event: KeyboardEvent): void {
    const move = KEYS[event.key];
    if (!move || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    move(moves);
  }

  return (
    // biome-ignore lint/a11y/useSemanticElements: a group of what is drawn, not of fields
    <div
      class={named ? "timeline is-named" : "timeline"}
      role="group"
      aria-label="Timeline. The arrow keys move it, + and - zoom."
      // biome-ignore lint/a11y/noNoninteractiveTabindex: it is moved by keys
      tabIndex={0}
      onKeyDown={onKeyDown}
    >
      <div class="timeline-track" ref={ref} />
      {width.value > 0 && (
        <>
          <TimelineAxis stretches={stretches} place={place} width={width.value} clockChanges={clockChanges} />
          {jobs.map((job) => (
            <TimelineRow
              key={job.job}
              job={job}
              named={named}
              {...{ viewport, place, width: width.value, nowMs, timeZone }}
            />
          ))}
          <NowLine place={place} viewport={viewport} named={named} />
        </>
      )}
    </div>
  );
}

const KEYS: Readonly<Record<string, (moves: ViewportMoves) => void>> = {
  ArrowLeft: (moves) => moves.move(-0.2),
  ArrowRight: (moves) => moves.move(0.2),
  "+": (moves) => moves.closer(),
  "=": (moves) => moves.closer(),
  "-": (moves) => moves.wider(),
  "0": (moves) => moves.toNow(),
};
