import type { FleetJob } from "../../api.ts";

type Recent = FleetJob["recent"];

const MARKS = 10;

/** A job's newest runs as small bars, the newest at the right; their heights tell them apart, too. */
export function RecentMarks({ recent }: { recent: Recent }) {
  const { runs, succeeded, failed } = recent;
  const text =
    runs.length === 0 ? "no runs yet" : `${succeeded} succeeded, ${failed} failed of the newest ${runs.length}`;
  const oldestFirst = runs.slice(0, MARKS).reverse();
  return (
    <span class="recent" data-tip={text}>
      <span class="recent-bars" role="img" aria-label={text}>
        {Array.from({ length: MARKS - oldestFirst.length }, (_, index) => (
          <i key={index} class="is-none" />
        ))}
        {oldestFirst.map(({ runId, status }) => (
          <i key={runId} class={`is-${status.toLowerCase().replace("_", "-")}`} />
        ))}
      </span>
      <span class="quiet rate">{rateText(recent)}</span>
    </span>
  );
}

/** Of those that ended well or badly: a skipped or running one is neither. */
function rateText({ succeeded, failed }: Recent): string {
  const ended = succeeded + failed;
  return ended === 0 ? "–" : `${Math.round((100 * succeeded) / ended)} %`;
}
