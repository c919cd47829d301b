import type { ExpectedOccurrence } from "../../api.ts";
import { utcText } from "../format/instant.ts";
import type { Tooth } from "./layout.ts";
import { TEETH_HEIGHT } from "./timeline-row.tsx";

const STATE_TEXTS: Readonly<Record<ExpectedOccurrence["state"], string>> = {
  recorded: "fell due",
  missed: "missed: it fell due and has no record",
  paused: "fell due in a pause, and did not run",
  due: "due: it may still be on its way",
  "to-come": "to come",
};

/** An occurrence as a tooth on the line; what is missed can be reached by the keyboard, too. */
export function OccurrenceTooth({ tooth: { x, state, occurrence, count } }: { tooth: Tooth }) {
  const { scheduledTime, local, note, schedule } = occurrence;
  const several = count > 1 ? `${count} of them, from ` : "";
  const text = [
    STATE_TEXTS[state],
    `${several}${local.slice(0, 16).replace("T", " ")} · ${utcText(scheduledTime)}`,
    schedule !== "default" && `schedule ${schedule}`,
    note,
  ]
    .filter((line) => typeof line === "string")
    .join("\n");
  const focusable = state === "missed" ? ({ tabindex: 0, role: "img", "aria-label": text } as const) : {};
  return (
    <g class={`tooth is-${state}`} transform={`translate(${x} ${TEETH_HEIGHT})`} data-tip={text} {...focusable}>
      <rect class="tooth-reach" x="-5" y="-15" width="10" height="17" />
      <ToothShape state={state} />
    </g>
  );
}

/** Its sign alone. */
export function ToothShape({ state }: { state: Tooth["state"] }) {
  switch (state) {
    case "recorded":
      return <path d="M0 0V-6" />;
    case "to-come":
      return <circle cy="-5" r="2.600" />;
    case "due":
      return <path d="M-3.500-8h7L0-1z" />;
    case "paused":
      return <path d="M-2-9v7M2-9v7" />;
    case "missed":
      return (
        <>
          <circle cy="-8" r="5.500" />
          <path d="M0-11v3.500M0-5.200v.2" />
        </>
      );
  }
}
