import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createOperations } from "../../lib/operations/operations.ts";
import { backendOn, minute, nightly, openFleet } from "./fleet.ts";

const seenMs = Date.UTC(2026, 4, 1);
const every = (expression: string) => ({ ...nightly, schedules: { default: { expression, timeZone: "UTC" } } });
const may2 = (hour: number, minutes: number, seconds = 0) => Date.UTC(2026, 4, 2, hour, minutes, seconds);

let fleet: Awaited<ReturnType<typeof openFleet>>;
const at = (nowMs: number) => createOperations(backendOn(fleet, () => nowMs, { invoke: async () => {} }));
const run = (timeMs: number) => fleet.succeed(timeMs);

beforeEach(async () => {
  fleet = await openFleet();
});
afterEach(() => fleet.close());

/** When the job falls due next, by everybody who says it. */
async function nextByAll(nowMs: number) {
  const operations = at(nowMs);
  const [listed] = await operations.list();
  const timeline = await operations.timeline({
    from: new Date(nowMs).toISOString(),
    to: new Date(nowMs + 60 * minute).toISOString(),
  });
  return {
    next: (await operations.next("nightly", { count: 1 })).occurrences[0]?.at,
    list: listed?.schedules[0]?.next?.at,
    describe: (await operations.describe("nightly")).schedules[0]?.next?.at,
    resume: (await operations.lookAtPause("nightly")).next,
    timeline: timeline.jobs[0]?.occurrences.find(({ state }) => state === "to-come")?.scheduledTime,
  };
}

const all = (text: string) => ({ next: text, list: text, describe: text, resume: text, timeline: text });

describe("a rate that was changed under a known job counts from the change, as the scheduler does", () => {
  // The job is known since midnight, and its rate is another one since 10:20.
  beforeEach(async () => {
    await fleet.register.putFleetJob(every("rate(1 hour)"), seenMs);
    await fleet.register.putFleetJob(every("rate(30 minutes)"), may2(10, 20));
  });

  test("for everybody who says what comes next", async () => {
    expect(await nextByAll(may2(10, 25))).toEqual(all("2026-05-02T10:50:00Z"));
  });

  test("for who counts what a pause has held up", async () => {
    await at(may2(10, 25)).pause("nightly", { by: "ada", reason: "source down" });

    // 10:50 and 11:20, by now no more on their way; by the first rate's hours only 11:00 would be between.
    expect((await at(may2(13, 0)).lookAtPause("nightly")).unrecorded).toEqual({
      count: 2,
      first: "2026-05-02T10:50:00Z",
      last: "2026-05-02T11:20:00Z",
    });
  });

  test("for who backfills, shows or misses what is past", async () => {
    const range = { from: "2026-05-02T10:25:00Z", to: "2026-05-02T11:25:00Z" };
    const operations = at(may2(14, 0));
    const due = ["2026-05-02T10:50:00Z", "2026-05-02T11:20:00Z"];

    expect((await operations.planBackfill("nightly", range)).runs.map((one) => one.scheduledTime)).toEqual(due);
    expect((await operations.missed("nightly", range)).missed.map((one) => one.scheduledTime)).toEqual(due);
    const { jobs } = await operations.timeline(range);
    expect(jobs[0]?.occurrences.map((one) => one.scheduledTime)).toEqual(due);
  });
});

test("where the rate stands is said by its newest run: its creation is known only as far as somebody looked", async () => {
  // EventBridge has it since 12:00:20; the watchdog has seen it at 12:03.
  await fleet.register.putFleetJob(every("rate(1 hour)"), may2(12, 3));
  await run(may2(13, 0, 20));

  expect(await nextByAll(may2(13, 30))).toEqual(all("2026-05-02T14:00:20Z"));
});
