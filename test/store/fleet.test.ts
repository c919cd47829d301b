import { PutItemCommand } from "@aws-sdk/client-dynamodb";
import { marshall } from "@aws-sdk/util-dynamodb";
import { expect } from "vitest";
import { createFleetRegister, type FleetJob } from "../../lib/store/index.ts";
import { TABLE_NAME } from "./dynamo.ts";
import { FLEET, MINUTE, T0, test } from "./scene.ts";

const job: FleetJob = {
  job: "nightly-report",
  functionName: "shop-dev-nightly-report",
  schedules: { default: { expression: "cron(0 2 * * ? *)", timeZone: "Europe/Berlin" } },
  description: "Sums up the day",
  enabled: true,
  overlap: "skip",
  queueLength: 10,
  catchUp: "latest",
  heartbeatMs: 20_000,
  retries: 2,
  timeoutMs: 60_000,
  retentionMs: 7_776_000_000,
  maxLatenessMs: { default: 3_600_000 },
};

test("the fleet lists its jobs with when they were first seen and removed", async ({ scene }) => {
  const register = createFleetRegister({ client: scene.table.client, tableName: TABLE_NAME, fleet: FLEET });
  await register.putFleetJob(job, T0);
  const without = { description: undefined, heartbeatMs: undefined };
  await register.putFleetJob({ ...job, ...without, retries: 0 }, T0 + MINUTE);
  const jobs = async () => (await register.readFleet()).jobs;
  const listed = { ...job, ...without, retries: 0, firstSeenMs: T0, schedulesSinceMs: { default: T0 } };
  expect(await jobs()).toEqual([{ ...listed, removedMs: undefined }]);
  await register.removeFleetJob("nightly-report", T0 + 2 * MINUTE);
  await register.removeFleetJob("never-there", T0 + 2 * MINUTE);
  expect(await jobs()).toMatchObject([{ job: "nightly-report", removedMs: T0 + 2 * MINUTE }]);
  await register.putFleetJob(job, T0 + 3 * MINUTE);
  expect(await jobs()).toMatchObject([{ firstSeenMs: T0, removedMs: undefined }]);
});

test("an item that cannot be read does not hide the other jobs", async ({ scene }) => {
  const register = createFleetRegister({ client: scene.table.client, tableName: TABLE_NAME, fleet: FLEET });
  await register.putFleetJob(job, T0);
  const broken = { pk: `${FLEET}#fleet`, sk: "job#broken", v: 1, job: "broken" };
  const newer = { pk: `${FLEET}#fleet`, sk: "job#newer", v: 99 };
  for (const item of [broken, newer]) {
    await scene.table.client.send(new PutItemCommand({ TableName: TABLE_NAME, Item: marshall(item) }));
  }
  const { jobs, unreadable } = await register.readFleet();
  expect(jobs.map((listed) => listed.job)).toEqual(["nightly-report"]);
  expect(unreadable.map((one) => [one.job, one.error.code])).toEqual([
    ["broken", "STORE_ITEM_INVALID"],
    ["newer", "STORE_ITEM_NEWER"],
  ]);
});

test.for([
  ["its expression is another one", { schedules: { default: { expression: "cron(0 3 * * ? *)", timeZone: "UTC" } } }],
  ["it is switched off", { enabled: false }],
] as const)("a schedule is as it is since %s", async ([_what, change], { scene }) => {
  const register = createFleetRegister({ client: scene.table.client, tableName: TABLE_NAME, fleet: FLEET });
  await register.putFleetJob(job, T0);
  await register.putFleetJob({ ...job, ...change }, T0 + MINUTE);
  await register.putFleetJob({ ...job, ...change, retries: 0 }, T0 + 2 * MINUTE);
  const { jobs } = await register.readFleet();
  expect(jobs).toMatchObject([{ firstSeenMs: T0, schedulesSinceMs: { default: T0 + MINUTE } }]);
});

test("a job that comes back after it left has its schedules since then", async ({ scene }) => {
  const register = createFleetRegister({ client: scene.table.client, tableName: TABLE_NAME, fleet: FLEET });
  await register.putFleetJob(job, T0);
  await register.removeFleetJob(job.job, T0 + MINUTE);
  await register.putFleetJob(job, T0 + 2 * MINUTE);
  expect((await register.readFleet()).jobs).toMatchObject([{ schedulesSinceMs: { default: T0 + 2 * MINUTE } }]);
});
