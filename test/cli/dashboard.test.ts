import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
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

  test.skipIf(process.platform !== "linux")("dashboard --open opens its link in the desktop's browser", async () => {
    const folder = tempFolder();
    const opened = join(folder, "opened");
    const browser = join(folder, "browser");
    writeFileSync(browser, `#!/bin/sh\necho "$1" > "${opened}.new" && mv "${opened}.new" "${opened}"\n`, {
      mode: 0o755,
    });
    // No desktop but this one: no real browser of the machine is found.
    const env = { DISPLAY: ":0", BROWSER: browser, XDG_DATA_HOME: folder, XDG_DATA_DIRS: folder };
    const { code, stdout } = await escapement(["dashboard", "--state-dir", runner.stateDir, "--open"], { env });

    const link = `${runner.server.url}/?token=TOKEN`;
    expect([code, stdout]).toEqual([0, expect.stringContaining(link)]);
    // The browser is a process of its own, and nobody waits for it.
    await expect.poll(() => existsSync(opened), { timeout: 10_000 }).toBe(true);
    expect(readFileSync(opened, "utf8")).toBe(`${link}\n`);
  });

  test("dashboard --open in an SSH session prints its link, and says why it opens nothing", async () => {
    const env = { SSH_TTY: "/dev/pts/0" };
    const { code, stdout, stderr } = await escapement(["dashboard", "--state-dir", runner.stateDir, "--open"], { env });

    expect([code, stdout]).toEqual([0, expect.stringContaining(`${runner.server.url}/?token=TOKEN`)]);
    expect(stderr).toContain("no browser is opened, since this is an SSH session");
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
