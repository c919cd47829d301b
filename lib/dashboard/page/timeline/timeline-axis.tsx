import type { JobTimeline } from "../../api.ts";
import { durationText } from "../format/duration.ts";
import { parseOffset } from "../format/instant.ts";
import { axisTicks, daysOf } from "./axis.ts";
import type { Stretch } from "./stretches.ts";

interface TimelineAxisProps {
  readonly stretches: readonly Stretch[];
  readonly clockChanges: JobTimeline["clockChanges"];
  readonly place: (atMs: number) => number;
  readonly width: number;
}

const HEIGHT = 44;
const DAY_WIDTH = 86;
const TICK_WIDTH = 80;
/** So far around a clock change no time of the day is written. */
const CHANGE_WIDTH = 54;

/** Days above, times of the day below, in a zone's own clock; and where that clock is changed. */
export function TimelineAxis({ stretches, clockChanges, place, width }: TimelineAxisProps) {
  const days = daysOf(stretches);
  const fromMs = stretches[0]?.fromMs ?? 0;
  const toMs = stretches.at(-1)?.toMs ?? 0;
  const changes = clockChanges.filter(({ at }) => Date.parse(at) > fromMs && Date.parse(at) < toMs);
  const ticks = axisTicks(stretches, width / TICK_WIDTH).filter(({ isDay }) => !isDay);
  const isFree = (x: number) =>
    changes.every(({ at }) => Math.abs(x + CHANGE_WIDTH / 3 - place(Date.parse(at))) > CHANGE_WIDTH / 1.5);
  return (
    <svg class="axis" width={width} height={HEIGHT} aria-hidden="true">
      {days.map((day) => (
        <g key={day.fromMs} transform={`translate(${place(day.fromMs)} 0)`}>
          <line class="axis-day" y2={HEIGHT} />
          {place(day.toMs) - place(day.fromMs) > DAY_WIDTH && (
            <text class="axis-day-label" x="6" y="15">
              {day.label}
              {day.hours !== undefined && day.hours !== 24 && <tspan class="axis-odd"> · {day.hours} h</tspan>}
            </text>
          )}
        </g>
      ))}
      {ticks.map(({ atMs, label }) => (
        <g key={atMs} transform={`translate(${place(atMs)} 0)`}>
          <line class="axis-tick" y1={HEIGHT - 8} y2={HEIGHT} />
          {isFree(place(atMs)) && (
            <text class="axis-label" x="4" y={HEIGHT - 11}>
              {label}
            </text>
          )}
        </g>
      ))}
      {changes.map((change) => (
        <g
          key={change.at}
          class="clock-change"
          transform={`translate(${place(Date.parse(change.at))} 0)`}
          data-tip={changeText(change)}
        >
          <rect x="-18" y="18" width="36" height="15" rx="3" />
          <text y="29.500" text-anchor="middle">
            {changeSign(change)}
          </text>
          <line y1="33" y2={HEIGHT} />
        </g>
      ))}
    </svg>
  );
}

type Change = JobTimeline["clockChanges"][number];

function byMs({ before, after }: Change): number {
  return parseOffset(after) - parseOffset(before);
}

function changeSign(change: Change): string {
  const ms = byMs(change);
  const text = Math.abs(ms) % 3_600_000 === 0 ? `${Math.abs(ms) / 3_600_000} h` : `${Math.abs(ms) / 60_000} min`;
  return `${ms > 0 ? "+" : "−"}${text}`;
}

function changeText(change: Change): string {
  const ms = byMs(change);
  const what = ms > 0 ? "forward: times in between do not exist" : "back: times in between come twice";
  return `The clock is put ${durationText(Math.abs(ms))} ${what}. UTC${change.before} becomes UTC${change.after}.`;
}
