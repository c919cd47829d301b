import { durationText } from "../format/duration.ts";
import { localText, utcText, zoneWord } from "../format/instant.ts";
import { plural, STATUS_WORDS } from "../format/words.ts";
import { runHref } from "../route.ts";
import type { Bar } from "./layout.ts";
import { LANE_HEIGHT, TEETH_HEIGHT } from "./timeline-row.tsx";

interface RunBarProps {
  readonly bar: Bar;
  readonly place: (atMs: number) => number;
  readonly timeZone: string;
}

/** A run from its start to its end, each attempt for itself; skipped ones are low and hollow, a late one has a line from when it was due. */
export function RunBar({ bar, place, timeZone }: RunBarProps) {
  const { x, width, lane, status, pieces, run } = bar;
  const isLow = status === "SKIPPED" || status === "CANCELLED";
  const height = isLow ? 6 : LANE_HEIGHT - 4;
  const y = TEETH_HEIGHT + 4 + lane * LANE_HEIGHT + (isLow ? 2 : 0);
  const text = tipOf(bar, timeZone);
  const drawn = pieces.length > 0 ? pieces : [{ x, width, status }];
  return (
    <a href={runHref(run.job, run.runId)} class="bar-link" data-tip={text} aria-label={text.replaceAll("\n", ", ")}>
      {run.lateMs !== undefined && run.scheduledTime !== undefined && (
        <line
          class="late-line"
          x1={place(Date.parse(run.scheduledTime))}
          x2={x}
          y1={y + height / 2}
          y2={y + height / 2}
        />
      )}
      {pieces.length > 0 && <line class="between-line" x1={x} x2={x + width} y1={y + height / 2} y2={y + height / 2} />}
      {drawn.map((piece) => (
        <rect
          key={piece.x}
          class={barClass(piece.status)}
          x={piece.x}
          y={y}
          width={piece.width}
          height={height}
          rx="2"
        />
      ))}
    </a>
  );
}

export function barClass(status: Bar["status"]): string {
  return `bar is-${status.toLowerCase().replace("_", "-")}`;
}

function tipOf({ run, count, status }: Bar, timeZone: string): string {
  const { attempts, durationMs, lateMs } = run;
  const at = attempts[0]?.startedAt ?? run.startedAt ?? run.scheduledTime ?? run.requestedAt;
  const reason = run.reason ? `: ${run.reason}` : "";
  const lines = [
    count > 1 ? `${plural(count, "run")} ${STATUS_WORDS[status]}, the last one of` : `${STATUS_WORDS[status]}${reason}`,
    at && `${localText(at, timeZone)} ${zoneWord(timeZone)} · ${utcText(at)}`,
    count === 1 && attempts.length > 1 && `${plural(attempts.length, "attempt")}`,
    count === 1 &&
      durationMs !== undefined &&
      `${attempts.length > 1 ? "the last one " : ""}took ${durationText(durationMs)}`,
    lateMs !== undefined && `started ${durationText(lateMs)} late`,
    run.error && `${run.error.name}: ${run.error.message.slice(0, 160)}`,
  ];
  return lines.filter((line) => typeof line === "string").join("\n");
}
