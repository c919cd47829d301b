import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createRunQueries } from "../../lib/store/index.ts";
import { occurrence, openTable, type TestTable } from "./harness.ts";

const FLEET = "Escapement-double";
const DELIVERIES = 200;

let table: TestTable;
let children: ChildProcess[];

beforeAll(async () => {
  table = await openTable();
  children = [0, 1].map(() =>
    fork(join(import.meta.dirname, "deliverer.ts"), {
      execArgv: ["--import", "tsx"],
      stdio: ["ignore", "pipe", "inherit", "ipc"],
      env: {
        ...process.env,
        ESCAPEMENT_JOB: "nightly-report",
        ESCAPEMENT_FLEET: FLEET,
        ESCAPEMENT_TABLE: table.tableName,
        AWS_ENDPOINT_URL_DYNAMODB: table.endpoint,
        AWS_REGION: "eu-central-1",
        AWS_ACCESS_KEY_ID: "test",
        AWS_SECRET_ACCESS_KEY: "test",
      },
    }),
  );
});
afterAll(async () => {
  for (const child of children) child.kill();
  await table.close();
});

interface Reply {
  readonly answer: unknown;
  readonly handled: number;
}

async function deliver(child: ChildProcess, event: unknown, requestId: string): Promise<Reply> {
  const reply = once(child, "message");
  child.send({ event, requestId });
  return (await reply)[0];
}

test("DU-01: the same event at the same moment in two processes, 200 times: every run once, every second delivery a duplicate", async () => {
  const output = children.map((child) => text(child.stdout as NonNullable<typeof child.stdout>));
  // Ten minutes ago, one a second: all of them are due, and none is late.
  const startMs = Math.floor(Date.now() / 1_000) * 1_000 - 600_000;
  const handled = [0, 0];

  for (let n = 0; n < DELIVERIES; n += 1) {
    const scheduledTime = new Date(startMs + n * 1_000).toISOString();
    const runId = `${scheduledTime}#default`;
    const replies = await Promise.all(
      children.map((child, c) => deliver(child, occurrence(scheduledTime, `exec-${n}-${c}`), `req-${n}-${c}`)),
    );
    for (const [c, reply] of replies.entries()) handled[c] = reply.handled;
    // A handler that returns nothing answers nothing, which JSON leaves out.
    const answers = replies.map(({ answer }) => answer).filter((answer) => answer !== undefined);
    expect(answers).toEqual([{ outcome: "duplicate", runId, status: expect.stringMatching(/^(RUNNING|SUCCEEDED)$/) }]);
  }

  expect((handled[0] ?? 0) + (handled[1] ?? 0)).toBe(DELIVERIES);

  const queries = createRunQueries({ client: table.client, tableName: table.tableName, fleet: FLEET });
  const runs = await queries.listRuns("nightly-report", { limit: 1_000 });
  expect(runs.map(({ status }) => status)).toEqual(Array(DELIVERIES).fill("SUCCEEDED"));
  expect(new Set(runs.map(({ attempt }) => attempt))).toEqual(new Set([1]));

  for (const child of children) child.disconnect();
  const lines = (await Promise.all(output))
    .flatMap((printed) => printed.trim().split("\n"))
    .map((line) => JSON.parse(line));
  const duplicates = lines.filter((line) => line.Duplicates !== undefined);
  expect(duplicates.reduce((sum, line) => sum + line.Duplicates, 0)).toBe(DELIVERIES);
  expect(duplicates[0]).toMatchObject({ fleet: FLEET, job: "nightly-report" });
}, 180_000);
