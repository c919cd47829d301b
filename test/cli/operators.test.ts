import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { minute } from "../operations/fleet.ts";
import { escapement } from "./escapement.ts";
import { startFakeRunner } from "./runner.ts";

let runner: Awaited<ReturnType<typeof startFakeRunner>>;
const onRunner = (...args: string[]) => escapement([...args, "--state-dir", runner.stateDir]);
const holdLock = async (heartbeatMs?: number) => {
  const nowMs = Date.now();
  const runId = `${new Date(nowMs).toISOString()}#manual#${nowMs}`;
  await runner.fleet.start(nowMs, { runId, heartbeatMs, leaseExpiresAtMs: nowMs + 600_000 });
  return runId;
};

beforeAll(async () => {
  runner = await startFakeRunner();
});
afterAll(() => runner.close());

describe("pause and resume", () => {
  afterEach(() => runner.fleet.resume("ada"));

  test("a pause is said with who and why, and shown by list, describe and audit", async () => {
    const { code, stdout } = await onRunner("pause", "nightly", "--reason", "source\tdown", "--by", "ada");
    expect(code).toBe(0);
    expect(stdout).toMatch(/^nightly is paused since \d{4}-.* UTC by ada: source\tdown$/m);

    expect((await onRunner("list")).stdout).toMatch(/^nightly .* paused /m);
    expect((await onRunner("describe", "nightly")).stdout).toMatch(/^Paused +since .* by ada: source\tdown$/m);
    // In columns a tab would be one more.
    expect((await onRunner("audit", "nightly")).stdout).toMatch(/ UTC +pause +ada +source\\tdown/);
  });

  test("a second pause ends with 1 and says whose stands", async () => {
    await runner.fleet.pause("ada");
    const { code, stderr } = await onRunner("pause", "nightly", "--reason", "too", "--by", "grace");

    expect(code).toBe(1);
    expect(stderr).toMatch(/^nightly is paused already, since .* by ada: source down\. Resume it first/);
  });

  test("resume without a terminal asks for --yes, and changes nothing (OP-04)", async () => {
    await runner.fleet.pause("ada");
    const asked = await onRunner("resume", "nightly");
    expect(asked).toMatchObject({ code: 2, stderr: expect.stringContaining("add --yes") });
    expect(asked.stdout).toContain("The next run is that of ");

    const done = await onRunner("resume", "nightly", "--yes", "--json");
    expect(done.code).toBe(0);
    expect(JSON.parse(done.stdout)).toMatchObject({ outcome: "resumed", paused: { by: "ada" }, skipped: { count: 0 } });
  });

  test("resume names the backfill of what was skipped, and that of what has no record", async () => {
    const pausedMs = Date.now() - 3 * 24 * 60 * minute;
    await runner.fleet.pause("ada", pausedMs);
    const timeMs = pausedMs + minute;
    const runId = `${new Date(timeMs).toISOString()}#default`;
    await runner.fleet.start(timeMs, { runId, schedule: "default", scheduledTimeMs: timeMs });

    const { stdout } = await onRunner("resume", "nightly", "--yes");
    expect(stdout).toMatch(/^Skipped since: 1, from .* UTC to .* UTC\. They do not run now\.$/m);
    expect(stdout).toMatch(/backfill nightly --only skipped --from \S+Z --to \S+Z --state-dir \S+$/m);
    expect(stdout).toMatch(/^Fell due since, without a record: [23], from .* UTC to .* UTC\. They do not run now\.$/m);
    expect(stdout).toMatch(/backfill nightly --only missing --from \S+Z --to \S+Z --state-dir \S+$/m);
  });

  test("resume of a job that is not paused is nothing to do", async () => {
    expect(await onRunner("resume", "nightly")).toMatchObject({
      code: 0,
      stdout: expect.stringContaining("nightly is not paused: nothing to do."),
    });
  });

  test("a pause without a reason ends with 2", async () => {
    expect(await onRunner("pause", "nightly")).toMatchObject({
      code: 2,
      stdout: "",
      stderr: expect.stringContaining("--reason <text>"),
    });
  });
});

describe("unlock (OP-01)", () => {
  const why = ["--reason", "it hangs"];

  test("of a free lock is nothing to do", async () => {
    expect(await onRunner("unlock", "nightly", ...why)).toMatchObject({
      code: 0,
      stdout: expect.stringContaining("nothing to do"),
    });
  });

  test("of a misspelt job ends with 2 and the nearest name", async () => {
    expect(await onRunner("unlock", "nigthly", ...why)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('did you mean "nightly"?'),
    });
  });

  test("shows the holder; needs --yes without a terminal; a wrong owner changes nothing", async () => {
    const runId = await holdLock();
    const asked = await onRunner("unlock", "nightly", ...why);
    expect(asked.code).toBe(2);
    expect(asked.stdout).toContain(`${runId}, attempt 1`);
    expect(asked.stdout).toMatch(/^Ends by itself +\d{4}-/m);
    expect(asked.stdout).toMatch(/^If you take it +attempt 2 of 3 of this run starts by itself/m);
    expect(asked.stdout).toMatch(new RegExp(`^More .* run nightly "${runId}" --state-dir ${runner.stateDir}$`, "m"));

    const wrong = await onRunner("unlock", "nightly", ...why, "--owner", "WRONG", "--yes");
    expect(wrong).toMatchObject({ code: 1, stderr: expect.stringContaining(`holds the lock for run ${runId}`) });

    const done = await onRunner("unlock", "nightly", ...why, "--yes");
    expect(done.code).toBe(0);
    expect(done.stdout).toContain(`Run ${runId} is recorded as LOST.`);
    expect(done.stdout).toContain("Its code may still be at work");
    expect((await onRunner("run", "nightly", runId)).stdout).toContain("took its lock: it hangs");
  });
});

describe("cancel", () => {
  const why = ["--reason", "wrong month"];
  afterEach(() => runner.fleet.unlock("ada"));

  test("asks a run with a heartbeat", async () => {
    const runId = await holdLock(20_000);
    expect(await onRunner("cancel", "nightly", ...why)).toMatchObject({
      code: 0,
      stdout: expect.stringContaining(`Run ${runId} is asked to stop: it hears of it within 20 s.`),
    });
  });

  test("of a run without one ends with 1 and says what to do", async () => {
    await holdLock();
    expect(await onRunner("cancel", "nightly", ...why)).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/no heartbeat.*unlock nightly --reason/s),
    });
  });
});

test("a run that waits is shown as such, and taken out of the queue by its id", async () => {
  const atWork = await holdLock();
  const waits = `${new Date(Date.now() + 1_000).toISOString()}#manual#waits`;
  await runner.fleet.start(Date.now(), { runId: waits, overlap: "queue" });
  const shown = await onRunner("run", "nightly", waits);
  expect(shown.stdout).toMatch(/^Status +WAITING$/m);
  expect(shown.stdout).toMatch(/^Why +waits since .* UTC, at position 1, behind /m);
  expect(shown.stdout).toContain(`behind ${atWork}`);

  const done = await onRunner("cancel", "nightly", "--run", waits, "--reason", "not needed", "--json");
  expect(JSON.parse(done.stdout)).toMatchObject({ outcome: "withdrawn", runId: waits });
  await runner.fleet.unlock("ada");
});
