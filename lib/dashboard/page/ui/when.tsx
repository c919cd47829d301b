import { useComputed } from "@preact/signals";
import { relativeText } from "../format/duration.ts";
import { localText, utcText, zoneWord } from "../format/instant.ts";
import { now } from "../state/clock.ts";

interface WhenProps {
  readonly at: string;
  /** Shows the time on that zone's clock, too. */
  readonly timeZone?: string | undefined;
}

/** An instant, as far as it is from now; on hover and focus in UTC. */
export function When({ at, timeZone }: WhenProps) {
  return (
    <Instant at={at}>
      <Relative at={at} />
      {timeZone && (
        <span class="quiet when-local">
          {localText(at, timeZone)} <span class="zone">{zoneWord(timeZone)}</span>
        </span>
      )}
    </Instant>
  );
}

/** An instant on a zone's clock; on hover and focus in UTC. */
export function At({ at, timeZone }: { at: string; timeZone: string }) {
  return (
    <Instant at={at}>
      {localText(at, timeZone)}
      {"\u00a0"}
      <span class="quiet zone">{zoneWord(timeZone)}</span>
    </Instant>
  );
}

function Instant({ at, children }: { at: string; children: preact.ComponentChildren }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: who has no mouse reads UTC by focus
    <time dateTime={at} class="when" data-tip={utcText(at)} aria-description={utcText(at)} tabIndex={0}>
      {children}
    </time>
  );
}

/** Only its text changes as time goes by; nothing is rendered. */
export function Relative({ at }: { at: string }) {
  const text = useComputed(() => relativeText(Date.parse(at), now.value));
  return <>{text}</>;
}
