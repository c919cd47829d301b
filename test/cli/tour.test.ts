import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { saveDeadLetter } from "../../lib/local/dead-letters.ts";
import { nightly } from "../operations/fleet.ts";
import { escapement, root } from "./escapement.ts";
import { startFakeRunner } from "./runner.ts";

const day = 24 * 60 * 60_000;
const command = "npx tsx bin/escapement.ts ";
/** The tour's days are those before today, since records do not last for ever: its fifth day is this one. */
const todayMs = Math.floor(Date.now() / day) * day;
const dateOf = (dayOfMonth: number) =>
  new Date(todayMs + (dayOfMonth - 5) * day).toISOString().slice(0, "2026-05-01".length);
const moved = (text: string) => text.replace(/2026-05-0(\d)/g, (_, dayOfMonth) => dateOf(Number(dayOfMonth)));

let runner: Awaited<ReturnType<typeof startFakeRunner>>;

beforeAll(async () => {
  runner = await startFakeRunner(todayMs - 10 * day);
  // Half past midnight in UTC, in summer and in winter.
  const schedules = { default: { expression: "cron(30 0 * * ? *)", timeZone: "UTC" } };
  await runner.fleet.register.putFleetJob({ ...nightly, schedules }, todayMs - 10 * day);
  const failed = { runId: `${dateOf(1)}T00:30:00.000Z#default`, schedule: "default" };
  const scheduledTimeMs = Date.parse(`${dateOf(1)}T00:30:00Z`);
  const error = { name: "ConnectionError", message: "the orders database does not answer" };
  await runner.fleet.run(scheduledTimeMs, { ...failed, scheduledTimeMs }, { status: "FAILED", error });
  saveDeadLetter(runner.stateDir, "request-1", {
    version: "1.0",
    timestamp: `${dateOf(1)}T00:40:00.000Z`,
    destination: "dead",
    requestContext: {
      requestId: "request-1",
      functionArn: "arn:aws:lambda:local:000000000000:function:shop-dev-nightly",
      condition: "RetriesExhausted",
      approximateInvokeCount: 3,
    },
    requestPayload: { escapement: { job: "nightly", schedule: "default", scheduledTime: `${dateOf(1)}T00:30:00Z` } },
    responsePayload: { errorType: error.name, errorMessage: error.message },
  });
});
afterAll(() => runner.close());

test("the tour runs as it is written", async () => {
  const tour = readFileSync(join(root, "docs/operations.md"), "utf8");
  const lines = tour.split("\n").filter((line) => line.startsWith(command));
  const printed = new Map<string, string>();
  for (const line of lines) {
    const args =
      moved(line.slice(command.length))
        .match(/"[^"]*"|\S+/g)
        ?.map((word) => word.replaceAll('"', "")) ?? [];
    const { code, stdout, stderr } = await escapement([...args, "--state-dir", runner.stateDir]);
    expect({ line, code, stderr: code === 0 ? "" : stderr }).toEqual({ line, code: 0, stderr: "" });
    printed.set(`${printed.size + 1} ${args[0]}`, stdout);
  }

  // Three nights without a record; the night of today may still be on its way.
  expect(printed.get("2 missed")?.match(/^nightly +default +/gm)?.length).toBeGreaterThanOrEqual(3);
  expect(printed.get("5 run")).toContain("the orders database does not answer");
  expect(printed.get("10 backfill")).toContain("4 of 4 occurrences");
  expect(printed.get("11 backfill")).toContain("Succeeded: 4 of 4.");
  expect(printed.get("13 resend")).toContain("has ended for good since; removed");
  expect([...(printed.get("16 audit") ?? "").matchAll(/UTC +(\S+) +ada/g)].map(([, action]) => action)).toEqual([
    "backfill",
    "resume",
    "pause",
  ]);
}, 180_000);
