import { execFile } from "node:child_process";
import { existsSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { escapement, root } from "./escapement.ts";
import { startFakeRunner } from "./runner.ts";

const dueMs = Date.UTC(2026, 4, 2, 0, 30);
const scheduled = { runId: "2026-05-02T00:30:00.000Z#default", schedule: "default", scheduledTimeMs: dueMs };

let runner: Awaited<ReturnType<typeof startFakeRunner>>;
const onRunner = (...args: string[]) => escapement([...args, "--state-dir", runner.stateDir]);

beforeAll(async () => {
  runner = await startFakeRunner();
  await runner.fleet.run(dueMs, scheduled, { status: "SUCCEEDED" });
});
afterAll(() => runner.close());

describe("with a running runner", () => {
  test("list names it on its first line, then gives one line for each job", async () => {
    const { code, stdout } = await onRunner("list");

    expect(code).toBe(0);
    const [target, head, ...jobs] = stdout.trimEnd().split("\n");
    expect(target).toMatch(/^Local runner at http:\/\/127\.0\.0\.1:\d+, fleet shop-dev$/);
    expect(head).toMatch(/^Job +Schedule +Next +State +Last run$/);
    expect(jobs).toHaveLength(1);
    expect(jobs[0]).toMatch(
      /^nightly +At 02:30, Europe\/Berlin +cron\(30 2 \* \* \? \*\) .* UTC .* \+0[12]:00 +idle +SUCCEEDED/,
    );
  });

  test("list --json is one document, without colour also where colour is wanted", async () => {
    const args = ["list", "--json", "--state-dir", runner.stateDir];
    const { code, stdout, stderr } = await escapement(args, { env: { FORCE_COLOR: "1" } });

    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(JSON.parse(stdout)).toMatchObject({
      target: { kind: "local", fleet: "shop-dev", running: true },
      jobs: [{ job: "nightly", state: "idle" }],
    });
  });

  test("describe shows options and runs", async () => {
    const { code, stdout } = await onRunner("describe", "nightly");

    expect(code).toBe(0);
    expect(stdout).toMatch(/^Overlap +skip$/m);
    expect(stdout).toMatch(/^Queue length +10$/m);
    expect(stdout).toMatch(/^Catch-up +none$/m);
    expect(stdout).toMatch(/^Records kept +90 days$/m);
    expect(stdout).toContain(scheduled.runId);
  });

  test("runs shows when each started, in UTC and in the job's zone", async () => {
    const { code, stdout } = await onRunner("runs", "nightly", "--status", "SUCCEEDED", "--limit", "1");

    expect(code).toBe(0);
    expect(stdout).toContain("2026-05-02 00:30:00 UTC  2026-05-02 02:30:00 +02:00");
  });

  test("run shows one run", async () => {
    const { code, stdout } = await onRunner("run", "nightly", scheduled.runId);

    expect(code).toBe(0);
    expect(stdout).toMatch(
      /^Scheduled time +2026-05-02 00:30:00 UTC \(2026-05-02 02:30:00 \+02:00, Europe\/Berlin\)$/m,
    );
    expect(stdout).toMatch(/^Attempt 1 +SUCCEEDED +2 s +\(request request-1\)$/m);
  });

  test("next takes a job's zone, and no other", async () => {
    const from = ["--from", "2026-05-02T00:30:00Z", "--count", "1"];
    const found = await onRunner("next", "nightly", ...from, "--json");
    expect(JSON.parse(found.stdout)).toMatchObject({
      job: "nightly",
      occurrences: [{ at: "2026-05-03T00:30:00Z", local: "2026-05-03T02:30:00+02:00", schedule: "default" }],
    });

    const refused = await onRunner("next", "nightly", "--time-zone", "UTC");
    expect(refused).toMatchObject({ code: 2, stdout: "", stderr: expect.stringContaining("--time-zone") });
  });

  test("a misspelt job ends with 2 and the nearest name", async () => {
    const { code, stdout, stderr } = await onRunner("runs", "nigthly", "--json");

    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toBe('error: fleet shop-dev has no job "nigthly"; did you mean "nightly"?\n');
  });

  test("doctor checks this machine, the runner and the jobs, and ends with 0", async () => {
    const { code, stdout } = await onRunner("doctor");

    expect(code).toBe(0);
    expect(stdout).toMatch(/^Local runner at http:\/\/127\.0\.0\.1:\d+, fleet shop-dev\n/);
    expect(stdout).toMatch(/^ok +zone data: version \d{4}[a-z]$/m);
    expect(stdout).toMatch(/^ok +runner: running at http/m);
  });
});

describe("trigger", () => {
  test("prints the run id and asks for the run with who and why", async () => {
    const { code, stdout } = await onRunner("trigger", "nightly", "--reason", "month end", "--json");

    expect(code).toBe(0);
    const { runId } = JSON.parse(stdout) as { runId: string };
    expect(runner.payloads.at(-1)).toMatchObject({
      escapement: {
        job: "nightly",
        request: { id: runId.split("#")[2], at: runId.split("#")[0], by: expect.any(String), reason: "month end" },
      },
    });
  });

  test("--wait follows the run and ends with 0 when it succeeded", async () => {
    const { code, stdout, stderr } = await onRunner("trigger", "nightly", "--wait");

    expect(code).toBe(0);
    expect(stdout).toMatch(/^Requested run .*#manual#[0-9a-f]{8}$/m);
    expect(stdout).toMatch(/^Status +SUCCEEDED$/m);
    expect(stderr).toContain("SUCCEEDED attempt 1");
  });

  test("--wait ends with 1 when it failed; the input can come from stdin (OP-09)", async () => {
    const args = ["trigger", "nightly", "--input", "-", "--wait", "--json", "--state-dir", runner.stateDir];
    const { code, stdout } = await escapement(args, { stdin: '{"fail": true}' });

    expect(code).toBe(1);
    expect(JSON.parse(stdout)).toMatchObject({ run: { status: "FAILED", error: { message: "asked to" } } });
  });

  test("takes its input from a file, and refuses what is no JSON", async () => {
    const file = join(mkdtempSync(join(tmpdir(), "escapement-")), "input.json");
    writeFileSync(file, '{"month": 4}');
    expect((await onRunner("trigger", "nightly", "--input", `@${file}`)).code).toBe(0);
    expect(runner.payloads.at(-1)).toMatchObject({ input: { month: 4 } });

    const refused = await onRunner("trigger", "nightly", "--input", "{month: 4}");
    expect(refused).toMatchObject({ code: 2, stdout: "", stderr: expect.stringContaining("--input is no JSON") });
    writeFileSync(file, '{"order": 12345678901234567890}');
    const sent = runner.payloads.length;
    expect(await onRunner("trigger", "nightly", "--input", `@${file}`)).toMatchObject({
      code: 2,
      stdout: "",
      stderr: expect.stringMatching(/input\.json has the number 12345678901234567890.*Give it as a text/),
    });
    expect(runner.payloads).toHaveLength(sent);
  });
});

describe("with nothing there", () => {
  const nowhere = join(tmpdir(), "escapement-nowhere");

  test("list ends with 1, says what to do, and makes no folder", async () => {
    const { code, stdout, stderr } = await escapement(["list", "--state-dir", nowhere]);

    expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
    expect(stderr).toContain("npm start");
    expect(existsSync(nowhere)).toBe(false);
  });

  test("doctor still checks this machine, and says first that it is all it has", async () => {
    const plain = await escapement(["doctor", "--state-dir", nowhere]);
    expect(plain.stdout).toMatch(/^No state of a local runner could be read in .*escapement-nowhere\n/);

    const { code, stdout } = await escapement(["doctor", "--state-dir", nowhere, "--json"]);

    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({
      healthy: true,
      findings: [{ check: "Node" }, { check: "zone data", level: "ok" }, { check: "state", level: "warning" }],
    });
  });
});

test("a reader that has seen enough is no failure", async () => {
  // Far more than a pipe holds, so that writing goes on after the reader has left.
  const command = `"${process.execPath}" --import "${import.meta.resolve("tsx")}" bin/escapement.ts next "rate(1 minute)" --count 1000 --json | head -n 1; echo "\${PIPESTATUS[0]}"`;
  const { stdout, stderr } = await promisify(execFile)("bash", ["-c", command], { cwd: root });

  expect(stdout).toBe("{\n0\n");
  expect(stderr).toBe("");
});
