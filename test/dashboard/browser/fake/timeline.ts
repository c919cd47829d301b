import type { ExpectedOccurrence, JobTimeline, TimelineAnswer } from "../../../../lib/dashboard/api.ts";
import type { RunView } from "../../../../lib/operations/index.ts";
import { localTime, occurrencesBetween, parseSchedule } from "../../../../lib/schedule/index.ts";
import { type Change, NOW, runOf } from "./jobs.ts";

/** What a fake job did in the nth half-hour of all time: a status, or nothing (it was missed). */
export type History = (index: number) => Change | "missed";

export interface FakeJob {
  readonly job: string;
  readonly expression: string;
  readonly timeZone: string;
  readonly history: History;
}

const SPRING = [{ at: "2026-03-29T01:00:00Z", before: "+01:00", after: "+02:00" }];

const HALF_HOUR_MS = 1_800_000;
const FAILING_INDEX = Date.parse("2026-03-26T04:00:00Z") / HALF_HOUR_MS;
const PAUSED_INDEX = Date.parse("2026-03-26T08:00:00Z") / HALF_HOUR_MS;

/** Those of the shop's jobs that have a timeline, with the schedules that they have there. */
export const FAKE_JOBS: readonly FakeJob[] = [
  { job: "import-catalog", expression: "cron(15 0/2 * * ? *)", timeZone: "Europe/Berlin", history: importing },
  { job: "sync-exchange-rates", expression: "cron(0/30 * * * ? *)", timeZone: "Europe/Berlin", history: syncing },
  {
    job: "close-business-day",
    expression: "cron(30 2 * * ? *)",
    timeZone: "Europe/Berlin",
    history: () => ({ durationMs: 184_000 }),
  },
  { job: "pay-commissions", expression: "cron(0 4 * * ? *)", timeZone: "UTC", history: paying },
  {
    job: "send-invoices",
    expression: "cron(0 9 ? * MON-FRI *)",
    timeZone: "Europe/Berlin",
    history: (index) => (index < PAUSED_INDEX ? { durationMs: 61_000 } : { status: "SKIPPED", reason: "paused" }),
  },
];

function importing(index: number): Change | "missed" {
  if (index % 7 === 3) return "missed";
  if (index % 7 === 4) return { status: "LOST", durationMs: 2_700_000 };
  return { durationMs: 1_500_000 + (index % 3) * 400_000 };
}

function syncing(index: number): Change {
  if (index % 11 === 5) return { status: "TIMED_OUT", durationMs: 900_000 };
  return { durationMs: 240_000 };
}

/** The last three have failed. */
function paying(index: number): Change {
  if (index < FAILING_INDEX) return { durationMs: 5_900 };
  return { status: "FAILED", durationMs: 6_400, error: { name: "PaymentProviderError", message: "503" } };
}

export function timelineAnswer(jobs: readonly FakeJob[], from: string, to: string): TimelineAnswer {
  return { from, to, now: NOW, jobs: jobs.map((job) => jobTimeline(job, Date.parse(from), Date.parse(to))) };
}

function jobTimeline({ job, expression, timeZone, history }: FakeJob, fromMs: number, toMs: number): JobTimeline {
  const schedule = parseSchedule({ expression, timeZone }, { anchorMs: 0 });
  const nowMs = Date.parse(NOW);
  const runs: RunView[] = [];
  const occurrences: ExpectedOccurrence[] = [];
  for (const atMs of occurrencesBetween(schedule, fromMs, toMs)) {
    // What falls due just now is still on its way.
    const happened = atMs >= nowMs ? undefined : history(Math.floor(atMs / HALF_HOUR_MS));
    if (happened && happened !== "missed") runs.push(runOf(job, (nowMs - atMs) / 60_000, { timeZone, ...happened }));
    occurrences.push({
      schedule: "default",
      scheduledTime: new Date(atMs).toISOString(),
      local: localTime(atMs, timeZone),
      runId: `${new Date(atMs).toISOString()}#default`,
      state: atMs >= nowMs ? (atMs > nowMs ? "to-come" : "due") : happened === "missed" ? "missed" : "recorded",
    });
  }
  const clockChanges = timeZone === "Europe/Berlin" ? SPRING.filter(({ at }) => isWithin(at, fromMs, toMs)) : [];
  return { job, timeZone, occurrences, runs, clockChanges, truncated: false, moreToCome: false };
}

function isWithin(at: string, fromMs: number, toMs: number): boolean {
  return Date.parse(at) >= fromMs && Date.parse(at) < toMs;
}
