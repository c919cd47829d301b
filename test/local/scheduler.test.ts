import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import type { ScheduleDefinition } from "../../lib/local/definitions.ts";
import type { RunnerEvent } from "../../lib/local/events.ts";
import { Scheduler } from "../../lib/local/scheduler.ts";
import type { Upcoming } from "../../lib/operations/index.ts";
import type { Pause } from "../../lib/run/index.ts";
import { nextOf } from "../cli/next-of.ts";
import { ManualClock } from "./manual-clock.ts";
import { tempFolder } from "./temp-folder.ts";

describe("a schedule fires at its occurrences", () => {
  test.each([
    // From 1 May 10:00:00, the creation, to 4 May 10:00:00, not included.
    ["rate(1 minute)", 4320, "2026-05-01T10:00:00Z", "2026-05-04T09:59:00Z"],
    ["rate(90 minutes)", 48, "2026-05-01T10:00:00Z", "2026-05-04T08:30:00Z"],
    ["rate(1 day)", 3, "2026-05-01T10:00:00Z", "2026-05-03T10:00:00Z"],
  ])("LD-03: %s fires %i times in three days, the first time at once", async (expression, count, first, last) => {
    const { clock, fired, start } = machine("2026-05-01T10:00:00Z", [one({ expression })]);
    start();
    await clock.moveTo("2026-05-04T09:59:59Z");
    expect(fired.length).toBe(count);
    expect(fired[0]).toBe(`one ${first}`);
    expect(fired.at(-1)).toBe(`one ${last}`);
  });

  test("LD-04: of three schedules on one function two fire, and the disabled one does not", async () => {
    const { clock, fired, start } = machine("2026-05-01T10:00:30Z", [
      one({ id: "a", expression: "cron(0 * * * ? *)" }),
      one({ id: "b", expression: "cron(30 * * * ? *)" }),
      one({ id: "c", expression: "cron(15 * * * ? *)" }, { enabled: false }),
    ]);
    start();
    await clock.moveTo("2026-05-01T11:00:30Z");
    expect(fired).toEqual(["b 2026-05-01T10:30:00Z", "a 2026-05-01T11:00:00Z"]);
  });

  test.each([
    // From half a minute after the beginning of 1 May in Berlin, a Friday, for 24 hours.
    ["cron(0 * * * ? *)", 24],
    ["cron(0/15 8-9 ? * MON-FRI *)", 8],
    ["cron(30 2 L * ? *)", 0],
    ["cron(* 12 * * ? *)", 60],
    ["cron(0 20-2 * * ? *)", 7],
    ["cron(0/45 * * * ? *)", 48],
    ["cron(0 0 ? * SUN *)", 0],
    ["cron(15 10 ? * 6#1 *)", 1],
    ["at(2026-05-01T18:30:00)", 1],
    // A rate fires when it is made, too.
    ["rate(5 minutes)", 289],
    ["rate(1 hour)", 25],
    ["rate(1 day)", 2],
  ])("LD-05: %s fires in a day when the command next says, %i times", async (expression, count) => {
    const [from, until] = ["2026-04-30T22:00:30Z", "2026-05-01T22:00:30Z"];
    const { clock, fired, start } = machine(from, [one({ expression, timeZone: "Europe/Berlin" })]);
    start();
    await clock.moveTo(until);
    const { stdout } = await nextOf({ expression, timeZone: "Europe/Berlin" }, from, 289);
    const printed = (JSON.parse(stdout) as Upcoming).occurrences.map(({ at }) => at).filter((at) => at <= until);
    const atOnce = expression.startsWith("rate") ? [from] : [];
    expect(fired).toEqual([...atOnce, ...printed].map((at) => `one ${at}`));
    expect(fired.length).toBe(count);
  });

  test.each(["America/Los_Angeles", "Asia/Kolkata"])(
    "TZ-15: without a zone noon is 12:00Z on a machine in %s",
    async (zone) => {
      const machineZone = process.env["TZ"];
      process.env["TZ"] = zone;
      try {
        const { clock, fired, start } = machine("2026-05-01T11:59:30Z", [one({ expression: "cron(0 12 * * ? *)" })]);
        start();
        await clock.moveTo("2026-05-01T12:00:00Z");
        expect(fired).toEqual(["one 2026-05-01T12:00:00Z"]);
      } finally {
        if (machineZone === undefined) delete process.env["TZ"];
        else process.env["TZ"] = machineZone;
      }
    },
  );

  test("LD-07: one that is changed again and again, renamed and removed fires by what it is now alone", async () => {
    const { clock, fired, missed, start } = machine("2026-05-01T10:00:30Z", [one({ expression: "cron(* * * * ? *)" })]);
    const scheduler = start();
    const change = (...schedules: ScheduleDefinition[]) => {
      scheduler.replace(schedules, clock.nowMs());
      scheduler.resume();
    };
    for (const minute of [10, 20, 30, 40, 50]) change(one({ expression: `cron(${minute} * * * ? *)` }));
    await clock.moveTo("2026-05-01T10:55:30Z");
    expect(fired).toEqual(["one 2026-05-01T10:50:00Z"]);
    change(one({ id: "renamed", expression: "cron(50 * * * ? *)" }));
    await clock.moveTo("2026-05-01T11:55:30Z");
    change();
    await clock.moveTo("2026-05-02T11:55:30Z");
    expect(fired).toEqual(["one 2026-05-01T10:50:00Z", "renamed 2026-05-01T11:50:00Z"]);
    expect(missed).toEqual([]);
  });

  test("LD-07: a change that is not valid changes nothing, and one that stays as it was goes on", async () => {
    const hourly = one({ id: "hourly", expression: "rate(1 hour)" });
    const { clock, fired, start } = machine("2026-05-01T10:10:00Z", [hourly]);
    const scheduler = start();
    await clock.moveTo("2026-05-01T10:40:00Z");
    const bad = one({ id: "bad", expression: "cron(99 * * * ? *)" });
    expect(() => scheduler.replace([bad], clock.nowMs())).toThrow(/The schedule bad is not valid/);
    scheduler.replace([hourly, one({ id: "new", expression: "rate(1 day)" })], clock.nowMs());
    scheduler.resume();
    await clock.moveTo("2026-05-01T11:30:00Z");
    expect(fired).toEqual(["hourly 2026-05-01T10:10:00Z", "new 2026-05-01T10:40:00Z", "hourly 2026-05-01T11:10:00Z"]);
  });

  test("one that lies years ahead waits", async () => {
    const { clock, fired, start } = machine("2026-05-01T10:00:00Z", [one({ expression: "at(2029-02-03T04:05:06)" })]);
    start();
    await clock.moveTo("2029-02-03T04:05:05Z");
    expect(fired).toEqual([]);
    await clock.moveTo("2029-02-03T04:05:06Z");
    expect(fired).toEqual(["one 2029-02-03T04:05:06Z"]);
  });

  test.each([
    // In Berlin 02:30 is skipped on 29 March 2026, and comes twice on 25 October: at 00:30Z and 01:30Z.
    ["skip it", "2026-03-28T22:00:00Z", "2026-03-29T22:00:00Z", []],
    ["bring it twice", "2026-10-24T22:00:00Z", "2026-10-25T22:00:00Z", ["one 2026-10-25T00:30:00Z"]],
  ])("02:30 on a day on which the clocks %s", async (_what, from, until, expected) => {
    const { clock, fired, start } = machine(from, [
      one({ expression: "cron(30 2 * * ? *)", timeZone: "Europe/Berlin" }),
    ]);
    start();
    await clock.moveTo(until);
    expect(fired).toEqual(expected);
  });

  test("with a flexible window it fires at its beginning", async () => {
    const schedule = one({ expression: "cron(0 12 * * ? *)", flexibleWindowMinutes: 15 });
    const { clock, fired, start } = machine("2026-05-01T11:59:30Z", [schedule]);
    start();
    await clock.moveTo("2026-05-01T12:00:00Z");
    expect(fired).toEqual(["one 2026-05-01T12:00:00Z"]);
  });

  test("after its end it does not fire", async () => {
    const schedule = one({ expression: "rate(1 hour)", end: "2026-05-01T12:00:00Z" });
    const { clock, fired, start } = machine("2026-05-01T10:00:00Z", [schedule]);
    start();
    await clock.moveTo("2026-05-02T00:00:00Z");
    expect(fired).toEqual(["one 2026-05-01T10:00:00Z", "one 2026-05-01T11:00:00Z", "one 2026-05-01T12:00:00Z"]);
  });
});

describe("what falls due while nobody watches", () => {
  test("is said at the next start, and not fired", async () => {
    const { clock, fired, missed, start } = machine("2026-05-01T10:00:30Z", [one({ expression: "cron(* * * * ? *)" })]);
    const first = start();
    await clock.moveTo("2026-05-01T10:01:30Z");
    first.stop();
    await clock.moveTo("2026-05-01T10:05:10Z");
    start();
    await clock.moveTo("2026-05-01T10:06:00Z");
    expect(fired).toEqual(["one 2026-05-01T10:01:00Z", "one 2026-05-01T10:06:00Z"]);
    expect(missed).toEqual(["4 from 2026-05-01T10:02:00Z to 2026-05-01T10:05:00Z"]);
  });

  test("LD-10: is said after a machine has slept, and only what the last minute brought is fired", async () => {
    const { clock, fired, missed, start } = machine("2026-05-01T10:00:30Z", [one({ expression: "cron(* * * * ? *)" })]);
    start();
    await clock.sleepUntil("2026-05-01T10:03:20Z");
    expect(fired).toEqual(["one 2026-05-01T10:03:00Z"]);
    expect(missed).toEqual(["2 from 2026-05-01T10:01:00Z to 2026-05-01T10:02:00Z"]);
  });

  test("is not said of what fell due in the job's pause: that is skipped, and never was to run", async () => {
    const minutely = one({ expression: "cron(* * * * ? *)" });
    const paused = { atMs: Date.parse("2026-05-01T10:02:30Z"), untilMs: Date.parse("2026-05-01T10:05:00Z") };
    const { clock, missed, start } = machine("2026-05-01T10:00:30Z", [minutely], paused);
    start().stop();
    await clock.moveTo("2026-05-01T10:06:10Z");
    start();
    await clock.moveTo("2026-05-01T10:06:20Z");
    // 10:03 and 10:04 fell due in the pause.
    expect(missed).toEqual(["4 from 2026-05-01T10:01:00Z to 2026-05-01T10:06:00Z"]);
  });

  test("is not said at all where the job is paused still", async () => {
    const minutely = one({ expression: "cron(* * * * ? *)" });
    const { clock, missed, start } = machine("2026-05-01T10:00:30Z", [minutely], { atMs: 0 });
    start().stop();
    await clock.moveTo("2026-05-01T10:06:10Z");
    start();
    await clock.moveTo("2026-05-01T10:06:20Z");
    expect(missed).toEqual([]);
  });

  test("OP-16: is counted up to 10,000 after a long absence, and no flood comes", async () => {
    const { clock, fired, missed, start } = machine("2026-05-01T10:00:30Z", [one({ expression: "cron(* * * * ? *)" })]);
    start().stop();
    await clock.moveTo("2026-08-01T10:00:30Z");
    start();
    await clock.moveTo("2026-08-01T10:00:40Z");
    expect(fired).toEqual([]);
    expect(missed).toEqual(["10000 from 2026-05-01T10:01:00Z to 2026-08-01T10:00:00Z"]);
  });
});

describe("a rate counts from when it was first seen", () => {
  test("also after a second start", async () => {
    const { clock, fired, start } = machine("2026-05-01T10:00:20Z", [one({ expression: "rate(5 minutes)" })]);
    start().stop();
    await clock.moveTo("2026-05-01T10:02:00Z");
    start();
    await clock.moveTo("2026-05-01T10:09:00Z");
    expect(fired).toEqual(["one 2026-05-01T10:00:20Z", "one 2026-05-01T10:05:20Z"]);
  });

  test("anew when its expression has changed", async () => {
    const { clock, fired, start } = machine("2026-05-01T10:00:20Z", [one({ expression: "rate(5 minutes)" })]);
    start().stop();
    await clock.moveTo("2026-05-01T10:02:00Z");
    start([one({ expression: "rate(3 minutes)" })]);
    await clock.moveTo("2026-05-01T10:06:00Z");
    expect(fired).toEqual(["one 2026-05-01T10:00:20Z", "one 2026-05-01T10:02:00Z", "one 2026-05-01T10:05:00Z"]);
  });
});

describe("a schedules.json", () => {
  const memory = {
    expression: "rate(5 minutes)",
    timeZone: "UTC",
    anchorMs: 1777629600000,
    doneUntilMs: 1777629600000,
  };

  test.each([
    ["is cut off", '{"one":'],
    ["holds a list", "[]"],
    ["holds a number", "5"],
    ["has an entry that is none", JSON.stringify({ one: 1 })],
    ["has an entry without anchorMs", JSON.stringify({ one: { ...memory, anchorMs: undefined } })],
    ["has a time in words", JSON.stringify({ one: { ...memory, doneUntilMs: "noon" } })],
    ["has a time that is no date", JSON.stringify({ one: { ...memory, anchorMs: 1e300 } })],
    ["has no expression", JSON.stringify({ one: { ...memory, expression: 5 } })],
  ])("that %s is named, with the way out", (_what, text) => {
    const { stateDir, start } = machine("2026-05-01T10:00:20Z", [one({ expression: "rate(5 minutes)" })]);
    const file = join(stateDir, "schedules.json");
    writeFileSync(file, text);
    expect(() => start()).toThrow(
      expect.objectContaining({
        code: "FOLDER_BROKEN",
        message: expect.stringMatching(/schedules\.json cannot be read: .+\. Delete it: rates then begin anew/),
      }),
    );
    expect(readFileSync(file, "utf8")).toBe(text);
  });
});

interface Spec {
  id?: string;
  expression: string;
  timeZone?: string;
  end?: string;
  flexibleWindowMinutes?: number;
}

function one(
  { id = "one", timeZone = "UTC", ...spec }: Spec,
  more: Partial<ScheduleDefinition> = {},
): ScheduleDefinition {
  const fixed = { job: "job", name: id, functionName: "fn", enabled: true, isWatchdogs: false, arn: `arn:${id}` };
  const delivery = { maxRetries: 185, maxAgeMs: 86_400_000 };
  return { ...fixed, delivery, id, spec: { timeZone, ...spec }, ...more };
}

/** A machine on which a scheduler can be started again and again, on one folder. */
function machine(nowIso: string, schedules: ScheduleDefinition[], paused?: Pick<Pause, "atMs" | "untilMs">) {
  const clock = new ManualClock(nowIso);
  const stateDir = tempFolder();
  const fired: string[] = [];
  const missed: string[] = [];
  const tell = (event: RunnerEvent) => {
    if (event.kind !== "missed") throw new Error(`unexpected: ${JSON.stringify(event)}`);
    expect(event.catchUp).toBe("latest");
    missed.push(`${event.count} from ${seconds(event.firstMs)} to ${seconds(event.lastMs)}`);
  };
  const deliver = (schedule: ScheduleDefinition, timeMs: number) => fired.push(`${schedule.id} ${seconds(timeMs)}`);
  const start = (given = schedules) => {
    const newSinceMs = clock.nowMs();
    const catchUpOf = () => "latest" as const;
    const jobs = { pauseOf: async () => paused, catchUpOf };
    const scheduler = new Scheduler({ stateDir, schedules: given, clock, newSinceMs, deliver, tell, ...jobs });
    scheduler.start();
    onTestFinished(() => scheduler.stop());
    return scheduler;
  };
  return { clock, stateDir, fired, missed, start };
}

function seconds(timeMs: number): string {
  return new Date(timeMs).toISOString().replace(".000Z", "Z");
}
