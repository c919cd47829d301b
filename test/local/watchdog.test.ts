import { resolve } from "node:path";
import { PutItemCommand, UpdateItemCommand } from "@aws-sdk/client-dynamodb";
import { marshall } from "@aws-sdk/util-dynamodb";
import { afterAll, expect, onTestFinished, test, vi } from "vitest";
import { findRunner, type RunnerEvent, type RunnerInfo, startRunner } from "../../lib/local/index.ts";
import { createDynamoClient, createFleetRegister, createRunQueries } from "../../lib/store/index.ts";
import { aJob, aStack } from "../infra/fleet.ts";
import { createProject } from "../infra/project.ts";
import { ManualClock } from "./manual-clock.ts";
import { post } from "./running.ts";
import { tempFolder } from "./temp-folder.ts";

const escapement = JSON.stringify(resolve("lib/index.ts"));
const yearly = { default: { expression: "cron(0 0 1 1 ? *)", timeZone: "UTC" } };

/** Dies in the middle of its first attempt. */
const mortal = `
  import { rate, scheduled } from ${escapement};
  export const handler = scheduled({ schedule: rate("1 day"), timeout: "5 seconds" }, async (run) => {
    if (run.attempt === 1) process.exit(1);
    return { attempt: run.attempt };
  });`;

const patient = `
  import { rate, scheduled } from ${escapement};
  export const handler = scheduled({ schedule: rate("1 day"), overlap: "queue" }, async (run) => run.input);`;

const project = createProject({ "mortal.ts": mortal, "patient.ts": patient });
afterAll(project.remove);

/** The stack as it would be deployed, on a runner whose clock stands still: no redelivery and no look but those asked for. */
async function runStack() {
  const stateDir = tempFolder();
  const stack = aStack([
    aJob("mortal", { file: `${project.functions}/mortal.ts`, schedules: yearly, timeoutMs: 5_000 }),
    aJob("patient", { file: `${project.functions}/patient.ts`, schedules: yearly, overlap: "queue" }),
  ]);
  const assembly = stack.node.root as unknown as { synth(): { directory: string } };
  const told: RunnerEvent[] = [];
  const startedAt = new Date().toISOString();
  const clock = new ManualClock(startedAt);
  const runner = await startRunner({
    stateDir,
    assemblyDir: assembly.synth().directory,
    clock,
    onEvent: (event) => told.push(event),
  });
  onTestFinished(() => runner.abort());
  const info = (await findRunner(stateDir)) as RunnerInfo;
  const client = createDynamoClient({
    endpoint: info.dynamoEndpoint,
    region: "local",
    credentials: { accessKeyId: "local", secretAccessKey: "local" },
  });
  onTestFinished(() => client.destroy());
  const table = { client, tableName: String(info.tableName), fleet: "Escapement-dev" };
  /** Lets happen what is due, until a function has run so many times. */
  const finished = (functionName: string, count: number) =>
    vi.waitFor(
      async () => {
        await clock.moveTo(startedAt);
        const ends = told.filter((event) => event.kind === "finished" && event.functionName === functionName);
        expect(ends).toHaveLength(count);
      },
      { timeout: 30_000, interval: 200 },
    );
  return { runner, info, table, told, finished };
}

test("a run killed in the middle, with no redelivery left, gets its next attempt by the watchdog", async () => {
  const { info, table, finished } = await runStack();
  const queries = createRunQueries(table);
  // Its own schedule has invoked the watchdog at the start.
  await finished("Escapement-dev_watchdog", 1);

  const anHourAgo = Math.floor(Date.now() / 60_000) * 60_000 - 60 * 60_000;
  const at = (ms: number) => new Date(ms).toISOString();
  await post(
    info,
    "Escapement-dev_mortal",
    JSON.stringify({ escapement: { job: "mortal", request: { id: "1", at: at(anHourAgo), by: "alice" } } }),
  );
  await finished("Escapement-dev_mortal", 1);
  // The redeliveries would meet its lease, which nobody has freed. An hour passes.
  await table.client.send(
    new UpdateItemCommand({
      TableName: table.tableName,
      Key: marshall({ pk: "Escapement-dev#job#mortal", sk: "state" }),
      UpdateExpression: "SET #lease.#startedAt = :started, #lease.#expiresAt = :expires",
      ExpressionAttributeNames: { "#lease": "lease", "#startedAt": "startedAt", "#expiresAt": "expiresAt" },
      ExpressionAttributeValues: marshall({ ":started": at(anHourAgo), ":expires": at(anHourAgo + 5_000) }),
    }),
  );

  await post(info, "Escapement-dev_watchdog", "{}");
  await finished("Escapement-dev_watchdog", 2);
  await finished("Escapement-dev_mortal", 2);
  const run = await queries.readRun("mortal", `${at(anHourAgo)}#manual#1`);
  expect(run).toMatchObject({
    status: "SUCCEEDED",
    attempt: 2,
    attempts: [{ status: "LOST" }, { status: "SUCCEEDED" }],
  });
});

test("a run that waits, with nobody at work who would start it, is started by the watchdog", async () => {
  const { info, table, finished } = await runStack();
  await finished("Escapement-dev_watchdog", 1);
  const runId = "2026-05-02T00:15:00.000Z#default";
  const entry = { runId, trigger: { kind: "schedule" }, deliveryId: "delivery-1", requestId: "request-1" };
  const queue = [{ ...entry, queuedAt: "2026-05-02T00:15:01.000Z", input: '{"rows":42}' }];
  const state = { pk: "Escapement-dev#job#patient", sk: "state", v: 1, fence: 7, queue, highWater: runId };
  await table.client.send(new PutItemCommand({ TableName: table.tableName, Item: marshall(state) }));

  await post(info, "Escapement-dev_watchdog", "{}");
  await finished("Escapement-dev_patient", 1);
  const queries = createRunQueries(table);
  expect(await queries.readRun("patient", runId)).toMatchObject({ status: "SUCCEEDED", attempt: 1 });
  expect((await queries.readJob("patient", { limit: 1 })).state).toMatchObject({ queue: undefined, lease: undefined });
});

test("the watchdog looks when the runner starts, keeps the fleet's list, and is no job itself", async () => {
  const { runner, told, table, finished } = await runStack();
  await finished("Escapement-dev_watchdog", 1);
  expect(runner.jobs.map(({ job }) => job)).toEqual(["mortal", "patient"]);
  const { jobs } = await createFleetRegister(table).readFleet();
  expect(jobs).toMatchObject([{ job: "mortal", functionName: "Escapement-dev_mortal" }, { job: "patient" }]);
  expect(jobs[0]?.watch?.schedules["default"]?.spec).toEqual(yearly.default);
  const lines = told.flatMap((event) => (event.kind === "log" ? event.line : []));
  expect(lines.filter((line) => line.includes("MissedRuns") || line.includes('"level":"ERROR"'))).toEqual([]);
  expect(lines.filter((line) => line.includes('"Looks"'))).toHaveLength(1);
});
