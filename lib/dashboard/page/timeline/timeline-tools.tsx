import type { ComponentChildren } from "preact";
import type { ViewportMoves } from "./use-viewport.ts";

const HOUR_MS = 3_600_000;
const SPANS = [
  ["1 h", HOUR_MS],
  ["6 h", 6 * HOUR_MS],
  ["1 day", 24 * HOUR_MS],
  ["1 week", 7 * 24 * HOUR_MS],
] as const;

/** Buttons that move and zoom a timeline, for those who do not know the wheel and the keys. */
export function TimelineTools({ moves, children }: { moves: ViewportMoves; children?: ComponentChildren }) {
  const { fromMs, toMs } = moves.viewport.value;
  return (
    <div class="timeline-tools" role="toolbar" aria-label="Move the timeline">
      {children}
      <span class="button-group">
        {SPANS.map(([label, lengthMs]) => (
          <button
            key={label}
            type="button"
            class="button is-small"
            aria-pressed={Math.abs(toMs - fromMs - lengthMs) < 1_000}
            onClick={() => moves.span(lengthMs)}
          >
            {label}
          </button>
        ))}
      </span>
      <span class="button-group">
        <Tool label="Earlier" sign="‹" onClick={() => moves.move(-0.5)} />
        <button type="button" class="button is-small" onClick={moves.toNow}>
          Now
        </button>
        <Tool label="Later" sign="›" onClick={() => moves.move(0.5)} />
      </span>
      <span class="button-group">
        <Tool label="Wider" sign="−" onClick={() => moves.wider()} />
        <Tool label="Closer" sign="+" onClick={() => moves.closer()} />
      </span>
    </div>
  );
}

function Tool({ label, sign, onClick }: { label: string; sign: string; onClick: () => void }) {
  return (
    <button type="button" class="button is-small" aria-label={label} title={label} onClick={onClick}>
      {sign}
    </button>
  );
}
