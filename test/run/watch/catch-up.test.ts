import { expect, test } from "vitest";
import { toCatchUp } from "../../../lib/run/index.ts";
import { expectedOccurrences, firstMark } from "../../../lib/run/watch/expected.ts";
import { cron, parseSchedule } from "../../../lib/schedule/index.ts";

const DAY = 86_400_000;

/** The occurrences between two instants, none of which has a run, of which the policy says what to start. */
function caughtUp(
  schedule: ReturnType<typeof cron>,
  from: string,
  until: string,
  policy: "none" | "latest" | "all",
  limit = 10,
) {
  const parsed = parseSchedule(schedule);
  const mark = firstMark(parsed, Date.parse(from));
  const missed = expectedOccurrences(parsed, mark, Date.parse(until), 7 * DAY);
  const started = toCatchUp(
    missed.map((timeMs) => ({ timeMs })),
    [],
    policy,
    limit,
  );
  return started.map(({ timeMs }) => new Date(timeMs).toISOString());
}

const nightly = cron("30 2 * * ? *", { timeZone: "Europe/Berlin" });

test.each([
  ["nothing by default", "none", "2026-03-27T00:00:00Z", "2026-03-31T00:00:00Z", []],
  ["the newest alone", "latest", "2026-03-27T00:00:00Z", "2026-03-31T00:00:00Z", ["2026-03-30T00:30:00.000Z"]],
  [
    // The clocks go forward on the 29th, from 2:00 to 3:00: there is no 2:30 on that day.
    "none of a time that the clock skipped",
    "all",
    "2026-03-27T00:00:00Z",
    "2026-03-31T00:00:00Z",
    ["2026-03-27T01:30:00.000Z", "2026-03-28T01:30:00.000Z", "2026-03-30T00:30:00.000Z"],
  ],
  [
    // They go back on 25 October: 2:30 is shown twice, and is one occurrence, the first.
    "one of a time that the clock showed twice",
    "all",
    "2026-10-24T12:00:00Z",
    "2026-10-26T12:00:00Z",
    ["2026-10-25T00:30:00.000Z", "2026-10-26T01:30:00.000Z"],
  ],
  ["nothing where nothing fell due", "all", "2026-05-01T01:00:00Z", "2026-05-01T20:00:00Z", []],
] as const)("catches up %s", (_what, policy, from, until, expected) => {
  expect(caughtUp(nightly, from, until, policy)).toEqual(expected);
});

test("OP-16: of six hours of a job that is due every five minutes, as many as may wait: the newest, oldest first", () => {
  const every5 = cron("0/5 * * * ? *");
  const started = caughtUp(every5, "2026-05-01T06:00:00Z", "2026-05-01T12:00:00Z", "all");
  expect(started).toHaveLength(10);
  expect(started[0]).toBe("2026-05-01T11:15:00.000Z");
  expect(started.at(-1)).toBe("2026-05-01T12:00:00.000Z");
});
