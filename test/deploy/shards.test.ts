import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type DeployedResource, pathsOfThoseLeft, readAll, resourcesOf } from "./deployed-stack.ts";
import { invoke } from "./invoke.ts";
import { deployableProject } from "./project.ts";

const job = `
  import { cron, scheduled } from "escapement";
  export const handler = scheduled({ schedule: cron("0 6 * * ? *") }, async () => "done");
`;

describe("a preview of a fleet whose jobs are in stacks of their own", () => {
  const files = { "billing.ts": job, "cleanup.ts": job, "digest.ts": job };
  const project = deployableProject("test/deploy/sharded-app.ts", "stage=preview", files);
  afterAll(project.remove);
  let resources: readonly DeployedResource[];
  let readings: ReadonlyMap<string, unknown>;
  beforeAll(async () => {
    await project.deploy();
    const stacks = ["Sharded-preview", "Sharded-preview-shard-1", "Sharded-preview-shard-2"];
    resources = (await Promise.all(stacks.map(resourcesOf))).flat();
    readings = await readAll(resources);
  });

  test("is all there", () => {
    const missing = [...readings].filter(([, reading]) => reading === undefined).map(([path]) => path);
    expect(missing).toEqual([]);
  });

  test("fires nothing by itself", () => {
    const schedules = resources.filter(({ type }) => type === "AWS::Scheduler::Schedule");
    const states = schedules.map(({ path, physicalId }) => [physicalId, readings.get(path)]);
    expect(Object.fromEntries(states)).toMatchObject({
      billing: { State: "DISABLED", GroupName: "Sharded-preview" },
      cleanup: { State: "DISABLED", GroupName: "Sharded-preview" },
      digest: { State: "DISABLED", GroupName: "Sharded-preview" },
    });
  });

  test.for(["billing", "cleanup", "digest"])("runs %s on request, whatever its stack", async (name) => {
    expect(await invoke(`Sharded-preview_${name}`, {})).toBe("done");
  });

  test("leaves nothing at the end", async () => {
    await project.destroy();
    expect(await pathsOfThoseLeft(resources)).toEqual([]);
  });
});
