import { expect, onTestFinished, test } from "vitest";
import type { RunnerNews } from "../../../lib/dashboard/index.ts";
import { EventLog } from "../../../lib/dashboard/server/event-log.ts";
import { FleetWatch } from "../../../lib/dashboard/server/fleet-watch.ts";
import type { JobDetail, Operations } from "../../../lib/operations/index.ts";
import { createOperations } from "../../../lib/operations/operations.ts";
import { backendOn, nightly, openFleet } from "../../operations/fleet.ts";

const NEVER = 3_600_000;
/** No timer but that of a look fires by itself in a test. */
const times = { quietMs: 1, lingerMs: NEVER, pollMs: () => NEVER };

/** A watch on a real table with these jobs, that counts what it reads. */
async function watchOf(names: readonly string[], more: Partial<typeof times> = {}) {
  const fleet = await openFleet();
  onTestFinished(() => fleet.close());
  for (const job of names) await fleet.register.putFleetJob({ ...nightly, job }, Date.UTC(2026, 4, 1));
  const operations = createOperations(backendOn(fleet, () => Date.UTC(2026, 4, 10)));
  const reads: string[] = [];
  const counted: Operations = {
    ...operations,
    list() {
      reads.push("list");
      return operations.list();
    },
    describe(job): Promise<JobDetail> {
      reads.push(job);
      return operations.describe(job);
    },
  };
  let tell: (news: RunnerNews) => void = () => {};
  const runner = {
    faults: [],
    nowMs: () => 0,
    workers: () => [],
    waiting: () => 0,
    subscribe(listen: (news: RunnerNews) => void) {
      tell = listen;
      return () => {};
    },
  };
  const log = new EventLog();
  const watch = new FleetWatch(counted, log, runner, { ...times, ...more });
  const succeed = (hour: number) => {
    const scheduledTimeMs = Date.UTC(2026, 4, 3, hour);
    const runId = `${new Date(scheduledTimeMs).toISOString()}#default`;
    return fleet.run(scheduledTimeMs, { runId, schedule: "default", scheduledTimeMs }, { status: "SUCCEEDED" });
  };
  return {
    log,
    watch,
    reads,
    succeed,
    tell: (news: RunnerNews) => tell(news),
    change: (job: string) => tell({ kind: "job-changed", job }),
    /** What has been told after this event, once there is something. */
    async toldAfter(id: string) {
      if (log.after(id)?.length === 0) await log.changed(new AbortController().signal);
      return (log.after(id) ?? []).map(({ data }) => JSON.parse(data).kind as string);
    },
  };
}

test("while nobody looks nothing is read, whatever happens", async () => {
  const { change, reads } = await watchOf(["nightly"]);
  for (let count = 0; count < 100; count++) change("nightly");
  await new Promise(setImmediate);

  expect(reads).toEqual([]);
});

test("how the clock goes is told while somebody looks, and else not kept", async () => {
  const { watch, log, tell } = await watchOf([]);
  tell({ kind: "clock", now: "2026-05-10T00:00:00.000Z", pace: 60 });
  const { lastEventId } = await watch.fleet();
  const event = { kind: "clock" as const, now: "2026-05-10T00:01:00.000Z", pace: 1 };
  tell(event);
  expect(lastEventId).toMatch(/-0$/);
  expect(log.after(lastEventId)?.map(({ data }) => JSON.parse(data))).toEqual([event]);
});

test("what happens to a job many times at once is read once", async () => {
  const { watch, log, change, reads, succeed, toldAfter } = await watchOf(["nightly"]);
  const { lastEventId } = await watch.fleet();
  await succeed(1);
  for (let count = 0; count < 100; count++) change("nightly");

  expect(await toldAfter(lastEventId)).toEqual(["run", "job"]);
  expect(reads).toEqual(["list", "nightly"]);
  expect(log.lastId).toMatch(/-2$/);
});

test("a closer look at a job that is as it was tells nothing", async () => {
  const { watch, log, change, reads } = await watchOf(["nightly"]);
  const { lastEventId } = await watch.fleet();
  // When the second look begins the first is over.
  for (const looks of [1, 2]) {
    change("nightly");
    while (reads.length <= looks) await new Promise(setImmediate);
  }

  expect(log.after(lastEventId)).toEqual([]);
});

test("when more than ten jobs have changed the fleet is read once, instead of each", async () => {
  const names = ["nightly", ...Array.from({ length: 10 }, (_, index) => `job-${index}`)];
  const { watch, change, reads, succeed, toldAfter } = await watchOf(names);
  const { lastEventId } = await watch.fleet();
  await succeed(1);
  for (const name of names) change(name);

  expect(await toldAfter(lastEventId)).toEqual(["run", "job"]);
  expect(reads).toEqual(["list", "list"]);
});

test("runs that the list does not show are looked for: each is told, also of several", async () => {
  const { watch, log, succeed } = await watchOf(["nightly"], { pollMs: () => 1 });
  await watch.fleet();
  const leave = watch.enter();
  await succeed(1);
  await succeed(2);
  await succeed(3);

  const told = new Set<string>();
  while (told.size < 3) {
    for (const { data } of log.after(`${log.lastId.split("-")[0]}-0`) ?? []) {
      const event = JSON.parse(data);
      if (event.kind === "run") told.add(event.run.runId);
    }
    if (told.size < 3) await log.changed(new AbortController().signal);
  }
  expect([...told].sort()).toEqual([
    "2026-05-03T01:00:00.000Z#default",
    "2026-05-03T02:00:00.000Z#default",
    "2026-05-03T03:00:00.000Z#default",
  ]);
  leave();
});

test("some time after the last reader has left it stops, and nobody can go on from before", async () => {
  const { watch, log, change, reads } = await watchOf(["nightly"], { lingerMs: 1 });
  const { lastEventId } = await watch.fleet();
  while (log.after(lastEventId)) await log.changed(new AbortController().signal);

  const before = reads.length;
  change("nightly");
  await new Promise(setImmediate);
  expect(reads).toHaveLength(before);
});
