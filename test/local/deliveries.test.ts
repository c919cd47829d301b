import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { listDeadLetters } from "../../lib/local/dead-letters.ts";
import type { DeliveryPolicy, ScheduleDefinition } from "../../lib/local/definitions.ts";
import { Deliveries } from "../../lib/local/deliveries.ts";
import type { RunnerEvent } from "../../lib/local/events.ts";
import { ManualClock } from "./manual-clock.ts";
import { tempFolder } from "./temp-folder.ts";

const noonMs = Date.parse("2026-05-01T12:00:00Z");
const destination = "arn:aws:sqs:local:000000000000:Shop-Failed";

test("an occurrence that the queue refuses is tried again after 1, 2, 4, 8, 8, … minutes, and says which try it is", async () => {
  const { clock, deliver, tried, warnings } = machine({ refusals: 5 });
  deliver();
  await clock.moveTo("2026-05-01T13:00:00Z");
  expect(tried).toEqual(["12:00 try 1", "12:01 try 2", "12:03 try 3", "12:07 try 4", "12:15 try 5", "12:23 try 6"]);
  expect(warnings()[0]).toBe(
    "bill: the occurrence of 2026-05-01T12:00:00.000Z could not be queued and is tried again at 2026-05-01T12:01:00.000Z: disk full",
  );
  expect(warnings()).toHaveLength(5);
});

test.each([
  ["of retries", { maxRetries: 2, maxAgeMs: 86_400_000 }, "MaximumRetryAttempts", "2", "12:03"],
  // The fourth try, at 12:07, would be too late.
  ["of time", { maxRetries: 185, maxAgeMs: 300_000 }, "MaximumEventAgeInSeconds", "2", "12:03"],
])("at the end %s it is a dead letter, as Scheduler sends it", async (_what, policy, condition, retries, at) => {
  const { clock, deliver, stateDir, told } = machine({ refusals: 99, policy: { ...policy, destination } });
  deliver();
  await clock.moveTo("2026-05-01T13:00:00Z");
  expect(listDeadLetters(stateDir)).toEqual([
    {
      id: expect.stringMatching(/^[-\w]{36}$/),
      from: "schedule",
      letter: {
        timestamp: `2026-05-01T${at}:00.000Z`,
        destination,
        body: { time: "2026-05-01T12:00:00Z", attempt: "3" },
        attributes: {
          ERROR_CODE: "ServiceException",
          ERROR_MESSAGE: "disk full",
          EXHAUSTED_RETRY_CONDITION: condition,
          RETRY_ATTEMPTS: retries,
          SCHEDULED_TIME: "2026-05-01T12:00:00.000Z",
          SCHEDULE_ARN: "arn:schedule",
          TARGET_ARN: "arn:aws:lambda:local:000000000000:function:bill",
        },
      },
    },
  ]);
  expect(told.at(-1)).toMatchObject({ kind: "dead-lettered", functionName: "bill", destination });
});

test("without a queue for dead letters it is dropped, and that is said", async () => {
  const { deliver, stateDir, told } = machine({ refusals: 9, policy: { maxRetries: 0, maxAgeMs: 60_000 } });
  deliver();
  expect(listDeadLetters(stateDir)).toEqual([]);
  expect(told).toEqual([
    {
      kind: "dead-lettered",
      functionName: "bill",
      requestId: expect.any(String),
      error: { errorType: "MaximumRetryAttempts", errorMessage: "disk full" },
    },
  ]);
});

test("where the disk takes no dead letter either, it is kept until the disk does", async () => {
  const { clock, deliver, stateDir, warnings, away, back } = machine({
    refusals: 9,
    policy: { maxRetries: 0, maxAgeMs: 60_000, destination },
  });
  away();
  deliver();
  expect(warnings()).toEqual([expect.stringContaining("could not be queued, nor kept as a dead letter yet: E")]);
  await clock.moveTo("2026-05-01T12:05:00Z");
  back();
  await clock.moveTo("2026-05-01T12:08:00Z");
  expect(listDeadLetters(stateDir)).toHaveLength(1);
});

test("what still waits when the runner ends is named as lost", () => {
  const { deliver, stop, warnings } = machine({ refusals: 9 });
  deliver();
  stop();
  expect(warnings().at(-1)).toBe(
    "bill: the occurrence of 2026-05-01T12:00:00.000Z was never queued and is lost: the runner ends",
  );
});

/** A queue that refuses so many tries. */
function machine({ refusals, policy }: { refusals: number; policy?: DeliveryPolicy }) {
  const clock = new ManualClock("2026-05-01T12:00:00Z");
  const stateDir = tempFolder();
  const told: RunnerEvent[] = [];
  const tried: string[] = [];
  const accept = (_functionName: string, payload: string) => {
    const { attempt } = JSON.parse(payload) as { attempt: string };
    tried.push(`${new Date(clock.nowMs()).toISOString().slice(11, 16)} try ${attempt}`);
    if (tried.length <= refusals) throw new Error("disk full");
  };
  const schedule: ScheduleDefinition = {
    id: "default/bill",
    arn: "arn:schedule",
    job: "bill",
    name: "bill",
    spec: { expression: "cron(0 12 * * ? *)", timeZone: "UTC" },
    enabled: true,
    isWatchdogs: false,
    functionName: "bill",
    input: '{"time":"<aws.scheduler.scheduled-time>","attempt":"<aws.scheduler.attempt-number>"}',
    delivery: policy ?? { maxRetries: 185, maxAgeMs: 86_400_000 },
  };
  const deliveries = new Deliveries({ stateDir, clock, accept, tell: (event) => told.push(event) });
  const letters = join(stateDir, "dead-letters");
  return {
    clock,
    stateDir,
    tried,
    told,
    deliver: () => deliveries.deliver(schedule, noonMs),
    stop: () => deliveries.stop(),
    warnings: () => told.flatMap((event) => (event.kind === "warning" ? event.message : [])),
    // What is not a folder takes no files, whoever asks.
    away: () => writeFileSync(letters, ""),
    back: () => rmSync(letters),
  };
}
