import { cpSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { root } from "./cdk.ts";
import { type DeployedResource, pathsOfThoseLeft, readAll, resourcesOf } from "./deployed-stack.ts";
import { invoke } from "./invoke.ts";
import { deployableProject } from "./project.ts";

const stack = "Escapement-prod";
const job = (handler: string) => `
  import { cron, scheduled } from "escapement";
  export const handler = scheduled({ schedule: cron("0 6 1 * ? *") }, async () => { ${handler} });
`;
/** Asks for another job's state, and answers how that went. */
const nosy = `
  import { DynamoDBClient, GetItemCommand } from "@aws-sdk/client-dynamodb";
  ${job(`
    const Key = { pk: { S: "${stack}#job#pay-commissions" }, sk: { S: "state" } };
    const get = new GetItemCommand({ TableName: process.env.ESCAPEMENT_TABLE, Key });
    return new DynamoDBClient().send(get).then(() => "read it", (error) => error.name);
  `)}
`;

describe("a stage that keeps its data", () => {
  const project = deployableProject("bin/app.ts", "stage=prod", { "nosy.ts": nosy });
  cpSync(join(root, "functions"), project.functions, { recursive: true });
  afterAll(project.remove);
  let before: readonly DeployedResource[];
  let readingsBefore: ReadonlyMap<string, unknown>;
  beforeAll(async () => {
    await project.deploy();
    before = await resourcesOf(stack);
    readingsBefore = await readAll(before);
  });

  test("protects its table from deletion", () => {
    expect(readingsBefore.get("Fleet/RunTable/Table")).toMatchObject({ deletionProtection: true });
  });

  test("lets a job see no other job's state", async () => {
    expect(await invoke(`${stack}_nosy`, {})).toBe("AccessDeniedException");
  });

  describe("when a schedule is edited, a job added and a job removed", () => {
    let after: readonly DeployedResource[];
    let readingsAfter: ReadonlyMap<string, unknown>;
    beforeAll(async () => {
      const commissions = join(project.functions, "pay-commissions.ts");
      writeFileSync(commissions, readFileSync(commissions, "utf8").replace("0 4 * * ? *", "0 5 * * ? *"));
      writeFileSync(join(project.functions, "monthly-report.ts"), job("return 'a report';"));
      rmSync(join(project.functions, "nosy.ts"));
      await project.deploy();
      after = await resourcesOf(stack);
      readingsAfter = await readAll(after);
    });

    test("changes them, and what knows all jobs, and nothing else", () => {
      const changed = [...readingsAfter].filter(
        ([path, reading]) => readingsBefore.has(path) && !isSame(readingsBefore.get(path), reading),
      );
      expect(changed.map(([path]) => path).sort()).toEqual([
        "Fleet/Dispatcher/Function",
        "Fleet/Functions/pay-commissions/Function",
        "Fleet/Jobs/pay-commissions/Schedule-default",
        "Fleet/SchedulerRole/DefaultPolicy",
        "Fleet/Watchdog/Function",
      ]);
      expect(readingsAfter.get("Fleet/Jobs/pay-commissions/Schedule-default")).toMatchObject({
        ScheduleExpression: "cron(0 5 * * ? *)",
      });
    });

    test("adds the resources of the one job", async () => {
      const added = [...readingsAfter.keys()].filter((path) => !readingsBefore.has(path));
      expect(added.sort()).toEqual([
        "Fleet/Functions/monthly-report/Function",
        "Fleet/Functions/monthly-report/Function/EventInvokeConfig",
        "Fleet/Functions/monthly-report/Logs",
        "Fleet/Functions/monthly-report/Role",
        "Fleet/Functions/monthly-report/Role/DefaultPolicy",
        "Fleet/Jobs/monthly-report/Schedule-default",
      ]);
      expect(await invoke(`${stack}_monthly-report`, {})).toBe("a report");
    });

    test("removes those of the other, whose logs stay", async () => {
      const removed = before.filter(({ path }) => !after.some((resource) => resource.path === path));
      expect(await pathsOfThoseLeft(removed)).toEqual(["Fleet/Functions/nosy/Logs"]);
      expect(removed.map(({ path }) => path).sort()).toEqual([
        "Fleet/Functions/nosy/Function",
        "Fleet/Functions/nosy/Function/EventInvokeConfig",
        "Fleet/Functions/nosy/Logs",
        "Fleet/Functions/nosy/Role",
        "Fleet/Functions/nosy/Role/DefaultPolicy",
        "Fleet/Jobs/nosy/Schedule-default",
      ]);
    });

    test("leaves tables, logs and dead letters at the end", async () => {
      await project.destroy();
      expect(await pathsOfThoseLeft(after)).toEqual([
        "Balances",
        "BusinessDays",
        "Catalog",
        "ExchangeRates",
        "Fleet/DeadLetterQueue",
        "Fleet/Dispatcher/Logs",
        "Fleet/Functions/close-business-day/Logs",
        "Fleet/Functions/monthly-report/Logs",
        "Fleet/Functions/pay-commissions/Logs",
        "Fleet/Functions/rebuild-search-index/Logs",
        "Fleet/Functions/sync-exchange-rates/Logs",
        "Fleet/RunTable/Table",
        "Fleet/Watchdog/Logs",
        "Orders",
        "SearchIndex",
      ]);
    });
  });
});

function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
