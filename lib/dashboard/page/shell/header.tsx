import { useComputed } from "@preact/signals";
import type { Target } from "../../../operations/index.ts";
import { utcText } from "../format/instant.ts";
import { now, pace, stands } from "../state/clock.ts";
import { letters } from "../state/letters.ts";
import { target } from "../state/live.ts";
import { route } from "../state/route.ts";
import { ConnectionPill } from "./connection.tsx";
import { openHelp } from "./help.tsx";
import { ThemeSwitch } from "./theme-switch.tsx";

/** What is looked at, the way to every page, and how the connection stands. */
export function Header() {
  return (
    <header class="header">
      <a href="#/" class="brand">
        <img src="/icon.svg" alt="" width="24" height="24" />
        <span>Escapement</span>
      </a>
      <TargetName />
      {target.value?.readOnly && <span class="badge">read only</span>}
      <nav class="nav" aria-label="Pages">
        <Tab href="#/" pages={["fleet", "job", "run"]}>
          Fleet
        </Tab>
        <Tab href="#/timeline" pages={["timeline"]}>
          Timeline
        </Tab>
        <Tab href="#/workers" pages={["workers"]}>
          Workers
        </Tab>
        <Tab href="#/dead-letters" pages={["dead-letters"]}>
          Dead letters <LetterCount />
        </Tab>
        <Tab href="#/doctor" pages={["doctor"]}>
          Doctor
        </Tab>
      </nav>
      <div class="header-end">
        <Faults />
        <WarpedClock />
        <ConnectionPill />
        <ThemeSwitch />
        <button type="button" class="button is-plain" aria-label="Keys" title="Keys (?)" onClick={openHelp}>
          ?
        </button>
      </div>
    </header>
  );
}

function Tab(props: { href: string; pages: readonly string[]; children: preact.ComponentChildren }) {
  const current = props.pages.includes(route.value.page);
  return (
    <a href={props.href} class="tab" aria-current={current ? "page" : undefined}>
      {props.children}
    </a>
  );
}

function TargetName() {
  const { value } = target;
  if (!value) return null;
  return (
    <span class="target" data-tip={targetTip(value.target)}>
      <span class="clip">{value.target.kind === "stack" ? value.target.stack : value.target.fleet}</span>
      <span class={value.target.kind === "stack" ? "badge is-deployed" : "badge"}>
        {value.target.kind === "stack" ? value.target.region : value.target.running ? "local" : "local, not running"}
      </span>
    </span>
  );
}

function targetTip(of: Target): string {
  if (of.kind === "stack") return `The deployed stack ${of.stack} in ${of.region}`;
  return of.running
    ? `The runner of this machine, with its state in ${of.stateDir}`
    : "No runner runs: nothing fires, and nothing can be started";
}

function LetterCount() {
  const { value } = letters;
  if (value.kind !== "loaded" || value.value.length === 0) return null;
  return <span class="count">{value.value.length}</span>;
}

/** Faults that are made on purpose, so that nobody takes them for real ones. */
function Faults() {
  const faults = target.value?.faults ?? [];
  if (faults.length === 0) return null;
  return (
    <span class="badge is-fault" data-tip={`Faults are made on purpose:\n${faults.join("\n")}`}>
      {faults.length === 1 ? faults[0] : `${faults.length} faults on`}
    </span>
  );
}

/** The runner's clock, where it is not the machine's. */
function WarpedClock() {
  const text = useComputed(() => utcText(now.value));
  const clock = target.value?.clock;
  if (!clock) return null;
  return (
    <span
      class={stands.value ? "badge is-clock is-stale" : "badge is-clock"}
      data-tip={
        stands.value
          ? "The runner's clock when it was last heard of"
          : `The runner's clock, and how fast it runs now: ${clock.speed}× while no handler is at work`
      }
    >
      {text} · {stands.value ? "stands" : `${pace.value}×`}
    </span>
  );
}
