import { useSignal } from "@preact/signals";
import { useLayoutEffect, useRef } from "preact/hooks";
import type { LogLine, RunView } from "../../../operations/index.ts";
import { get, jobPath } from "../api/client.ts";
import type { LogParts } from "../format/log-line.ts";
import { plural } from "../format/words.ts";
import { useLoaded } from "../state/loadable.ts";
import { useEvents } from "../state/use-events.ts";
import { Section } from "../ui/facts.tsx";
import { Await } from "../ui/states.tsx";
import { LogLineView } from "./log-line.tsx";
import { MOST_LINES, mergeLog, type RawLine } from "./merge-log.ts";

/** What a run printed; while it runs, as it prints it. */
export function LogView({ run }: { run: RunView }) {
  const heard = useSignal<readonly RawLine[]>([]);
  const { job, runId, status, attempts } = run;
  const key = `${job} ${runId}`;
  const shownKey = useRef(key);
  if (shownKey.current !== key) {
    shownKey.current = key;
    heard.value = [];
  }
  const query = { runId, limit: 1_000 };
  const { state, reload } = useLoaded(
    key,
    () => get<LogLine[]>(jobPath(job, "logs"), query),
    `${status} ${attempts.length}`,
  );
  useEvents((event) => {
    if (event.kind !== "log" || event.job !== job || event.runId !== runId) return;
    heard.value = [...heard.peek(), { at: event.at, text: event.line }].slice(-MOST_LINES);
  });
  const isLive = status === "RUNNING" && !run.interrupted;
  return (
    <Section title="Log" aside={isLive ? <span class="status is-running">live</span> : undefined}>
      <Await state={state.value} rows={3} retry={reload}>
        {(read) => <Lines lines={mergeLog(read, heard.value)} isLive={isLive} />}
      </Await>
    </Section>
  );
}

function Lines({ lines, isLive }: { lines: readonly LogParts[]; isLive: boolean }) {
  const end = useRef<HTMLDivElement>(null);
  const follows = useRef(true);
  // Who has scrolled up reads; who is at the end sees the next line.
  useLayoutEffect(() => {
    if (isLive && follows.current && end.current) end.current.scrollTop = end.current.scrollHeight;
  });
  if (lines.length === 0) return <p class="quiet">{isLive ? "It has printed nothing yet." : "It printed nothing."}</p>;
  function onScroll({ currentTarget }: { currentTarget: HTMLDivElement }) {
    follows.current = currentTarget.scrollHeight - currentTarget.scrollTop - currentTarget.clientHeight < 24;
  }
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by the keyboard
    <div class="log" ref={end} onScroll={onScroll} tabIndex={0} role="log" aria-label={plural(lines.length, "line")}>
      {lines.map((parts, index) => (
        <LogLineView key={index} parts={parts} />
      ))}
    </div>
  );
}
