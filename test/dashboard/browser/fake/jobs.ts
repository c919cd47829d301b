import type { FleetJob } from "../../../../lib/dashboard/api.ts";
import type { RunView, ScheduleView } from "../../../../lib/operations/index.ts";
import { upcoming } from "../../../../lib/operations/upcoming.ts";
import type { RunStatus } from "../../../../lib/run/index.ts";

/** The clock of the fake server: the evening before the clocks go forward in Europe. */
export const NOW = "2026-03-28T20:00:00Z";
const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

export function instant(minutesFromNow: number): string {
  return new Date(Date.parse(NOW) + minutesFromNow * MINUTE_MS).toISOString().replace(".000Z", "Z");
}

/** A schedule as the operations tell it at the fake clock: in words, with its next occurrence and its warnings. */
export function scheduleOf(expression: string, timeZone: string, createdMinutesAgo = 90 * 24 * 60): ScheduleView {
  const createdMs = Date.parse(instant(-createdMinutesAgo));
  const range = { fromMs: Date.parse(NOW), count: 1, createdMs };
  const { description, warnings, occurrences } = upcoming({ expression, timeZone }, range);
  return { name: "default", expression, timeZone, description, next: occurrences[0], warnings };
}

export type Change = Partial<Omit<RunView, "status">> & { readonly status?: RunStatus };

/** A run of so many minutes ago; everything of it can be said otherwise. */
export function runOf(job: string, minutesAgo: number, change: Change = {}): RunView {
  const scheduledTime = instant(-minutesAgo);
  const durationMs = change.durationMs ?? 42_000;
  const status = change.status ?? "SUCCEEDED";
  const ran = status !== "SKIPPED";
  const startedAt = new Date(Date.parse(scheduledTime) + 1_200).toISOString();
  const endedAt = new Date(Date.parse(startedAt) + durationMs).toISOString();
  const requestId = "6b1f3a52-0d4e-4c0e-9c39-5f1a2b3c4d5e";
  const ended = status === "RUNNING" ? {} : { endedAt, ...(ran && { durationMs }) };
  const attempt = { attempt: 1, status, startedAt, requestId, ...ended, error: change.error };
  return {
    job,
    runId: `${new Date(scheduledTime).toISOString()}#default`,
    status,
    schedule: "default",
    scheduledTime,
    timeZone: "Europe/Berlin",
    trigger: { kind: "schedule" },
    fencingToken: 118,
    attempts: ran ? [attempt] : [],
    ...(ran ? { startedAt } : {}),
    ...(status === "RUNNING" ? {} : { endedAt }),
    requestId,
    log: `.escapement/logs/Escapement-dev_${job}/2026-03-28/1.log`,
    ...ended,
    ...change,
  };
}

/** A healthy job that is due in so many minutes of a day, every day; everything of it can be said otherwise. */
export function jobOf(name: string, minutesToNext: number, change: Partial<FleetJob> = {}): FleetJob {
  const [, hour, minute] = /T(\d\d):(\d\d)/.exec(instant(minutesToNext)) ?? [];
  const lastRun = runOf(name, 60 * 24 - minutesToNext);
  return {
    job: name,
    schedules: [scheduleOf(`cron(${Number(minute)} ${Number(hour)} * * ? *)`, "UTC")],
    state: "idle",
    firstSeen: instant(-90 * 24 * 60),
    waiting: [],
    lastRun,
    lastSuccess: lastRun.scheduledTime,
    consecutiveFailures: 0,
    recent: recentOf("SSSSSSSSSS", 42_000),
    ...change,
  };
}

const LETTERS: Readonly<Record<string, RunStatus>> = {
  S: "SUCCEEDED",
  F: "FAILED",
  T: "TIMED_OUT",
  L: "LOST",
  K: "SKIPPED",
  C: "CANCELLED",
  R: "RUNNING",
};

/** A letter for each of the newest runs, the newest first. */
export function recentOf(letters: string, usualDurationMs?: number): FleetJob["recent"] {
  const statuses = [...letters].map((letter) => LETTERS[letter] ?? "SUCCEEDED");
  return {
    runs: statuses.map((status, index) => ({
      runId: `${new Date(Date.parse(NOW) - (index + 1) * DAY_MS).toISOString()}#default`,
      status,
    })),
    succeeded: statuses.filter((status) => status === "SUCCEEDED").length,
    failed: statuses.filter((status) => ["FAILED", "TIMED_OUT", "LOST"].includes(status)).length,
    usualDurationMs,
  };
}
