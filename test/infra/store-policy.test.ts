import { readdirSync } from "node:fs";
import { join } from "node:path";
import { Template } from "aws-cdk-lib/assertions";
import { beforeAll, describe, expect, test } from "vitest";
import { ScheduledFunctionsStack } from "../../lib/infra/index.ts";
import { unlock } from "../../lib/run/index.ts";
import { type Access, recordRequests } from "../store/dynamo.ts";
import { delivery, FLEET, MINUTE, test as sceneTest } from "../store/scene.ts";
import { aJob, anApp } from "./fleet.ts";
import { allows, type Statement } from "./policy.ts";

const sent = recordRequests();
const storeTests = join(import.meta.dirname, "../store");

// The store's own tests, run here once more to see all that they ask of the table; but for the crowds, which ask the same a
// thousand times.
for (const file of readdirSync(storeTests).filter((name) => /^(?!contention).*\.test\.ts$/.test(name))) {
  await import(join(storeTests, file));
}

/** The jobs of the store's tests; two of them share the locks, and the last one is a stranger. */
const locks = ["a", "b", "billing-db"];
const jobs = [
  aJob("nightly-report"),
  aJob("invoicing", { locks }),
  aJob("payouts", { locks }),
  aJob("payouts-0"),
  aJob("payouts-1"),
  aJob("stranger"),
];

describe("what the store asks of the table", () => {
  const statements = new Map<string, readonly Statement[]>();
  let operators: readonly Statement[] = [];
  let table: unknown;

  beforeAll(() => {
    const template = Template.fromStack(new ScheduledFunctionsStack(anApp(), FLEET, { stage: "dev", jobs }));
    const [id = ""] = Object.keys(template.findResources("AWS::DynamoDB::GlobalTable"));
    table = { "Fn::GetAtt": [id, "Arn"] };
    for (const [name, { Properties }] of Object.entries(template.findResources("AWS::IAM::Policy"))) {
      statements.set(name, Properties.PolicyDocument.Statement);
    }
    for (const { Properties } of Object.values(template.findResources("AWS::IAM::ManagedPolicy"))) {
      const isForOperators = JSON.stringify(Properties.ManagedPolicyName).includes("-operate");
      if (isForOperators) operators = Properties.PolicyDocument.Statement;
    }
  });

  const mayJob = (job: string, { action, partition }: Access): boolean => {
    const role = `FleetFunctions${job.replaceAll("-", "")}RoleDefaultPolicy`;
    const [, own = []] = [...statements].find(([name]) => name.slice(0, -8) === role) ?? [];
    expect(own.length).toBeGreaterThan(0);
    const context = { "dynamodb:LeadingKeys": [partition] };
    return allows(own, { action: `dynamodb:${action}`, resource: table, context });
  };
  const mayOperate = ({ action, partition }: Access): boolean => {
    const context = { "dynamodb:LeadingKeys": [partition] };
    return allows(operators, { action: `dynamodb:${action}`, resource: table, context });
  };
  const ofJobs = () => sent.filter(({ partition }) => partition.startsWith(`${FLEET}#job#`));
  const ofLocks = () => sent.filter(({ partition }) => partition.startsWith(`${FLEET}#lock#`));
  const jobOf = ({ partition }: Access) => partition.slice(`${FLEET}#job#`.length);
  const shown = ({ action, partition }: Access) => `${action} ${partition}`;

  test("was seen: hundreds of requests, of every kind", () => {
    expect(ofJobs().length).toBeGreaterThan(500);
    expect(ofLocks().length).toBeGreaterThan(50);
    expect([...new Set(ofJobs().map(({ action }) => action))].sort()).toEqual([
      "ConditionCheckItem",
      // The tests' own, to see what happens without the state.
      "DeleteItem",
      "GetItem",
      "PutItem",
      "Query",
      "UpdateItem",
    ]);
  });

  test("a job's role allows for its own partition, without deletion", () => {
    const refused = ofJobs().filter((access) => !mayJob(jobOf(access), access));
    expect([...new Set(refused.map(shown))]).toEqual(["DeleteItem shop-dev#job#nightly-report"]);
  });

  test("a job's role allows for the locks that it names", () => {
    expect(ofLocks().filter((access) => !mayJob("invoicing", access))).toEqual([]);
  });

  sceneTest("the policy of operators allows for an unlock, which frees shared locks, too", async ({ scene }) => {
    const hold = await scene.hold(delivery({ job: "invoicing", locks }));
    const before = sent.length;
    const operator = { by: "ada", reason: "it hangs", id: "action-1", retentionMs: MINUTE };
    await scene.walk(unlock("invoicing", operator, hold.delivery.owner)).result();
    const asked = sent.slice(before);
    expect(asked.filter((access) => ofLocks().includes(access))).toHaveLength(3);
    expect(asked.filter((access) => !mayOperate(access))).toEqual([]);
    // It takes no lock away but by these requests: nothing else is written there.
    const written = { action: "PutItem", tableName: "", partition: `${FLEET}#lock#a` };
    expect(mayOperate(written)).toBe(false);
  });

  test("the role of another job denies, all of it", () => {
    const allowed = [...ofJobs(), ...ofLocks()].filter((access) => mayJob("stranger", access));
    expect(allowed).toEqual([]);
  });

  test("every job's role denies beyond jobs and locks: the fleet's list and the tables of handlers", () => {
    const beyond = sent.filter((access) => !ofJobs().includes(access) && !ofLocks().includes(access));
    expect(beyond.length).toBeGreaterThan(5);
    for (const { name } of jobs) expect(beyond.filter((access) => mayJob(name, access))).toEqual([]);
  });
});
