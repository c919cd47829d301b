import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createOperations } from "../../lib/operations/operations.ts";
import type { ScheduleSpec } from "../../lib/schedule/index.ts";
import { backendOn, minute, nightly, openFleet } from "./fleet.ts";

const DAY_MS = 24 * 60 * minute;
let fleet: Awaited<ReturnType<typeof openFleet>>;
const at = (nowMs: number) => createOperations(backendOn(fleet, () => nowMs));
const run = (timeMs: number) => fleet.succeed(timeMs);

beforeEach(async () => {
  fleet = await openFleet();
});
afterEach(() => fleet.close());

describe("of a nightly job in Berlin's time, in the week of the change to summer time", () => {
  beforeEach(async () => {
    await fleet.register.putFleetJob(nightly, Date.UTC(2026, 2, 20));
    await run(Date.UTC(2026, 2, 26, 1, 30));
    await at(Date.UTC(2026, 2, 27, 12)).pause("nightly", { by: "ada", reason: "source down" });
    await at(Date.UTC(2026, 2, 28, 12)).resume("nightly", { by: "ada" });
  });

  const timeline = async (nowMs: number, range = { from: "2026-03-26T00:00:00Z", to: "2026-04-02T00:00:00Z" }) =>
    (await at(nowMs).timeline({ ...range, jobs: ["nightly"] })).jobs[0];

  test("each occurrence says whether it ran, was missed, fell into a pause, may be on its way or is to come", async () => {
    // 31 March 00:30 was half an hour ago, and its maxLateness is an hour.
    const told = await timeline(Date.UTC(2026, 2, 31, 1));

    expect(told?.occurrences.map(({ local, state, note }) => [local, state, note])).toEqual([
      ["2026-03-26T02:30:00+01:00", "recorded", undefined],
      ["2026-03-27T02:30:00+01:00", "missed", undefined],
      ["2026-03-28T02:30:00+01:00", "paused", undefined],
      // On the 29th there is no 02:30.
      ["2026-03-30T02:30:00+02:00", "missed", "02:30 is skipped on 29 March 2026 (clock change)"],
      ["2026-03-31T02:30:00+02:00", "due", undefined],
      ["2026-04-01T02:30:00+02:00", "to-come", undefined],
    ]);
    expect(told?.runs.map(({ runId, status }) => [runId, status])).toEqual([
      ["2026-03-26T01:30:00.000Z#default", "SUCCEEDED"],
    ]);
  });

  const disabledInConsole = { spec: nightly.schedules["default"] as ScheduleSpec, enabled: false, modifiedMs: 0 };
  test.for([
    ["the template disables the schedule", { isDisabled: () => true }],
    ["somebody disabled the schedule in the console", { deployedSchedule: async () => disabledInConsole }],
  ] as const)("where %s, what ran is told, and nothing was missed or is to come", async ([_, more]) => {
    const backend = backendOn(fleet, () => Date.UTC(2026, 2, 31, 1), more);
    const range = { from: "2026-03-26T00:00:00Z", to: "2026-04-02T00:00:00Z", jobs: ["nightly"] };
    const { jobs } = await createOperations(backend).timeline(range);
    expect(jobs[0]?.occurrences.map(({ local, state }) => [local, state])).toEqual([
      ["2026-03-26T02:30:00+01:00", "recorded"],
    ]);
  });

  test("the change of the clocks is told where it falls into the range", async () => {
    const now = Date.UTC(2026, 3, 2);

    expect((await timeline(now))?.clockChanges).toEqual([
      { at: "2026-03-29T01:00:00Z", before: "+01:00", after: "+02:00" },
    ]);
    const after = { from: "2026-03-30T00:00:00Z", to: "2026-04-02T00:00:00Z" };
    expect((await timeline(now, after))?.clockChanges).toEqual([]);
  });

  test("a run that was due before the range and at work in it is told", async () => {
    const told = await timeline(Date.UTC(2026, 3, 2), { from: "2026-03-26T01:30:02Z", to: "2026-03-26T02:00:00Z" });

    expect(told).toMatchObject({ occurrences: [], runs: [{ scheduledTime: "2026-03-26T01:30:00Z" }] });
  });

  test("before the job was known nothing was due", async () => {
    const told = await timeline(Date.UTC(2026, 3, 2), { from: "2026-03-18T00:00:00Z", to: "2026-03-21T00:00:00Z" });

    expect(told?.occurrences.map(({ scheduledTime }) => scheduledTime)).toEqual(["2026-03-20T01:30:00Z"]);
  });

  test("more than 31 days, and a job that there is not, are refused", async () => {
    const long = { from: "2026-03-01T00:00:00Z", to: "2026-04-01T00:00:01Z" };
    await expect(timeline(0, long)).rejects.toMatchObject({ code: "INVALID_INPUT", message: /more than 31 days/ });
    const range = { from: "2026-03-26T00:00:00Z", to: "2026-03-27T00:00:00Z" };
    await expect(at(0).timeline({ ...range, jobs: ["nigthly"] })).rejects.toMatchObject({
      code: "UNKNOWN_JOB",
      message: /did you mean "nightly"/,
    });
  });
});

test("of the past the newest 1,000 are told, of what is to come the next 1,000", async () => {
  const everyMinute = { default: { expression: "cron(* * * * ? *)", timeZone: "UTC" } };
  await fleet.register.putFleetJob({ ...nightly, schedules: everyMinute }, Date.UTC(2026, 4, 1));
  const now = Date.UTC(2026, 4, 10);
  const range = { from: new Date(now - DAY_MS).toISOString(), to: new Date(now + DAY_MS).toISOString() };

  const [told] = (await at(now).timeline(range)).jobs;

  expect(told).toMatchObject({ truncated: true, moreToCome: true });
  expect(told?.occurrences).toHaveLength(2000);
  // 1,000 minutes are 16 hours and 40 minutes; midnight itself is the last of the past.
  expect(told?.occurrences[0]).toMatchObject({ scheduledTime: "2026-05-09T07:21:00Z", state: "missed" });
  expect(told?.occurrences.at(-1)).toMatchObject({ scheduledTime: "2026-05-10T16:40:00Z", state: "to-come" });

  const ahead = await at(now).timeline({ from: new Date(now).toISOString(), to: range.to });
  expect(ahead.jobs[0]).toMatchObject({ truncated: false, moreToCome: true });
});
