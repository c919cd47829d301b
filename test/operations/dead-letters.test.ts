import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { queueOfDeadLetters } from "../../lib/operations/aws-dead-letters.ts";
import type { DeadLetter } from "../../lib/operations/index.ts";
import { createOperations } from "../../lib/operations/operations.ts";
import { startFakeAws } from "./fake-aws.ts";
import { backendOn, nightly, openFleet } from "./fleet.ts";

const dueMs = Date.UTC(2026, 4, 2, 0, 30);
const runId = "2026-05-02T00:30:00.000Z#default";
const scheduled = { runId, schedule: "default", scheduledTimeMs: dueMs };
const event = {
  escapement: { job: "nightly", schedule: "default", scheduledTime: "2026-05-02T00:30:00Z", executionId: "e1" },
  input: { shop: 7 },
};
const letter = (payload: unknown, overrides: Partial<DeadLetter> = {}): DeadLetter => ({
  id: "letter-1",
  at: "2026-05-02T00:40:00Z",
  from: "function",
  functionName: "shop-dev-nightly",
  payload,
  ...overrides,
});

async function allOf<T>(source: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const one of source) all.push(one);
  return all;
}

let fleet: Awaited<ReturnType<typeof openFleet>>;
let letters: DeadLetter[];
const sent: { functionName: string; payload: unknown }[] = [];
const operations = () =>
  createOperations(
    backendOn(fleet, () => dueMs + 3_600_000, {
      deadLetters: {
        async *read() {
          yield* letters;
        },
        async remove(id) {
          letters = letters.filter((one) => one.id !== id);
        },
      },
      invoke: async (functionName, payload) => {
        sent.push({ functionName, payload });
      },
    }),
  );

beforeEach(async () => {
  fleet = await openFleet();
  sent.length = 0;
  await fleet.register.putFleetJob(nightly, Date.UTC(2026, 4, 1));
});
afterEach(() => fleet.close());

describe("resend", () => {
  test("starts an occurrence that has no record under its own identity, with its input", async () => {
    letters = [letter(event)];
    expect(await operations().deadLetters()).toMatchObject([{ id: "letter-1", job: "nightly", runId }]);

    expect(await operations().resend("letter-1", { by: "ada", reason: "fixed" })).toEqual([
      { id: "letter-1", job: "nightly", runId, outcome: "sent" },
    ]);
    expect(sent).toMatchObject([
      {
        functionName: "shop-dev-nightly",
        payload: {
          escapement: { job: "nightly", start: { runId, cause: "backfill", trigger: { by: "ada", reason: "fixed" } } },
          input: { shop: 7 },
        },
      },
    ]);
    expect(letters).toEqual([]);
    expect(await operations().audit("nightly")).toMatchObject([{ action: "resend", by: "ada", reason: "fixed" }]);
  });

  test("starts a manual run for the time and the schedule of one that has no attempt left", async () => {
    for (const attempt of [1, 2, 3]) {
      await fleet.run(dueMs + attempt * 60_000, scheduled, {
        status: "FAILED",
        error: { name: "Error", message: "no" },
      });
    }
    letters = [letter(event)];
    const [resent] = await operations().resend("letter-1", { by: "ada" });

    expect(resent?.runId).toBe("2026-05-02T00:40:00.000Z#manual#letter-1");
    const work = { workTime: "2026-05-02T00:30:00.000Z", workSchedule: "default" };
    expect(sent).toMatchObject([{ payload: { escapement: { start: work } } }]);
  });

  test("sends nothing for one that has succeeded since, and removes the letter", async () => {
    await fleet.run(dueMs, scheduled, { status: "SUCCEEDED" });
    letters = [letter(event)];

    expect(await operations().resend("letter-1", { by: "ada" })).toMatchObject([{ outcome: "done", runId }]);
    expect(sent).toEqual([]);
    expect(letters).toEqual([]);
  });

  test("sends an event that is none of ours as it was", async () => {
    letters = [letter({ any: "thing" })];

    expect(await operations().resend(undefined, { by: "ada" })).toEqual([{ id: "letter-1", outcome: "sent" }]);
    expect(sent).toEqual([{ functionName: "shop-dev-nightly", payload: { any: "thing" } }]);
  });

  test.each([
    ["schedule", { schedule: "漢".repeat(256), scheduledTime: "2026-05-02T00:30:00Z", executionId: "e1" }],
    ["request", { request: { id: "x".repeat(257), at: "2026-05-02T00:30:00Z" } }],
    ["start", { start: { runId: `manual#${"x".repeat(2_000)}`, cause: "queued", id: "s1" } }],
  ])("starts a manual run for a %s whose id no run can have", async (_what, named) => {
    letters = [letter({ escapement: { job: "nightly", ...named }, input: { shop: 7 } })];
    expect(await operations().deadLetters()).toMatchObject([{ id: "letter-1", job: "nightly", runId: undefined }]);

    const [resent] = await operations().resend("letter-1", { by: "ada" });
    expect(resent?.runId).toBe("2026-05-02T00:40:00.000Z#manual#letter-1");
    expect(sent).toMatchObject([{ payload: { input: { shop: 7 } } }]);
  });

  test("of two operators at once starts one run: what both send has the same identity", async () => {
    const unidentified = { escapement: { job: "nightly" } };
    letters = [letter(unidentified)];
    const [one] = await operations().resend("letter-1", { by: "ada" });
    letters = [letter(unidentified)];
    const [other] = await operations().resend("letter-1", { by: "bob" });
    expect(other?.runId).toBe(one?.runId);
    expect(sent).toHaveLength(2);
  });

  test("sends nothing where the run that took its place has succeeded since", async () => {
    const manual = { runId: "2026-05-02T00:40:00.000Z#manual#letter-1" };
    await fleet.run(dueMs + 3_600_000, manual, { status: "SUCCEEDED" });
    letters = [letter({ escapement: { job: "nightly" } })];
    expect(await operations().resend("letter-1", { by: "ada" })).toMatchObject([{ outcome: "done", ...manual }]);
    expect(sent).toEqual([]);
  });

  test("sends nothing for an occurrence without attempts left whose work a backfill's run has done since", async () => {
    const error = { name: "Error", message: "no" };
    for (const attempt of [1, 2, 3]) await fleet.run(dueMs + attempt * 60_000, scheduled, { status: "FAILED", error });
    const rerun = { runId: "2026-05-02T01:00:00.000Z#manual#b1.default", workTimeMs: dueMs };
    const manual = { ...rerun, schedule: undefined, scheduledTimeMs: undefined };
    await fleet.run(dueMs + 1_800_000, manual, { status: "SUCCEEDED" });
    letters = [letter(event)];
    expect(await operations().resend("letter-1", { by: "ada" })).toMatchObject([
      { outcome: "done", runId: "2026-05-02T01:00:00.000Z#manual#b1.default" },
    ]);
    expect(sent).toEqual([]);
    expect(letters).toEqual([]);
  });

  test("sends nothing while the run is at work, or another one at its work, and keeps the letter", async () => {
    const failed = { status: "FAILED", error: { name: "Error", message: "no" } } as const;
    const atWork = { outcome: "failed", message: expect.stringContaining("is at work; send it again when") };
    for (const attempt of [1, 2]) await fleet.run(dueMs + attempt * 60_000, scheduled, failed);
    letters = [letter(event)];
    for (const run of [
      scheduled,
      { runId: "2026-05-02T00:40:00.000Z#manual#letter-1" },
      { runId: "manual#rerun", workTimeMs: dueMs, workSchedule: "default" },
    ]) {
      expect((await fleet.start(dueMs + 600_000, run)).kind).toBe("held");
      expect(await operations().resend("letter-1", { by: "ada" })).toMatchObject([atWork]);
      await fleet.unlock("bob");
    }
    expect(sent).toEqual([]);
    expect(letters).toHaveLength(1);
  });

  test("starts a run where the one that has succeeded since did another schedule's work of that time", async () => {
    const error = { name: "Error", message: "no" };
    for (const attempt of [1, 2, 3]) await fleet.run(dueMs + attempt * 60_000, scheduled, { status: "FAILED", error });
    const other = { runId: "manual#other", workTimeMs: dueMs, workSchedule: "other" };
    await fleet.run(dueMs + 1_800_000, other, { status: "SUCCEEDED" });
    letters = [letter(event)];
    expect(await operations().resend("letter-1", { by: "ada" })).toMatchObject([{ outcome: "sent" }]);
    expect(sent).toHaveLength(1);
  });

  test("goes on past a letter that cannot be sent, which stays and says why", async () => {
    letters = [
      letter({ escapement: { job: "gone" } }),
      letter("no event", { id: "letter-2", functionName: undefined }),
      letter(event, { id: "letter-3" }),
    ];
    expect(await operations().resend(undefined, { by: "ada" })).toEqual([
      { id: "letter-1", outcome: "failed", message: expect.stringContaining('no job "gone"') },
      { id: "letter-2", outcome: "failed", message: expect.stringContaining("neither a job nor a function") },
      { id: "letter-3", job: "nightly", runId, outcome: "sent" },
    ]);
    expect(letters.map(({ id }) => id)).toEqual(["letter-1", "letter-2"]);
  });

  test("of an id that is not there is refused", async () => {
    letters = [];
    await expect(operations().resend("letter-9", { by: "ada" })).rejects.toMatchObject({ code: "UNKNOWN_LETTER" });
  });
});

describe("discard", () => {
  const ada = { by: "ada", reason: "its job is gone" };

  test("removes a letter unsent, and notes it where its job is known", async () => {
    letters = [letter(event), letter({ escapement: { job: "gone" } }, { id: "letter-2" })];
    expect(await operations().discard("letter-1", ada)).toEqual({ id: "letter-1", job: "nightly" });
    expect(await operations().audit("nightly")).toMatchObject([
      { action: "discard", ...ada, detail: `the dead letter letter-1, for run ${runId}` },
    ]);
    expect(await operations().discard("letter-2", ada)).toEqual({ id: "letter-2", job: "gone" });
    expect(letters).toEqual([]);
    expect(sent).toEqual([]);
  });

  test("of an id that is not there is refused", async () => {
    letters = [];
    await expect(operations().discard("letter-9", ada)).rejects.toMatchObject({ code: "UNKNOWN_LETTER" });
  });
});

test("a message that the queue gives twice is one letter, removed by its newest receipt", async () => {
  const aws = await startFakeAws();
  aws.messages.push({ MessageId: "m1", Body: "{}" }, { MessageId: "m1", Body: "{}" }, { MessageId: "m2", Body: "{}" });
  process.env["AWS_ENDPOINT_URL_SQS"] = aws.url;
  try {
    const credentials = { accessKeyId: "key", secretAccessKey: "secret" };
    const box = queueOfDeadLetters({ region: "eu-central-1", ...{ credentials } }, `${aws.url}/1/dead`);
    expect((await allOf(box.read())).map(({ id }) => id)).toEqual(["m1", "m2"]);
  } finally {
    delete process.env["AWS_ENDPOINT_URL_SQS"];
    await aws.close();
  }
});

test("a stack's letters are read from its queue, wherever they were given up, and removed by a resend alone", async () => {
  const aws = await startFakeAws();
  const attribute = (StringValue: string) => ({ DataType: "String", StringValue });
  const record = {
    requestContext: {
      functionArn: "arn:aws:lambda:eu-central-1:1:function:shop-dev-nightly:$LATEST",
      condition: "RetriesExhausted",
    },
    requestPayload: event,
    responsePayload: { errorType: "TypeError", errorMessage: "no orders" },
  };
  aws.messages.push(
    { MessageId: "m1", Body: JSON.stringify(record), Attributes: { SentTimestamp: "1777682000000" } },
    {
      MessageId: "m2",
      Body: JSON.stringify({ escapement: { ...event.escapement, scheduledTime: "<aws.scheduler.scheduled-time>" } }),
      MessageAttributes: {
        ERROR_CODE: attribute("AWSLambdaException"),
        ERROR_MESSAGE: attribute("denied"),
        SCHEDULED_TIME: attribute("2026-05-03T00:30:00Z"),
        TARGET_ARN: attribute("arn:aws:lambda:eu-central-1:1:function:shop-dev-nightly"),
      },
    },
    { MessageId: "m3", Body: "no JSON" },
  );
  process.env["AWS_ENDPOINT_URL_SQS"] = aws.url;
  try {
    const credentials = { accessKeyId: "key", secretAccessKey: "secret" };
    const box = queueOfDeadLetters({ region: "eu-central-1", ...{ credentials } }, `${aws.url}/1/dead`);
    const found = await allOf(box.read());
    expect(found).toMatchObject([
      {
        id: "m1",
        at: "2026-05-02T00:33:20Z",
        from: "function",
        functionName: "shop-dev-nightly",
        condition: "RetriesExhausted",
        error: { name: "TypeError", message: "no orders" },
        payload: event,
      },
      {
        id: "m2",
        from: "schedule",
        error: { name: "AWSLambdaException", message: "denied" },
        payload: { escapement: { scheduledTime: "2026-05-03T00:30:00Z" } },
      },
      { id: "m3", from: "rule", payload: { body: "no JSON" } },
    ]);
    await box.remove("m2");
    expect(aws.messages.map(({ MessageId }) => MessageId)).toEqual(["m1", "m3"]);
  } finally {
    delete process.env["AWS_ENDPOINT_URL_SQS"];
    await aws.close();
  }
});
