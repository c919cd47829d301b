import type { RunView } from "../../../operations/index.ts";
import { durationText } from "../format/duration.ts";

/** A station on a run's way, with how long it took from the one before. */
export interface Station {
  readonly name: string;
  readonly at: string;
  readonly since?: string | undefined;
}

/** A run's way from when it was due to its end. */
export function courseOf(run: RunView): Station[] {
  const { scheduledTime, requestedAt, workTime, deliveredAt, attempts, endedAt, status } = run;
  const latest = attempts.length > 1 ? run.startedAt : undefined;
  const known: [string, string | undefined][] = [
    ["Works for", workTime],
    ["Scheduled", scheduledTime],
    ["Requested", requestedAt],
    ["Delivered", deliveredAt],
    ["Started", beganAt(run)],
    [`Attempt ${attempts.length} started`, latest],
    [status === "SKIPPED" ? "Skipped" : "Ended", endedAt],
  ];
  const stations: Station[] = [];
  for (const [name, at] of known) {
    if (at === undefined) continue;
    const before = stations.at(-1);
    // The time that a manual run works for is long ago, and no part of its way.
    const since = before && before.name !== "Works for" ? sinceText(before.at, at) : undefined;
    stations.push({ name, at, since });
  }
  return stations;
}

/** How long its first attempt waited for the lock; undefined where it has not started, or is of an earlier release. */
export function lockWaitText(run: RunView): string | undefined {
  const began = beganAt(run);
  return began && run.deliveredAt && passedText(run.deliveredAt, began);
}

function beganAt({ attempts, startedAt }: RunView): string | undefined {
  return attempts[0]?.startedAt ?? startedAt;
}

function sinceText(before: string, at: string): string {
  return `+${passedText(before, at)}`;
}

/** Two clocks may differ. */
function passedText(before: string, at: string): string {
  return durationText(Math.max(0, Date.parse(at) - Date.parse(before)));
}
