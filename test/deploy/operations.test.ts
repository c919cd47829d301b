import { DynamoDBClient, UpdateItemCommand } from "@aws-sdk/client-dynamodb";
import { SendMessageCommand, SQSClient } from "@aws-sdk/client-sqs";
import { beforeAll, expect, test } from "vitest";
import { connectStack, type Operations } from "../../lib/operations/index.ts";
import { outputOf, resourcesOf } from "./deployed-stack.ts";
import { invoke } from "./invoke.ts";
import { createOperator } from "./operator.ts";

// What people do to a deployed stack, with the stack's own policies for them and no other permission.

const stack = "Escapement-dev";
const job = "pay-commissions";
const alice = { by: "alice", reason: "month end" };
let reader: Operations;
let operator: Operations;
beforeAll(async () => {
  const resources = await resourcesOf(stack);
  const policyOf = (path: string) => resources.find((resource) => resource.path === path)?.physicalId ?? "";
  const readerProfile = await createOperator("reader", policyOf("Fleet/OperatorPolicies/Read"));
  const operatorProfile = await createOperator("operator", policyOf("Fleet/OperatorPolicies/Operate"));
  reader = await connectStack({ stack, profile: readerProfile });
  operator = await connectStack({ stack, profile: operatorProfile });
  // It lists the jobs, and does so within five minutes of a deployment.
  await invoke(`${stack}_watchdog`, { escapement: { watchdog: stack } });
});

test("a reader sees the jobs", async () => {
  expect((await reader.list()).map((listed) => listed.job)).toEqual([
    "close-business-day",
    "pay-commissions",
    "rebuild-search-index",
    "sync-exchange-rates",
  ]);
  expect(await reader.describe(job)).toMatchObject({ functionName: `${stack}_${job}` });
});

test("an operator triggers a job and follows the run to its end, which a reader sees", async () => {
  const { runId } = await operator.trigger(job, alice);
  const run = { status: "SUCCEEDED", trigger: { by: "alice", reason: "month end" } };
  expect(await operator.follow(job, runId)).toMatchObject(run);
  expect(await reader.run(job, runId)).toMatchObject(run);
});

test("an operator pauses a job and resumes it", async () => {
  await operator.pause(job, alice);
  expect(await reader.describe(job)).toMatchObject({ state: "paused", paused: { by: "alice" } });
  await operator.resume(job, alice);
  expect(await reader.describe(job)).toMatchObject({ state: "idle" });
  expect((await reader.audit(job)).map(({ action }) => action)).toEqual(["resume", "pause"]);
});

test("a run links to its log, in the group that its function says", async () => {
  // The lines themselves the emulator does not keep.
  const { runId } = await operator.trigger(job, alice);
  expect((await operator.follow(job, runId)).log).toMatch(
    /^https:\/\/us-east-1\.console\.aws\.amazon\.com\/cloudwatch\/home\?region=us-east-1#logsV2:log-groups\/log-group\/.+\/log-events\/.+$/,
  );
});

test("an operator starts again what failed for good, under its own identity", async () => {
  // As Lambda puts it there when the retries are over.
  const scheduledTime = `${yesterday()}T04:00:00Z`;
  const letter = {
    requestContext: {
      functionArn: `arn:aws:lambda:us-east-1:000000000000:function:${stack}_${job}`,
      condition: "RetriesExhausted",
    },
    requestPayload: { escapement: { job, schedule: "default", scheduledTime }, input: {} },
    responsePayload: { errorType: "Error", errorMessage: "the orders do not answer" },
  };
  const QueueUrl = await outputOf(stack, "DeadLetterQueueUrl");
  const { MessageId } = await new SQSClient().send(
    new SendMessageCommand({ QueueUrl, MessageBody: JSON.stringify(letter) }),
  );

  // Somebody else who looks hides it for a while.
  const runId = `${yesterday()}T04:00:00.000Z#default`;
  await expect
    .poll(() => operator.resend(MessageId, alice).catch(() => []), { timeout: 120_000, interval: 5_000 })
    .toEqual([{ id: MessageId, job, runId, outcome: "sent" }]);
  expect(await operator.follow(job, runId)).toMatchObject({ status: "SUCCEEDED", schedule: "default" });
});

test("an operator runs a past occurrence that has no record", async () => {
  await knowSince("close-business-day", new Date(Date.now() - 3 * DAY_MS));
  const range = {
    from: new Date(Date.now() - 1.5 * DAY_MS).toISOString(),
    to: new Date(Date.now() - 0.5 * DAY_MS).toISOString(),
  };
  const { runs } = await operator.planBackfill("close-business-day", range);
  expect(runs).toMatchObject([{ was: "missing", manual: false }]);

  const done = await operator.backfill("close-business-day", { ...range, ...alice });
  expect(done).toMatchObject({ outcome: "done", succeeded: [runs[0]?.runId], failed: [] });
  expect((await operator.planBackfill("close-business-day", range)).runs).toEqual([]);
});

test("an operator learns that a run cannot hear, and takes the lock from it", async () => {
  // It works for 90 seconds. No job of the example has a heartbeat, by which one could be asked to stop.
  const slow = "rebuild-search-index";
  const { runId } = await operator.trigger(slow, alice);
  const lock = async () => (await operator.describe(slow)).lock;
  await expect.poll(lock, { timeout: 60_000 }).toEqual(expect.anything());
  const held = await lock();
  expect(await operator.cancel(slow, alice)).toMatchObject({ outcome: "cannot-hear", runId: held?.runId });

  expect(await operator.unlock(slow, { ...alice, owner: held?.owner ?? "" })).toMatchObject({ outcome: "unlocked" });
  expect(await operator.run(slow, held?.runId ?? runId)).toMatchObject({ status: "LOST" });
  expect(await operator.audit(slow)).toMatchObject([{ action: "unlock", by: "alice" }]);
});

test("a reader changes nothing", async () => {
  const refused = expect.objectContaining({ code: "ACCESS_DENIED" });
  await expect(reader.trigger(job, alice)).rejects.toEqual(refused);
  await expect(reader.pause(job, alice)).rejects.toEqual(refused);
});

test("the check-up of a reader finds the table as it was deployed", async () => {
  const findings = (await reader.doctor()).map(({ check, level }) => [check, level]);
  expect(findings).toEqual(
    expect.arrayContaining([
      ["table", "ok"],
      ["expiry", "ok"],
    ]),
  );
});

test("the check-up finds the schedules as they were deployed, and alarms that tell nobody", async () => {
  // The emulator does not know which schedule a right is about, so that a reader's is none there.
  const owner = await connectStack({ stack });
  const findings = await owner.doctor();
  expect(findings).toContainEqual({ check: "schedules", level: "ok", message: "as the stack declares them" });
  expect(findings).toContainEqual(
    expect.objectContaining({ check: "alarms", level: "warning", advice: expect.stringContaining("alarmTopic") }),
  );
});

const DAY_MS = 24 * 60 * 60_000;

function yesterday(): string {
  return new Date(Date.now() - DAY_MS).toISOString().slice(0, "2026-05-01".length);
}

/** As if the stack had been deployed then: before, nothing is known of what fell due. */
async function knowSince(name: string, time: Date): Promise<void> {
  const TableName = await outputOf(stack, "RunTableName");
  await new DynamoDBClient().send(
    new UpdateItemCommand({
      TableName,
      Key: { pk: { S: `${stack}#fleet` }, sk: { S: `job#${name}` } },
      UpdateExpression: "SET firstSeenAt = :time, schedulesSince = :since",
      ExpressionAttributeValues: {
        ":time": { S: time.toISOString() },
        ":since": { M: { default: { S: time.toISOString() } } },
      },
    }),
  );
}
