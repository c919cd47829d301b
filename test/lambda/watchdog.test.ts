import { PutItemCommand } from "@aws-sdk/client-dynamodb";
import { marshall } from "@aws-sdk/util-dynamodb";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { lookAtFleet } from "../../lib/lambda/watchdog/look-at-fleet.ts";
import { openTable, type TestTable } from "./harness.ts";
import { at, MINUTE, rates, watchdogScene } from "./watchdog-scene.ts";

let table: TestTable;
beforeAll(async () => {
  table = await openTable();
});
afterAll(() => table.close());

const failed = { status: "FAILED", error: { name: "Error", message: "no rates today" } } as const;

describe("missed occurrences", () => {
  test("are counted once, however often the watchdog looks", async () => {
    const scene = watchdogScene(table, [rates]);
    await scene.look("00:00");
    await scene.run("00:15");
    expect(await scene.look("00:36")).toEqual([["missed", "sync-rates", 1]]);
    expect(await scene.look("00:36")).toEqual([]);
    expect(await scene.look("00:41")).toEqual([]);
    expect(scene.lines.filter(({ level }) => level === "error")).toMatchObject([
      {
        extra: { job: "sync-rates", occurrences: [{ schedule: "default", scheduledTime: "2026-05-02T00:30:00.000Z" }] },
      },
    ]);
    expect(scene.invoked).toEqual([]);
  });

  test("are those of a schedule that is new, whatever it is named", async () => {
    const schedules = { ...rates.schedules, toString: { expression: "cron(5 * * * ? *)", timeZone: "UTC" } };
    const maxLatenessMs = { ...rates.maxLatenessMs, toString: 5 * MINUTE };
    const scheduleNames = { ...rates.scheduleNames, toString: "sync-rates-new" };
    const jobs = [{ ...rates, schedules, maxLatenessMs, scheduleNames }];
    const scene = watchdogScene(table, [rates]);
    await scene.look("00:00");
    await scene.look("00:01", { jobs });
    await scene.run("00:15");
    expect(await scene.look("00:20", { jobs })).toEqual([["missed", "sync-rates", 1]]);
  });

  test("are counted once also by two watchdogs at the same time", async () => {
    const scene = watchdogScene(table, [rates]);
    await scene.look("00:00");
    scene.now("00:21");
    scene.counted.length = 0;
    const both = [scene.watchdog(), scene.watchdog()].map((watchdog) => lookAtFleet(watchdog, () => true));
    await Promise.all(both);
    expect(scene.counted.filter(([kind]) => kind === "missed")).toEqual([["missed", "sync-rates", 1]]);
  });

  test("are none before the first deployment, and of none that is at work, without a record", async () => {
    const scene = watchdogScene(table, [rates]);
    expect(await scene.look("00:10")).toEqual([]);
    await scene.begin("00:15", { leaseExpiresAtMs: at("00:30") });
    expect(await scene.look("00:22")).toEqual([]);
  });

  test("are none of a schedule that was disabled in the console, which is asked for only then", async () => {
    const scene = watchdogScene(table, [rates]);
    await scene.look("00:00");
    await scene.run("00:15");
    await scene.look("00:25");
    expect(scene.asked).toEqual([]);
    scene.deployed.set("sync-rates", {
      spec: rates.schedules["default"] as never,
      enabled: false,
      modifiedMs: at("00:20"),
    });
    expect(await scene.look("00:36")).toEqual([]);
    expect(scene.asked).toEqual(["sync-rates"]);
    expect(scene.lines.at(-1)).toMatchObject({ level: "warn", extra: { drift: "disabled" } });
  });

  test("that are known to fall into an absence are not counted, and are caught up", async () => {
    const latest = { ...rates, catchUp: "latest" } as const;
    const scene = watchdogScene(table, [latest]);
    await scene.look("00:00");
    await scene.notes.noteAway(at("01:10"));
    expect(await scene.look("01:11")).toEqual([]);
    expect(scene.invoked.map(({ event }) => event)).toMatchObject([
      { escapement: { start: { runId: "2026-05-02T01:00:00.000Z#default" } } },
    ]);
  });
});

describe("a pause", () => {
  test("hides nothing that was missed before it, and nothing that fell due in it is missed, also when it is over", async () => {
    const scene = watchdogScene(table, [rates]);
    await scene.look("00:00");
    await scene.pause("00:20");
    expect(await scene.look("00:22")).toEqual([["missed", "sync-rates", 1]]);
    await scene.resume("00:50");
    // Of 00:30, 00:45 and 01:00 the first two fell due in it.
    expect(await scene.look("01:06")).toEqual([["missed", "sync-rates", 1]]);
    expect(scene.lines.at(-1)?.extra).toMatchObject({ occurrences: [{ scheduledTime: "2026-05-02T01:00:00.000Z" }] });
  });

  test("puts off catching up with what was missed before it: what ran in it would be skipped", async () => {
    const all = { ...rates, catchUp: "all" } as const;
    const scene = watchdogScene(table, [all]);
    await scene.look("00:00");
    await scene.pause("00:20");
    expect(await scene.look("00:22")).toEqual([]);
    expect(scene.invoked).toEqual([]);
    await scene.resume("00:40");
    expect(await scene.look("00:46")).toEqual([["missed", "sync-rates", 1]]);
    expect(scene.invoked.map(({ event }) => event)).toMatchObject([
      { escapement: { start: { runId: "2026-05-02T00:15:00.000Z#default" } } },
    ]);
  });
});

describe("catch-up", () => {
  test("of the latest starts one run of an outage, however many looks it takes to come to light", async () => {
    const latest = { ...rates, catchUp: "latest", maxLatenessMs: { default: 20 * MINUTE } } as const;
    const scene = watchdogScene(table, [latest]);
    await scene.look("00:00");
    // Up to 00:19 and 00:34: of what is missing then, 00:30 and 00:45 are newer, and may be on their way.
    expect(await scene.look("00:40")).toEqual([["missed", "sync-rates", 1]]);
    expect(await scene.look("00:55")).toEqual([["missed", "sync-rates", 1]]);
    expect(scene.invoked).toEqual([]);
    await scene.run("01:00");
    expect(await scene.look("01:10")).toEqual([["missed", "sync-rates", 1]]);
    expect(scene.invoked.map(({ event }) => event)).toMatchObject([
      { escapement: { start: { runId: "2026-05-02T00:45:00.000Z#default" } } },
    ]);
  });

  test.each([
    ["none", []],
    ["latest", ["00:45"]],
    ["all", ["00:30", "00:45"]],
  ] as const)("%s, with a queue of two", async (catchUp, times) => {
    const scene = watchdogScene(table, [{ ...rates, catchUp, queueLength: 2 }]);
    await scene.look("00:00");
    await scene.look("00:52");
    expect(scene.invoked).toEqual(
      times.map((time) => ({
        functionName: "shop_sync-rates",
        event: {
          escapement: {
            job: "sync-rates",
            start: {
              runId: `2026-05-02T${time}:00.000Z#default`,
              cause: "catch-up",
              id: expect.any(String),
              trigger: { kind: "schedule" },
            },
          },
          input: {},
        },
      })),
    );
  });
});

describe("a run whose process died", () => {
  test("is recorded as LOST, gives its lock back, and gets its next attempt", async () => {
    const scene = watchdogScene(table, [rates]);
    await scene.look("00:00");
    await scene.begin("00:15");
    // Its lease ended at 00:16, and five minutes of redelivery are over.
    expect(await scene.look("00:22")).toEqual([["lost", "sync-rates"]]);
    const { state, runs } = await scene.queries.readJob("sync-rates", { limit: 1 });
    expect(state).toMatchObject({ lease: undefined, last: { status: "LOST" }, consecutiveFailures: 1 });
    expect(runs).toMatchObject([{ status: "LOST", attempt: 1 }]);
    expect(scene.invoked).toMatchObject([
      { event: { escapement: { start: { runId: "2026-05-02T00:15:00.000Z#default", cause: "next-attempt" } } } },
    ]);
  });

  test("is recorded once by two watchdogs at the same time", async () => {
    const scene = watchdogScene(table, [rates]);
    await scene.look("00:00");
    await scene.begin("00:15");
    scene.now("00:18");
    scene.counted.length = 0;
    await Promise.all([scene.watchdog(), scene.watchdog()].map((watchdog) => lookAtFleet(watchdog, () => true)));
    expect(scene.counted.filter(([kind]) => kind === "lost")).toEqual([["lost", "sync-rates"]]);
    const { runs } = await scene.queries.readJob("sync-rates", { limit: 1 });
    expect(runs).toMatchObject([{ status: "LOST", attempt: 1, attempts: [{ attempt: 1 }] }]);
  });

  test("without a lock is recorded, too", async () => {
    const scene = watchdogScene(table, [{ ...rates, overlap: "allow" }]);
    await scene.look("00:00");
    await scene.begin("00:15", { overlap: "allow" });
    expect(await scene.look("00:18")).toEqual([["lost", "sync-rates"]]);
  });
});

describe("a next attempt", () => {
  test("is started when no redelivery will come any more, and while attempts are left", async () => {
    const scene = watchdogScene(table, [rates]);
    await scene.look("00:00");
    await scene.run("00:15", failed);
    await scene.look("00:19");
    expect(scene.invoked).toEqual([]);
    await scene.look("00:20");
    expect(scene.invoked).toHaveLength(1);
    await scene.run("00:30", failed, { maxAttempts: 1 });
    await scene.look("00:36", { jobs: [{ ...rates, retries: 0 }] });
    expect(scene.invoked).toHaveLength(1);
  });

  test("is started also hours later, when the watchdog was down", async () => {
    const scene = watchdogScene(table, [rates]);
    await scene.look("00:00");
    await scene.run("00:15", failed);
    await scene.look("00:19");
    await scene.look("09:00");
    expect(scene.invoked).toMatchObject([{ event: { escapement: { start: { cause: "next-attempt" } } } }]);
  });

  // The SHA-256 of {"rows":42}, by another program.
  const input = { bytes: 11, hash: "90f11e42fd7a76398d45de75d868c8fbeb8301cb3df9257be64418ecbe5f354d" };

  test("has the run's input where it was kept whole", async () => {
    const scene = watchdogScene(table, [rates]);
    await scene.look("00:00");
    await scene.run("00:15", failed, { input: { ...input, json: '{"rows":42}' } });
    await scene.look("00:22");
    expect(scene.invoked).toMatchObject([{ event: { input: { rows: 42 } } }]);
  });

  test.each([
    ["not kept", undefined],
    ["kept without what must not be stored", '{"rows":"***"}'],
  ])("is not started where the run's input was %s", async (_, json) => {
    const scene = watchdogScene(table, [rates]);
    await scene.look("00:00");
    await scene.run("00:15", failed, { input: { ...input, json } });
    await scene.look("00:22");
    expect(scene.invoked).toEqual([]);
    expect(scene.lines).toMatchObject([
      { level: "warn", message: expect.stringContaining("its input was not stored") },
    ]);
  });
});

describe("a run that waits for its turn", () => {
  test("is started where nobody is at work who would start it", async () => {
    const scene = watchdogScene(table, [rates]);
    await scene.look("00:00");
    const runId = "2026-05-02T00:15:00.000Z#default";
    const entry = { runId, trigger: { kind: "schedule" }, deliveryId: "delivery-1", requestId: "request-1" };
    const queue = [{ ...entry, queuedAt: "2026-05-02T00:15:01.000Z", input: '{"rows":42}' }];
    await put({ pk: `${scene.fleet}#job#sync-rates`, sk: "state", v: 1, fence: 7, queue });
    await scene.look("00:20");
    expect(scene.invoked).toMatchObject([
      { event: { escapement: { job: "sync-rates", start: { runId, cause: "queued" } }, input: { rows: 42 } } },
    ]);
  });
});

describe("one job does not stop the others", () => {
  test("with a state that cannot be read", async () => {
    const scene = watchdogScene(table, [rates, { ...rates, job: "broken" }]);
    await scene.look("00:00");
    await put({ pk: `${scene.fleet}#job#broken`, sk: "state", v: 99 });
    expect(await scene.look("00:21")).toEqual([["missed", "sync-rates", 1]]);
    expect(scene.counted).toContainEqual(["looked", 1]);
  });

  test("with an item of the list that cannot be read: what needs no memory is done for it, too", async () => {
    const scene = watchdogScene(table, [rates, { ...rates, job: "another" }]);
    await scene.look("00:00");
    await put({ pk: `${scene.fleet}#fleet`, sk: "job#sync-rates", v: 1 });
    await scene.begin("00:15");
    expect(await scene.look("00:21")).toEqual(
      expect.arrayContaining([
        ["lost", "sync-rates"],
        ["missed", "another", 1],
      ]),
    );
    expect(scene.counted).toContainEqual(["looked", 1]);
  });
});

describe("a look without time for all jobs", () => {
  test("goes on at the next one where it stopped", async () => {
    const jobs = Array.from({ length: 45 }, (_, index) => ({ ...rates, job: `job-${String(index).padStart(2, "0")}` }));
    const scene = watchdogScene(table, jobs);
    let begun = 0;
    await scene.look("00:00", { hasTime: () => begun++ < 30 });
    expect((await scene.notes.readNotes()).nextJob).toBe("job-30");
    const listed = async () => (await scene.register.readFleet()).jobs.map(({ job }) => job);
    expect(await listed()).toEqual(jobs.slice(0, 30).map(({ job }) => job));
    begun = 0;
    await scene.look("00:05", { hasTime: () => begun++ < 30 });
    expect((await scene.notes.readNotes()).nextJob).toBe("job-15");
    expect(await listed()).toEqual(jobs.map(({ job }) => job));
  });
});

describe("the fleet's list", () => {
  test("has what the stack says, and when a job came and went", async () => {
    const scene = watchdogScene(table, [rates]);
    await scene.look("00:00");
    await scene.look("00:05", {
      jobs: [
        { ...rates, retries: 5 },
        { ...rates, job: "newcomer" },
      ],
    });
    await scene.look("00:10", { jobs: [{ ...rates, job: "newcomer" }] });
    expect((await scene.register.readFleet()).jobs).toMatchObject([
      { job: "newcomer", firstSeenMs: at("00:05"), removedMs: undefined },
      { job: "sync-rates", firstSeenMs: at("00:00"), removedMs: at("00:10"), retries: 5, watch: undefined },
    ]);
  });
});

function put(item: Record<string, unknown>) {
  return table.client.send(new PutItemCommand({ TableName: table.tableName, Item: marshall(item) }));
}
