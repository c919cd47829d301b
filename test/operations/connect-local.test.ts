import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { writeRunnerFile } from "../../lib/local/runner-file.ts";
import { connectLocal, diagnose } from "../../lib/operations/index.ts";
import { startFakeRunner } from "../cli/runner.ts";
import { tempFolder } from "../local/temp-folder.ts";
import { FLEET, nightly, openFleet, TABLE } from "./fleet.ts";

/** What a runner leaves that has ended. */
function leaveRunnerFile(stateDir: string): void {
  writeRunnerFile(stateDir, {
    pid: 1,
    startedAt: "2026-05-01T00:00:00.000Z",
    // Port 1: nobody answers there.
    url: "http://127.0.0.1:1",
    token: "token",
    accessKeyId: "LOCAL",
    dynamoEndpoint: "http://127.0.0.1:1",
    fleet: FLEET,
    tableName: TABLE,
    assemblyDir: "elsewhere",
    disabledSchedules: [{ job: "nightly", schedule: "noon" }],
  });
}

test("with no runner running the folder can be read, and nothing triggered", async () => {
  const stateDir = tempFolder();
  const fleet = await openFleet(stateDir);
  const noon = { expression: "cron(0 12 * * ? *)", timeZone: "UTC" };
  const midnight = { expression: "cron(0 0 * * ? *)", timeZone: "UTC" };
  await fleet.register.putFleetJob({ ...nightly, schedules: { noon, midnight } }, Date.UTC(2026, 4, 1));
  await fleet.stop();
  leaveRunnerFile(stateDir);

  const operations = await connectLocal({ stateDir });
  try {
    expect(operations.target).toEqual({ kind: "local", fleet: FLEET, stateDir, running: false });
    expect((await operations.list()).map(({ job }) => job)).toEqual(["nightly"]);
    // LD-04: the one that the template disables is shown as such, and never as about to fire.
    const { schedules } = await operations.describe("nightly");
    expect(schedules.map(({ name, disabled, next }) => [name, disabled, next !== undefined])).toEqual([
      ["noon", true, false],
      ["midnight", undefined, true],
    ]);
    const { occurrences, description } = await operations.next("nightly", { from: "2026-05-01T06:00:00Z", count: 2 });
    expect(occurrences.map(({ at }) => at)).toEqual(["2026-05-02T00:00:00Z", "2026-05-03T00:00:00Z"]);
    expect(description).toContain("noon: At 12:00, UTC (disabled)");
    await expect(operations.trigger("nightly", { by: "ada" })).rejects.toMatchObject({ code: "NOT_RUNNING" });
  } finally {
    await operations.close();
  }
  expect(await diagnose(() => connectLocal({ stateDir }))).toMatchObject({ target: { running: false } });
});

test("a folder whose runner's clock was ahead goes by where that ended", async () => {
  const stateDir = tempFolder();
  const fleet = await openFleet(stateDir);
  await fleet.register.putFleetJob(nightly, Date.UTC(2099, 4, 1));
  await fleet.stop();
  leaveRunnerFile(stateDir);
  writeFileSync(join(stateDir, "clock.json"), JSON.stringify({ untilMs: Date.UTC(2099, 4, 2, 12) }));

  const operations = await connectLocal({ stateDir });
  try {
    const { paused } = await operations.pause("nightly", { by: "ada", reason: "source down" });
    expect(paused).toMatchObject({ at: "2099-05-02T12:00:00Z" });
    const { occurrences } = await operations.next("nightly", { count: 1 });
    expect(occurrences).toMatchObject([{ at: "2099-05-03T00:30:00Z" }]);
  } finally {
    await operations.close();
  }
});

test("where no runner has run yet, or left nothing to read, that is said, with what to do", async () => {
  const said = { code: "NO_STATE", message: expect.stringContaining("npm start") };
  const stateDir = tempFolder();
  await expect(connectLocal({ stateDir })).rejects.toMatchObject(said);

  writeFileSync(join(stateDir, "runner.json"), '{ "pid": 12');
  await expect(connectLocal({ stateDir })).rejects.toMatchObject(said);
});

test("that its runner has ended meanwhile is said, whatever was asked, with what becomes of it and what to do", async () => {
  const runner = await startFakeRunner();
  const { stateDir } = runner;
  const operations = await connectLocal({ stateDir });
  const said = {
    code: "NOT_RUNNING",
    message: expect.stringMatching(/^the runner in .* has ended meanwhile.* comes again at its next start: npm start/),
  };
  try {
    const { runId } = await operations.trigger("nightly", { by: "ada" });
    expect(await operations.follow("nightly", runId)).toMatchObject({ status: "SUCCEEDED" });
    runner.server.close();
    await expect(operations.trigger("nightly", { by: "ada" })).rejects.toMatchObject(said);
    await runner.fleet.stop();
    await expect(operations.follow("nightly", runId)).rejects.toMatchObject(said);
    await expect(operations.pause("nightly", { by: "ada", reason: "why" })).rejects.toMatchObject(said);
  } finally {
    await operations.close();
  }
});

test("what a runner that is there does not answer is told as it is", async () => {
  const runner = await startFakeRunner();
  const operations = await connectLocal({ stateDir: runner.stateDir });
  await runner.fleet.stop();
  await expect(operations.list()).rejects.toMatchObject({ code: "STORE_UNREACHABLE" });
  await operations.close();
  runner.server.close();
});
