import { dismiss, type Tiding, tidings } from "../state/tidings.ts";
import { StatusMark } from "../ui/status-mark.tsx";

const MARKS = { done: "SUCCEEDED", info: "idle", warning: "warning", fault: "FAILED" } as const;

/** How actions ended and what the runner says, read aloud as it comes. */
export function Tidings() {
  return (
    <section class="tidings" aria-live="polite" aria-label="News">
      {tidings.value.map((tiding) => (
        <TidingCard key={tiding.id} tiding={tiding} />
      ))}
    </section>
  );
}

function TidingCard({ tiding: { id, level, text, href } }: { tiding: Tiding }) {
  return (
    <div class={`tiding is-${level}`}>
      <StatusMark mark={MARKS[level]} />
      <span class="tiding-text">
        {text}{" "}
        {href && (
          <a href={href} onClick={() => dismiss(id)}>
            Look at it
          </a>
        )}
      </span>
      <button type="button" class="button is-plain" aria-label="Dismiss" onClick={() => dismiss(id)}>
        ✕
      </button>
    </div>
  );
}
