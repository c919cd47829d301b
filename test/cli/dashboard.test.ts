import { spawn } from "node:child_process";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { writeRunnerFile } from "../../lib/local/runner-file.ts";
import { tempFolder } from "../local/temp-folder.ts";
import { FLEET, nightly, openFleet, TABLE } from "../operations/fleet.ts";
import { escapement, root } from "./escapement.ts";
import { startFakeRunner } from "./runner.ts";

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

  const child = spawn(
    process.execPath,
    ["--import", import.meta.resolve("tsx"), join(root, "bin/escapement.ts"), "dashboard", "--state-dir", stateDir],
    { cwd: root },
  );
  const exited = new Promise((resolve) => child.once("close", (code) => resolve(code)));
  const [url, token] = await new Promise<[string, string]>((resolve) => {
    let printed = "";
    child.stdout.on("data", (text) => {
      printed += text;
      const [, at, secret] = /Dashboard +(http:\S+)\/\?token=(\S+)\n/.exec(printed) ?? [];
      if (at && secret) resolve([at, secret]);
    });
  });
  const headers = { Authorization: `Bearer ${token}`, "Content-Type": "application/json" };

  expect(await (await fetch(`${url}/api/target`, { headers })).json()).toMatchObject({
    readOnly: true,
    target: { kind: "local", running: false },
  });
  expect(await (await fetch(`${url}/api/jobs`, { headers })).json()).toMatchObject({ jobs: [{ job: "nightly" }] });
  const body = JSON.stringify({ reason: "x" });
  const refused = await fetch(`${url}/api/jobs/nightly/pause`, { method: "POST", headers, body });
  expect([refused.status, await refused.json()]).toMatchObject([403, { error: { code: "READ_ONLY" } }]);

  child.kill("SIGINT");
  expect(await exited).toBe(0);
});
