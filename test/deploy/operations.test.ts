import { beforeAll, expect, test } from "vitest";
import { connectStack, type Operations } from "../../lib/operations/index.ts";
import { resourcesOf } from "./deployed-stack.ts";
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

test("a reader changes nothing", async () => {
  const refused = expect.objectContaining({ code: "ACCESS_DENIED" });
  await expect(reader.trigger(job, alice)).rejects.toEqual(refused);
  await expect(reader.pause(job, alice)).rejects.toEqual(refused);
});

test("the check-up of a reader finds the table and the schedules as they were deployed", async () => {
  const findings = (await reader.doctor()).map(({ check, level }) => [check, level]);
  expect(findings).toEqual(
    expect.arrayContaining([
      ["expiry", "ok"],
      ["schedules", "ok"],
    ]),
  );
});
