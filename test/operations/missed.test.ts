import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createOperations } from "../../lib/operations/operations.ts";
import { backendOn, minute, nightly, openFleet } from "./fleet.ts";

const hour = 60 * minute;
const berlin = { expression: "cron(30 2 * * ? *)", timeZone: "Europe/Berlin" };
let fleet: Awaited<ReturnType<typeof openFleet>>;
const at = (nowMs: number) => createOperations(backendOn(fleet, () => nowMs));
const run = (timeMs: number) => fleet.succeed(timeMs);

beforeEach(async () => {
  fleet = await openFleet();
});
afterEach(() => fleet.close());

describe("of a nightly job in Berlin's time", () => {
  // 02:30 does not exist there on 29 March 2026.
  const range = { from: "2026-03-27T00:00:00Z", to: "2026-03-31T00:00:00Z" };
  const now = Date.UTC(2026, 3, 2);

  beforeEach(async () => {
    await fleet.register.putFleetJob(nightly, Date.UTC(2026, 2, 20));
    await run(Date.UTC(2026, 2, 28, 1, 30));
  });

  test("an occurrence without a record is missed; one that the clocks jumped over is none", async () => {
    expect(await at(now).missed("nightly", range)).toEqual({
      job: "nightly",
      from: "2026-03-27T00:00:00Z",
      to: "2026-03-31T00:00:00Z",
      judgedTo: "2026-03-31T00:00:00Z",
      expected: 3,
      missed: [
        { schedule: "default", scheduledTime: "2026-03-27T01:30:00Z", runId: "2026-03-27T01:30:00.000Z#default" },
        { schedule: "default", scheduledTime: "2026-03-30T00:30:00Z", runId: "2026-03-30T00:30:00.000Z#default" },
      ],
      drifted: [],
    });
  });

  test("what fell due in a pause is not missed", async () => {
    await at(Date.UTC(2026, 2, 29, 12)).pause("nightly", { by: "ada", reason: "source down" });
    await at(Date.UTC(2026, 2, 30, 12)).resume("nightly", { by: "ada" });

    const { missed } = await at(now).missed("nightly", range);
    expect(missed.map(({ scheduledTime }) => scheduledTime)).toEqual(["2026-03-27T01:30:00Z"]);
  });

  test("what may still be on its way is not missed", async () => {
    const due = Date.UTC(2026, 2, 30, 0, 30);
    const missedAt = async (nowMs: number) => {
      const { missed, judgedTo } = await at(nowMs).missed("nightly", { from: "2026-03-30T00:00:00Z" });
      return { missed: missed.length, judgedTo };
    };

    // Its maxLateness is an hour, and it may fall into the minute after its time.
    expect(await missedAt(due + hour)).toEqual({ missed: 0, judgedTo: "2026-03-30T00:29:00Z" });
    expect(await missedAt(due + hour + minute)).toEqual({ missed: 1, judgedTo: "2026-03-30T00:30:00Z" });
    expect(await missedAt(due)).toEqual({ missed: 0, judgedTo: "2026-03-30T00:00:00Z" });
  });

  test("before the job was known nothing can be said", async () => {
    await expect(at(now).missed("nightly", { from: "2026-03-19T00:00:00Z" })).rejects.toMatchObject({
      code: "UNKNOWN_PAST",
      message: expect.stringContaining("known since 2026-03-20T00:00:00Z"),
    });
    expect(await at(Date.UTC(2026, 2, 20, 1)).missed("nightly")).toMatchObject({ from: "2026-03-20T00:00:00Z" });
  });

  test("what fell due before the schedule was another one is not missed: by then it was not due", async () => {
    const earlier = { default: { expression: "cron(0 6 * * ? *)", timeZone: "UTC" } };
    await fleet.register.putFleetJob({ ...nightly, schedules: earlier }, Date.UTC(2026, 2, 21));
    await fleet.register.putFleetJob(nightly, Date.UTC(2026, 2, 29, 12));

    expect(await at(now).missed("nightly", range)).toMatchObject({
      expected: 1,
      missed: [{ scheduledTime: "2026-03-30T00:30:00Z" }],
    });
  });

  test.each([
    ["gone", undefined, "deleted"],
    ["disabled in the console", { spec: berlin, enabled: false, modifiedMs: 0 }, "disabled"],
    ["another one", { spec: { ...berlin, timeZone: "UTC" }, enabled: true, modifiedMs: 0 }, "changed"],
  ] as const)(
    "where EventBridge's schedule is %s nothing is missed, and that is said",
    async (_how, deployed, drift) => {
      const operations = createOperations(backendOn(fleet, () => now, { deployedSchedule: async () => deployed }));
      expect(await operations.missed("nightly", range)).toMatchObject({
        expected: 0,
        missed: [],
        drifted: [{ schedule: "default", drift }],
      });
    },
  );

  test("what fell due before EventBridge's schedule was last changed is not missed: nobody knows how it was", async () => {
    const deployed = { spec: berlin, enabled: true, modifiedMs: Date.UTC(2026, 2, 29) };
    const operations = createOperations(backendOn(fleet, () => now, { deployedSchedule: async () => deployed }));
    expect(await operations.missed("nightly", range)).toMatchObject({
      missed: [{ scheduledTime: "2026-03-30T00:30:00Z" }],
    });
  });

  test("where the template disables the schedule nothing is missed", async () => {
    const operations = createOperations(backendOn(fleet, () => now, { isDisabled: () => true }));
    expect(await operations.missed("nightly", range)).toMatchObject({ expected: 0, missed: [] });
  });

  test("of all jobs: those that are disabled or gone miss nothing", async () => {
    await fleet.register.putFleetJob({ ...nightly, job: "off", enabled: false }, Date.UTC(2026, 2, 20));
    await fleet.register.putFleetJob({ ...nightly, job: "gone" }, Date.UTC(2026, 2, 20));
    await fleet.register.removeFleetJob("gone", Date.UTC(2026, 2, 21));

    expect((await at(now).missedOfAll(range)).map(({ job }) => job)).toEqual(["nightly"]);
  });
});

test("a rate counts on from its runs, also where they are not on its first grid", async () => {
  const schedules = { default: { expression: "rate(1 hour)", timeZone: "UTC" } };
  await fleet.register.putFleetJob({ ...nightly, schedules }, Date.UTC(2026, 4, 1));
  for (const hours of [0, 1, 3]) await run(Date.UTC(2026, 4, 2, hours, 20));

  const found = await at(Date.UTC(2026, 4, 3)).missed("nightly", {
    from: "2026-05-02T01:00:00Z",
    to: "2026-05-02T04:00:00Z",
  });
  expect(found.missed.map(({ scheduledTime }) => scheduledTime)).toEqual(["2026-05-02T02:20:00Z"]);
});

test("of six hours without deliveries all is told, once it cannot come any more, and nothing runs for it (OP-16)", async () => {
  const schedules = { default: { expression: "cron(0/5 * * * ? *)", timeZone: "UTC" } };
  await fleet.register.putFleetJob({ ...nightly, schedules }, Date.UTC(2026, 4, 1));
  await run(Date.UTC(2026, 4, 2, 5, 55));

  const operations = at(Date.UTC(2026, 4, 2, 14));
  const found = await operations.missed("nightly", { from: "2026-05-02T05:55:00Z", to: "2026-05-02T12:00:00Z" });
  // 12 in each of six hours.
  expect(found.missed).toHaveLength(72);
  expect(await operations.runs("nightly")).toHaveLength(1);
});
