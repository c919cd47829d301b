import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { writeRunnerFile } from "../../lib/local/runner-file.ts";
import { tempFolder } from "../local/temp-folder.ts";
import { FLEET, nightly, openFleet, TABLE } from "../operations/fleet.ts";
import { escapement } from "./escapement.ts";
import { startFakeRunner } from "./runner.ts";
import { startDashboard } from "./served-dashboard.ts";

describe("with a runner running", () => {
  let runner: Awaited<ReturnType<typeof startFakeRunner>>;
  beforeAll(async () => {
    runner = await startFakeRunner();
  });
  afterAll(() => runner.close());

  test("dashboard prints its link, and ends", async () => {
    const { code, stdout } = await escapement(["dashboard", "--state-dir", runner.stateDir, "--json"]);

    expect(code).toBe(0);
    // The token of that runner's file.
    expect(JSON.parse(stdout)).toMatchObject({ dashboard: `${runner.server.url}/?token=TOKEN` });
  });
});

test("with no runner running it serves what the folder holds, read-only, until Ctrl-C", async () => {
  const stateDir = tempFolder();
  const fleet = await openFleet(stateDir);
  await fleet.register.putFleetJob(nightly, Date.UTC(2026, 4, 1));
  await fleet.stop();
  // Port 1: nobody answers there.
  const nowhere = { url: "http://127.0.0.1:1", dynamoEndpoint: "http://127.0.0.1:1", assemblyDir: "elsewhere" };
  const identity = { pid: 1, startedAt: "2026-05-01T00:00:00.000Z", accessKeyId: "LOCAL", token: "OLD" };
  writeRunnerFile(stateDir, { ...identity, ...nowhere, fleet: FLEET, tableName: TABLE });

  const dashboard = await startDashboard("--state-dir", stateDir);

  expect(await (await dashboard.get("/api/target")).json()).toMatchObject({
    readOnly: true,
    target: { kind: "local", running: false },
  });
  expect(await (await dashboard.get("/api/jobs")).json()).toMatchObject({ jobs: [{ job: "nightly" }] });
  const refused = await dashboard.post("/api/jobs/nightly/pause", { reason: "x" });
  expect([refused.status, await refused.json()]).toMatchObject([403, { error: { code: "READ_ONLY" } }]);

  expect(await dashboard.stop()).toBe(0);
});
