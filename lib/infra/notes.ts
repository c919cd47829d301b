import { Annotations } from "aws-cdk-lib";
import type { IConstruct } from "constructs";
import { listed, occurrencesBetween, parseSchedule } from "../schedule/index.ts";
import type { LoadedJob } from "./load-jobs.ts";

const minuteMs = 60_000;
const dayMs = 86_400_000;
/** Lambda delivers an event again about one and two minutes after a failure. What lasts longer meets its own lock twice. */
const longestRedeliveredMs = 55_000;
/** A tenth of the 1,000 functions at once that an account has by default, for one minute's schedules alone. */
const crowd = 100;

/** Tells what the jobs of a fleet, each right by itself, mean together. */
export function addNotes(fleet: IConstruct, jobs: readonly LoadedJob[], nowMs: number): void {
  noteLongCrashes(fleet, jobs);
  warnOfCrowd(fleet, jobs, nowMs);
}

/** A crash early in a long run is found by its own redeliveries to be still at work, until they are used up. */
function noteLongCrashes(fleet: IConstruct, jobs: readonly LoadedJob[]): void {
  const waiting = jobs.filter(
    ({ timeoutMs, heartbeatMs, overlap }) =>
      timeoutMs > longestRedeliveredMs && heartbeatMs === undefined && overlap !== "allow",
  );
  if (waiting.length === 0) return;
  Annotations.of(fleet).addInfoV2(
    "escapement:CRASH_WAITS",
    `A crash early in a run waits for the watchdog in jobs whose timeout is over 55 seconds and that have no heartbeat: ${listed(waiting.map(({ name }) => name))}. Where that is too long, give the job a heartbeat.`,
  );
}

/** What starts in the same minute of the next day, flexible windows apart. */
function warnOfCrowd(fleet: IConstruct, jobs: readonly LoadedJob[], nowMs: number): void {
  const starts = new Map<number, number>();
  for (const spec of jobs.flatMap(({ schedules, enabled }) => (enabled ? Object.values(schedules) : []))) {
    const schedule = parseSchedule(spec);
    // A rate's minute is the one of its creation.
    if (schedule.kind === "rate" || schedule.flexibleWindowMinutes) continue;
    for (const ms of occurrencesBetween(schedule, nowMs, nowMs + dayMs)) {
      const minute = Math.floor(ms / minuteMs) * minuteMs;
      starts.set(minute, (starts.get(minute) ?? 0) + 1);
    }
  }
  const [minute, count] = [...starts].reduce((most, one) => (one[1] > most[1] ? one : most), [0, 0]);
  if (count < crowd) return;
  Annotations.of(fleet).addWarningV2(
    "escapement:CROWDED_MINUTE",
    `${count} schedules start in the same minute, ${new Date(minute).toISOString().slice(0, 16)}Z for one, and share the account's concurrency. Spread them: give the fleet spreadMinutes: 15, single schedules another minute or a window such as cron("0 * * * ? *", { flexibleWindowMinutes: 15 }).`,
  );
}
