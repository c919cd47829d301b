import type { RunView } from "../../../operations/index.ts";
import type { ExpectedOccurrence } from "../../api.ts";
import { STATUS_WORDS } from "../format/words.ts";
import { ToothShape } from "./occurrence-tooth.tsx";
import { Patterns } from "./patterns.tsx";
import { barClass } from "./run-bar.tsx";
import { TEETH_HEIGHT } from "./timeline-row.tsx";

const BARS: readonly RunView["status"][] = [
  "SUCCEEDED",
  "RUNNING",
  "FAILED",
  "TIMED_OUT",
  "LOST",
  "SKIPPED",
  "CANCELLED",
];
const TEETH: readonly (readonly [ExpectedOccurrence["state"], string])[] = [
  ["recorded", "fell due"],
  ["to-come", "to come"],
  ["due", "due now"],
  ["missed", "missed"],
  ["paused", "paused"],
];

/** What the shapes of a timeline mean. */
export function TimelineLegend() {
  return (
    <ul class="legend" aria-label="What the marks mean">
      <li>
        <Patterns />
        <svg width="12" height="12" aria-hidden="true">
          <path class="now-sign" d="M0 2h12L6 10z" />
        </svg>
        now
      </li>
      {TEETH.map(([state, word]) => (
        <li key={state}>
          <svg width="14" height="18" viewBox="-7 4 14 18" aria-hidden="true">
            <g class={`tooth is-${state}`} transform={`translate(0 ${TEETH_HEIGHT})`}>
              <ToothShape state={state} />
            </g>
          </svg>
          {word}
        </li>
      ))}
      {BARS.map((status) => (
        <li key={status}>
          <svg width="18" height="12" aria-hidden="true">
            <rect
              class={barClass(status)}
              x="1"
              y={status === "SKIPPED" || status === "CANCELLED" ? 3 : 1}
              width="16"
              height={status === "SKIPPED" || status === "CANCELLED" ? 6 : 10}
              rx="2"
            />
          </svg>
          {STATUS_WORDS[status]}
        </li>
      ))}
      <li>
        <svg width="22" height="12" aria-hidden="true">
          <line class="late-line" x1="1" x2="13" y1="6" y2="6" />
          <rect class="bar is-succeeded" x="13" y="1" width="8" height="10" rx="2" />
        </svg>
        started late
      </li>
      <li>
        <svg width="30" height="12" aria-hidden="true">
          <line class="between-line" x1="1" x2="29" y1="6" y2="6" />
          <rect class="bar is-failed" x="1" y="1" width="8" height="10" rx="2" />
          <rect class="bar is-succeeded" x="21" y="1" width="8" height="10" rx="2" />
        </svg>
        attempts of one run
      </li>
    </ul>
  );
}
