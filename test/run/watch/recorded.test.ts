import { expect, test } from "vitest";
import { type JobState, type RunRecord, recordedTimes } from "../../../lib/run/index.ts";
import { leaseFor } from "../../../lib/run/lease.ts";
import { first, T0, waiting } from "../model.ts";

const idle: JobState = { consecutiveFailures: 0 };
const id = (time: string, schedule = "default") => `2026-03-02T${time}:00.000Z#${schedule}`;
const recordOf = (runId: string) => ({ runId, status: "SUCCEEDED" }) as RunRecord;

/** Of the schedule "default", as times of the day. */
function known(runs: readonly string[], state: Partial<JobState> = {}): string[] {
  const times = recordedTimes("default", { ...idle, ...state }, runs.map(recordOf));
  return times.map((timeMs) => new Date(timeMs).toISOString().slice(11, 16));
}

test("an occurrence is known by its record", () => {
  expect(known([id("09:00"), id("10:00")])).toEqual(["09:00", "10:00"]);
  expect(known([])).toEqual([]);
});

test("or while it waits, is at work, or was the last to end: then its record may not be among those that were read", () => {
  const queue = [waiting(id("05:00")), waiting(id("06:00"))];
  const last = { runId: id("03:00"), status: "SUCCEEDED", endedMs: T0 } as const;
  const lease = leaseFor({ ...first, runId: id("04:00") }, 1, T0);
  expect(known([id("02:00")], { queue, last, lease })).toEqual(["02:00", "03:00", "04:00", "05:00", "06:00"]);
});

test("once, wherever it is found", () => {
  const lease = leaseFor({ ...first, runId: id("09:00") }, 2, T0);
  expect(known([id("09:00")], { lease, queue: [waiting(id("09:00"))] })).toEqual(["09:00"]);
});

test("oldest first, whatever the order of the records", () => {
  // 9 hours, 100 days and 10 hours since 1970.
  const ids = ["1970-01-01T09:00:00.000Z", "1970-04-11T00:00:00.000Z", "1970-01-01T10:00:00.000Z"];
  const times = recordedTimes(
    "default",
    idle,
    ids.map((time) => recordOf(`${time}#default`)),
  );
  expect(times).toEqual([32_400_000, 36_000_000, 8_640_000_000]);
});

test("not of another schedule, of a manual run, or by an id that is none", () => {
  const others = [id("09:00", "weekly"), "manual#request", "2026-03-02T09:00:00.000Z#manual#default", "default"];
  expect(known([...others, id("10:00")])).toEqual(["10:00"]);
});
