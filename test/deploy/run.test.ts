import { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { EventBridgeClient, PutEventsCommand } from "@aws-sdk/client-eventbridge";
import { GetScheduleCommand, SchedulerClient } from "@aws-sdk/client-scheduler";
import { ReceiveMessageCommand, SQSClient } from "@aws-sdk/client-sqs";
import { expect, test } from "vitest";
import { createFleetRegister, createRunQueries } from "../../lib/store/index.ts";
import { outputOf } from "./deployed-stack.ts";
import { invoke } from "./invoke.ts";

// The deployed functions at work, with the permissions that were deployed with them.

const stack = "Escapement-dev";
const job = "close-business-day";
const table = { client: new DynamoDBClient(), tableName: await outputOf(stack, "RunTableName"), fleet: stack };
const runs = createRunQueries(table);

test("an occurrence runs once, however often EventBridge Scheduler delivers it", async () => {
  // Functions see the real time, and a delivery that is late for its job does not run.
  const scheduledTime = new Date().toISOString().replace(/\.\d+/, "");
  const { Target } = await new SchedulerClient().send(new GetScheduleCommand({ GroupName: stack, Name: job }));
  const delivered = (Target?.Input ?? "")
    .replace("<aws.scheduler.scheduled-time>", scheduledTime)
    .replace("<aws.scheduler.execution-id>", "d3b07384-d9a0-4c9b-8f3e-111111111111")
    .replace("<aws.scheduler.attempt-number>", "1");
  expect(await invoke(`${stack}_${job}`, JSON.parse(delivered))).toEqual({ days: [expect.any(String)] });
  const runId = `${scheduledTime.replace("Z", ".000Z")}#default`;
  const duplicate = { outcome: "duplicate", runId, status: "SUCCEEDED" };
  expect(await invoke(`${stack}_${job}`, JSON.parse(delivered))).toEqual(duplicate);
  expect(await runs.readRun(job, runId)).toMatchObject({
    status: "SUCCEEDED",
    trigger: { kind: "schedule" },
    attempt: 1,
  });
});

test("an event on the account's bus starts a job", async () => {
  await sendRunRequest({ stack, job, by: "alice", reason: "month end" });
  await expect
    .poll(() => runs.listRuns(job, { status: "SUCCEEDED", limit: 10 }), { timeout: 60_000, interval: 500 })
    .toContainEqual(
      expect.objectContaining({ trigger: expect.objectContaining({ by: "alice", reason: "month end" }) }),
    );
});

test.each([
  ["names no job", { stack, job: "close-busines-day" }, 'Did you mean \\"close-business-day\\"?'],
  ["has an unknown field", { stack, job, resaon: "month end" }, 'Did you mean \\"reason\\"?'],
])("an event that %s becomes a dead letter, which says what was likely meant", async (_what, detail, advice) => {
  await sendRunRequest(detail);
  const letters = new SQSClient();
  const QueueUrl = await outputOf(stack, "DeadLetterQueueUrl");
  const receive = new ReceiveMessageCommand({ QueueUrl, WaitTimeSeconds: 20 });
  await expect
    .poll(async () => (await letters.send(receive)).Messages?.[0]?.Body ?? "", { timeout: 60_000 })
    .toContain(advice);
});

test("the watchdog finds the jobs and their schedules, and lists them", async () => {
  await invoke(`${stack}_watchdog`, { escapement: { watchdog: stack } });
  const { jobs } = await createFleetRegister(table).readFleet();
  expect(jobs.map((listed) => listed.job)).toEqual([
    "close-business-day",
    "pay-commissions",
    "rebuild-search-index",
    "sync-exchange-rates",
  ]);
});

async function sendRunRequest(detail: object): Promise<void> {
  const entry = { Source: "escapement", DetailType: "Run Requested", Detail: JSON.stringify(detail) };
  await new EventBridgeClient().send(new PutEventsCommand({ Entries: [entry] }));
}
