import { useEffect } from "preact/hooks";
import type { TimelineAnswer } from "../../api.ts";
import { get } from "../api/client.ts";
import { type Loaded, useLoaded } from "../state/loadable.ts";
import { useEvents } from "../state/use-events.ts";
import { applyRun } from "./apply-event.ts";
import { rangeToAsk, type Viewport } from "./viewport.ts";

const READ_AGAIN_MS = 60_000;

/** The timeline of what is in sight and a bit more, kept up to date. */
export function useTimeline(
  path: string,
  viewport: Viewport,
  query: Record<string, string> = {},
): Loaded<TimelineAnswer> {
  const { fromMs, toMs } = rangeToAsk(viewport);
  const range = { from: new Date(fromMs).toISOString(), to: new Date(toMs).toISOString() };
  const whole = { ...range, ...query };
  const loaded = useLoaded(path, () => get<TimelineAnswer>(path, whole), JSON.stringify(whole));
  useEvents((event) => {
    if (event.kind !== "run") return;
    loaded.change((timeline) => applyRun(timeline, event.run));
    loaded.mend();
  });
  // What was to come falls due, and no event says so.
  useEffect(() => {
    const timer = setInterval(() => void loaded.reload(), READ_AGAIN_MS);
    return () => clearInterval(timer);
  });
  return loaded;
}
