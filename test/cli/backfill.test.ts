import { setImmediate as tick } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { escapement } from "./escapement.ts";
import { startFakeRunner } from "./runner.ts";

const day = 24 * 60 * 60_000;
let runner: Awaited<ReturnType<typeof startFakeRunner>>;
const onRunner = (...args: string[]) => escapement([...args, "--state-dir", runner.stateDir]);
// The runner's command line goes by the machine's clock: the range is of the days before today.
const midnightMs = Math.floor(Date.now() / day) * day;
const range = [
  "--from",
  new Date(midnightMs - 4 * day).toISOString(),
  "--to",
  new Date(midnightMs - day).toISOString(),
];

beforeAll(async () => {
  runner = await startFakeRunner(midnightMs - 10 * day);
});
afterAll(() => runner.close());

test("missed lists what has no record, and how to run it", async () => {
  const { code, stdout } = await onRunner("missed", "nightly", ...range);

  expect(code).toBe(0);
  expect(stdout.match(/^nightly +default +\d{4}-/gm)).toHaveLength(3);
  expect(stdout).toMatch(/^Run them: .* backfill nightly --from .* --only missing --state-dir \S+$/m);
});

test("missed says after which time it cannot judge yet", async () => {
  const { stdout } = await onRunner("missed");
  expect(stdout).toMatch(/^Not judged yet: what fell due after \d{4}-.* UTC may still be on its way\.$/m);
});

test("a dry run lists what would run, and runs nothing (OP-06)", async () => {
  const { code, stdout } = await onRunner("backfill", "nightly", ...range, "--dry-run");

  expect(code).toBe(0);
  expect(stdout).toMatch(/\(included\) to .* \(excluded\): 3 of 3 occurrences/);
  expect(stdout.match(/ UTC +default +missing +itself$/gm)).toHaveLength(3);
  expect(runner.payloads).toEqual([]);
});

test("without a terminal it lists, and asks for --yes", async () => {
  expect(await onRunner("backfill", "nightly", ...range)).toMatchObject({
    code: 2,
    stdout: expect.stringContaining("3 of 3"),
    stderr: expect.stringContaining("Run these 3? Nothing was done: there is nobody to ask; add --yes"),
  });
});

test("of a paused job is refused (OP-08)", async () => {
  await runner.fleet.pause("ada");
  const refused = await onRunner("backfill", "nightly", ...range, "--yes");
  await runner.fleet.resume("ada");

  expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining("--even-if-paused") });
});

test("that Ctrl-C stops starts no more, and says how to go on", async () => {
  const nowMs = Date.now();
  const runId = `${new Date(nowMs).toISOString()}#manual#holds`;
  await runner.fleet.start(nowMs, { runId, leaseExpiresAtMs: nowMs + 600_000 });
  // Its entry is written when it begins, and then it waits for the lock.
  const begun = async () => {
    while ((await runner.fleet.records.listAudit("nightly", { limit: 1 }))[0]?.action !== "backfill") await tick();
  };
  const { code, stdout, stderr } = await escapement(
    ["backfill", "nightly", ...range, "--yes", "--only", "all", "--state-dir", runner.stateDir],
    {
      async meanwhile(child) {
        await begun();
        child.kill("SIGINT");
      },
    },
  );
  await runner.fleet.unlock("ada");

  expect(code).toBe(130);
  expect(stdout).toMatch(/^Succeeded: 0 of 3\. Not: 0\.$/m);
  expect(stderr).toMatch(/^Stopping: no more runs start/m);
  expect(stderr).toMatch(/^Stopped: 3 not started\. To go on with them: the same command with --id \w+\.$/m);
  expect(runner.payloads).toEqual([]);
});

test("runs them with a line for each step; a second time there is nothing to do", async () => {
  const { code, stdout, stderr } = await onRunner("backfill", "nightly", ...range, "--yes");
  expect(code).toBe(0);
  expect(stdout).toMatch(/^Succeeded: 3 of 3\. Not: 0\.$/m);
  expect(stderr.match(/^[123]\/3 SUCCEEDED \d{4}-/gm)).toHaveLength(3);

  expect((await onRunner("backfill", "nightly", ...range, "--yes")).stdout).toMatch(
    /^Nothing to run: of 3 occurrences/m,
  );
});
