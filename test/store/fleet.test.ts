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
  retries: 2,
  timeoutMs: 60_000,
  retentionMs: 7_776_000_000,
  maxLatenessMs: { default: 3_600_000 },
};

test("the fleet lists its jobs with when they were first seen and removed", async ({ scene }) => {
  const register = createFleetRegister({ client: scene.table.client, tableName: TABLE_NAME, fleet: FLEET });
  await register.putFleetJob(job, T0);
  await register.putFleetJob({ ...job, description: undefined, retries: 0 }, T0 + MINUTE);
  expect(await register.readFleet()).toEqual([
    { ...job, description: undefined, retries: 0, firstSeenMs: T0, removedMs: undefined },
  ]);
  await register.removeFleetJob("nightly-report", T0 + 2 * MINUTE);
  await register.removeFleetJob("never-there", T0 + 2 * MINUTE);
  expect(await register.readFleet()).toMatchObject([{ job: "nightly-report", removedMs: T0 + 2 * MINUTE }]);
  await register.putFleetJob(job, T0 + 3 * MINUTE);
  expect(await register.readFleet()).toMatchObject([{ firstSeenMs: T0, removedMs: undefined }]);
});
