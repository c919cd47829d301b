import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { saveDeadLetter } from "../../lib/local/dead-letters.ts";
import { escapement } from "./escapement.ts";
import { startFakeRunner } from "./runner.ts";

let runner: Awaited<ReturnType<typeof startFakeRunner>>;
const onRunner = (...args: string[]) => escapement([...args, "--state-dir", runner.stateDir]);
const runId = "2026-05-02T00:30:00.000Z#default";
const save = (requestId: string, job = "nightly") =>
  saveDeadLetter(runner.stateDir, requestId, {
    version: "1.0",
    timestamp: "2026-05-02T00:40:00.000Z",
    destination: "dead",
    requestContext: {
      requestId,
      functionArn: "arn:aws:lambda:local:000000000000:function:shop-dev-nightly",
      condition: "RetriesExhausted",
      approximateInvokeCount: 3,
    },
    requestPayload: { escapement: { job, schedule: "default", scheduledTime: "2026-05-02T00:30:00Z" } },
    responsePayload: { errorType: "TypeError", errorMessage: "no orders" },
  });

beforeAll(async () => {
  runner = await startFakeRunner();
});
afterAll(() => runner.close());

test("dead letters are listed with their run and reason, and resent by id", async () => {
  save("request-1");
  const listed = await onRunner("dead-letters");
  expect(listed.stdout).toMatch(
    /^request-1 +2026-05-02 00:40:00 UTC +nightly +2026-05-02T00:30:00\.000Z#default +RetriesExhausted; TypeError: no orders$/m,
  );

  const { code, stdout } = await onRunner("resend", "request-1");
  expect(code).toBe(0);
  expect(stdout).toContain(`request-1: run ${runId} of nightly is requested`);
  expect((await onRunner("dead-letters")).stdout).toContain("None.");
});

test("all of them need --yes without a terminal; neither an id nor --all is wrong usage", async () => {
  save("request-2");
  expect(await onRunner("resend", "--all")).toMatchObject({ code: 2, stderr: expect.stringContaining("--yes") });
  expect(await onRunner("resend")).toMatchObject({ code: 2, stderr: expect.stringContaining("--all") });

  const { stdout } = await onRunner("resend", "--all", "--yes");
  expect(stdout).toContain(`request-2: run ${runId} of nightly has ended for good since; removed`);
});

test("a letter for a job that is gone stays with the reason, and discard removes it after asking", async () => {
  save("request-3");
  save("request-4", "gone");
  const resent = await onRunner("resend", "--all", "--yes");
  expect(resent).toMatchObject({ code: 1, stderr: expect.stringMatching(/^request-4: not sent, .*no job "gone"/m) });
  expect(resent.stdout).toContain("request-3: ");

  const discard = ["discard", "request-4", "--reason", "its job is gone"];
  expect(await onRunner(...discard)).toMatchObject({ code: 2, stderr: expect.stringContaining("--yes") });
  expect((await onRunner(...discard, "--yes")).stdout).toContain("request-4: removed, not sent");
  expect((await onRunner("dead-letters")).stdout).toContain("None.");
});

test("logs shows the lines of one run, as text", async () => {
  const folder = join(runner.stateDir, "logs", "shop-dev-nightly", "2026-05-02");
  mkdirSync(folder, { recursive: true });
  const line = (message: string, id: string) => JSON.stringify({ level: "INFO", message, runId: id });
  writeFileSync(join(folder, "local-1.log"), `${line("mine", runId)}\n${line("another's", "x")}\nplain\n`);

  // No line says its time: it is the file's.
  expect((await onRunner("logs", "nightly", runId)).stdout).toMatch(/^\S+ \S+ UTC mine$/m);
  const all = (await onRunner("logs", "nightly")).stdout;
  expect(all).toMatch(/^\S+ \S+ UTC another's$/m);
  expect(all).toMatch(/^\S+ \S+ UTC \| plain$/m);
  expect((await onRunner("logs", "nightly", runId)).stdout).not.toContain("another's");
});

test("logs says when a line was printed, and leaves metrics out", async () => {
  const folder = join(runner.stateDir, "logs", "shop-dev-nightly", "2026-05-02");
  mkdirSync(folder, { recursive: true });
  // Of now: a job's log is that of the last day.
  const atMs = Math.floor(Date.now() / 1000) * 1000;
  const timestamp = new Date(atMs).toISOString();
  const lines = [
    { message: "read", timestamp },
    { _aws: { Timestamp: atMs }, Starts: 1 },
  ];
  writeFileSync(join(folder, "local-2.log"), lines.map((line) => JSON.stringify(line)).join("\n"));

  const { stdout } = await onRunner("logs", "nightly");
  expect(stdout).toContain(`${timestamp.slice(0, 10)} ${timestamp.slice(11, 19)} UTC read\n`);
  expect(stdout).not.toContain("Starts");
});
