import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { EventError } from "../../lib/lambda/errors.ts";
import { readEvent } from "../../lib/lambda/event.ts";
import { type Start, startEvent, type Trigger } from "../../lib/run/index.ts";

const receiver = {
  job: "nightly-report",
  fleet: "Escapement-dev",
  requestId: "8a6f3c1e-request",
  nowMs: Date.parse("2026-05-01T12:00:00Z"),
};

type Fixture = Record<string, unknown> & { escapement: Record<string, unknown>; detail: Record<string, unknown> };

function fixture(name: string): Fixture {
  return JSON.parse(readFileSync(join(import.meta.dirname, `../fixtures/events/${name}.json`), "utf8"));
}

function errorOf(event: unknown): EventError {
  try {
    readEvent(event, receiver);
  } catch (error) {
    if (error instanceof EventError) return error;
    throw error;
  }
  throw new Error("nothing was thrown");
}

describe("the input of our own schedules", () => {
  test("is the occurrence of its scheduled time, delivered under its execution id", () => {
    expect(readEvent(fixture("scheduler-input"), receiver)).toEqual({
      runId: "2026-05-01T00:00:00.000Z#default",
      schedule: "default",
      scheduledTimeMs: Date.parse("2026-05-01T00:00:00Z"),
      trigger: { kind: "schedule" },
      deliveryId: "d32c5kddcf5bb8c3",
      redelivered: true,
      input: { region: "emea" },
    });
  });

  test("keeps the seconds: a rate does not fire on second 0", () => {
    const event = fixture("scheduler-input");
    event.escapement["scheduledTime"] = "2022-03-22T18:59:43Z";
    expect(readEvent(event, receiver).runId).toBe("2022-03-22T18:59:43.000Z#default");
  });

  test.each([
    ["the attribute as it was written", "<aws.scheduler.scheduled-time>"],
    ["a day that does not exist", "2026-02-30T00:00:00Z"],
    ["no zone", "2026-05-01T00:00:00"],
    ["epoch seconds", 1777593600],
    ["nothing", undefined],
  ])("is refused with an unreadable scheduled time: %s", (_what, scheduledTime) => {
    const event = fixture("scheduler-input");
    event.escapement["scheduledTime"] = scheduledTime;
    expect(errorOf(event)).toMatchObject({ code: "INVALID_EVENT", field: "escapement.scheduledTime" });
  });

  test("may be ahead by the clocks' tolerance of 5 seconds, and no more", () => {
    const event = fixture("scheduler-input");
    event.escapement["scheduledTime"] = "2026-05-01T12:00:05Z";
    expect(readEvent(event, receiver).schedule).toBe("default");
    event.escapement["scheduledTime"] = "2026-05-01T12:00:06Z";
    expect(errorOf(event).message).toBe(
      `The event's escapement.scheduledTime is "2026-05-01T12:00:06.000Z". Allowed: a time that has come (now: up to 2026-05-01T12:00:05.000Z).`,
    );
  });

  test.each([
    ["run-requested", "time", (event: Fixture) => Object.assign(event, { time: "2099-01-01T00:00:00Z" })],
    [
      "operator-trigger",
      "escapement.request.at",
      ({ escapement }: Fixture) => Object.assign(escapement["request"] as object, { at: "2099-01-01T00:00:00Z" }),
    ],
  ])("%s: a request from the future is refused, since its time becomes the run's", (name, field, change) => {
    const event = fixture(name);
    change(event);
    expect(errorOf(event)).toMatchObject({ code: "INVALID_EVENT", field });
  });

  test("is refused by the function of another job", () => {
    const event = fixture("scheduler-input");
    event.escapement["job"] = "monthly-report";
    expect(errorOf(event).message).toBe(
      `The event's escapement.job is "monthly-report". Allowed: this function's job, "nightly-report".`,
    );
  });
});

describe("schedules and rules made in the console", () => {
  test("Scheduler's default event counts for its minute, under the schedule's name", () => {
    expect(readEvent(fixture("scheduler-default"), receiver)).toEqual({
      runId: "2026-05-01T00:30:00.000Z#month-end",
      schedule: "month-end",
      scheduledTimeMs: Date.parse("2026-05-01T00:30:00Z"),
      trigger: { kind: "schedule", account: "123456789012" },
      deliveryId: "a1b2c3d4-1111-4222-8333-444455556666",
      redelivered: true,
      input: undefined,
    });
  });

  test("a rule's Scheduled Event counts for its minute, under the rule's name", () => {
    expect(readEvent(fixture("rule-scheduled"), receiver)).toMatchObject({
      runId: "2026-05-01T00:30:00.000Z#every-half-hour",
      schedule: "every-half-hour",
    });
  });

  test.each([
    "arn:aws:scheduler:eu-west-1:111122223333:schedule/acme-prod/nightly",
    "arn:aws:scheduler:eu-west-1:111122223333:schedule/default/nightly",
    "arn:aws-cn:scheduler:cn-north-1:123456789012:schedule/default/nightly",
    "arn:aws-us-gov:scheduler:us-gov-west-1:123456789012:schedule/acme-prod/nightly",
  ])("CD-19: the name, and not the group, is found in %s", (arn) => {
    const event = fixture("scheduler-default");
    event["resources"] = [arn];
    expect(readEvent(event, receiver).schedule).toBe("nightly");
  });

  test.each([
    [[]],
    [[{ toString: 1 }]],
    [["arn:aws:s3:::bucket"]],
    [["arn:aws:scheduler:eu-west-1:111122223333:schedule/nightly"]],
    [undefined],
  ])("CD-19: without such an ARN it is refused: %j", (resources) => {
    expect(errorOf({ ...fixture("scheduler-default"), resources })).toMatchObject({ field: "resources" });
  });
});

describe("Run Requested", () => {
  test("is a manual run, known by the event's id and time", () => {
    expect(readEvent(fixture("run-requested"), receiver)).toEqual({
      runId: "2026-05-01T09:15:03.000Z#manual#c3d4e5f6-3333-4444-8555-666677778888",
      scheduledTimeMs: Date.parse("2026-05-01T09:15:03Z"),
      trigger: { kind: "run-requested", by: "kim", reason: "the source was corrected", account: "123456789012" },
      deliveryId: "c3d4e5f6-3333-4444-8555-666677778888",
      redelivered: true,
      input: { region: "apac" },
    });
  });

  test("may name the time that the run is for; it stays a manual run", () => {
    const event = fixture("run-requested");
    event.detail["scheduledTime"] = "2026-04-28T00:00:00Z";
    const arrival = readEvent(event, receiver);
    expect(arrival.runId).toBe("2026-05-01T09:15:03.000Z#manual#c3d4e5f6-3333-4444-8555-666677778888");
    expect(arrival.scheduledTimeMs).toBe(Date.parse("2026-04-28T00:00:00Z"));
    expect(arrival.workTimeMs).toBe(Date.parse("2026-04-28T00:00:00Z"));
    expect(arrival.schedule).toBeUndefined();
  });

  test("may not name a time that has not come", () => {
    const event = fixture("run-requested");
    event.detail["scheduledTime"] = "2026-05-02T00:00:00Z";
    expect(errorOf(event)).toMatchObject({ field: "detail.scheduledTime" });
  });

  test.each([
    [
      "stack",
      "Escapement-prod",
      `The event's detail.stack is "Escapement-prod". Allowed: this function's stack, "Escapement-dev".`,
    ],
    ["job", "other", `The event's detail.job is "other". Allowed: this function's job, "nightly-report".`],
    ["by", 7, "The run request's detail.by is 7. Allowed: text of up to 512 characters."],
    [
      "scheduledTime",
      "yesterday",
      `The run request's detail.scheduledTime is "yesterday". Allowed: an instant in UTC such as 2026-05-01T00:30:00Z.`,
    ],
    [
      "resaon",
      "typo",
      `The run request has an unknown field "resaon". Did you mean "reason"? Allowed: stack, job, reason, by, input, scheduledTime.`,
    ],
  ])("is refused with a wrong %s", (field, value, message) => {
    const event = fixture("run-requested");
    event.detail[field] = value;
    expect(errorOf(event).message).toBe(message);
  });
});

test.each(["run-requested", "operator-trigger"])(
  "%s: half of a surrogate pair in by and reason becomes U+FFFD",
  (name) => {
    const event = fixture(name);
    Object.assign(event.detail ?? event.escapement["request"], { by: "kim\ud800", reason: "\udfff" });
    expect(readEvent(event, receiver).trigger).toMatchObject({ by: "kim\ufffd", reason: "\ufffd" });
  },
);

test("an account that is none is refused", () => {
  for (const account of ["1".repeat(513), 7]) {
    expect(errorOf({ ...fixture("run-requested"), account })).toMatchObject({ field: "account" });
    expect(errorOf({ ...fixture("scheduler-default"), account })).toMatchObject({ field: "account" });
  }
});

test("an operator's trigger is a manual run, known by the request's id and time", () => {
  expect(readEvent(fixture("operator-trigger"), receiver)).toEqual({
    runId: "2026-05-01T09:20:00.250Z#manual#7f3a9c52",
    scheduledTimeMs: Date.parse("2026-05-01T09:20:00.250Z"),
    trigger: { kind: "operator", by: "kim@laptop", reason: "after the fix" },
    deliveryId: "7f3a9c52",
    redelivered: true,
    input: { region: "apac" },
  });
});

test("an operator's trigger may name the time that the run is for; it stays a manual run", () => {
  const event = fixture("operator-trigger");
  Object.assign(event.escapement["request"] as object, { scheduledTime: "2026-04-28T00:00:00Z" });
  expect(readEvent(event, receiver)).toMatchObject({
    runId: "2026-05-01T09:20:00.250Z#manual#7f3a9c52",
    scheduledTimeMs: Date.parse("2026-04-28T00:00:00Z"),
    workTimeMs: Date.parse("2026-04-28T00:00:00Z"),
  });
  Object.assign(event.escapement["request"] as object, { scheduledTime: "2026-05-02T00:00:00Z" });
  expect(errorOf(event)).toMatchObject({ field: "escapement.request.scheduledTime" });
});

describe("a run that is started without a fresh delivery", () => {
  const trigger: Trigger = { kind: "operator", by: "kim@laptop", reason: "after the fix" };
  const start: Start = { runId: "2026-05-01T02:00:00.000Z#default", cause: "backfill", id: "sending-1", trigger };
  const asSent = (change: object) => JSON.parse(JSON.stringify(startEvent("nightly-report", { ...start, ...change })));

  test("is the occurrence that it names, and comes again when it fails", () => {
    expect(readEvent(asSent({ input: { region: "apac" } }), receiver)).toEqual({
      runId: "2026-05-01T02:00:00.000Z#default",
      schedule: "default",
      scheduledTimeMs: Date.parse("2026-05-01T02:00:00Z"),
      cause: "backfill",
      trigger,
      deliveryId: "sending-1",
      redelivered: true,
      input: { region: "apac" },
    });
  });

  test("is the manual run that it names, for the time and the schedule that it names", () => {
    const runId = "2026-05-01T09:20:00.250Z#manual#7f3a9c52";
    const workTimeMs = Date.parse("2026-04-28T00:00:00Z");
    const manual = asSent({ runId, cause: "queued", workTimeMs, workSchedule: "hourly" });
    expect(readEvent(manual, receiver)).toMatchObject({
      runId,
      cause: "queued",
      scheduledTimeMs: Date.parse("2026-04-28T00:00:00Z"),
      workTimeMs: Date.parse("2026-04-28T00:00:00Z"),
      workSchedule: "hourly",
    });
    expect(readEvent(asSent({ runId, workTimeMs }), receiver)).not.toHaveProperty("workSchedule");
    expect(readEvent(asSent({ runId: "manual#a" }), receiver)).not.toHaveProperty("scheduledTimeMs");
  });

  test.each<[string, object, string]>([
    ["no run id", { runId: "nightly" }, "escapement.start.runId"],
    ["an id that is no text", { runId: 7 }, "escapement.start.runId"],
    ["another spelling of an id", { runId: "2026-05-01T02:00:00.000Z#def%61ult" }, "escapement.start.runId"],
    ["an id that is too long", { runId: `manual#${"x".repeat(257)}` }, "escapement.start.runId"],
    [
      "an id that is too long encoded",
      { runId: `manual#${encodeURIComponent("漢".repeat(86))}` },
      "escapement.start.runId",
    ],
    ["a time that has not come", { runId: "2026-05-01T12:00:06.000Z#default" }, "escapement.start.runId"],
    ["a work time that has not come", { workTimeMs: Date.parse("2026-05-02T00:00:00Z") }, "escapement.start.workTime"],
    ["an empty name of a schedule", { workSchedule: "" }, "escapement.start.workSchedule"],
    ["an unknown cause", { cause: "boredom" }, "escapement.start.cause"],
    ["no sending's id", { id: "" }, "escapement.start.id"],
    ["no trigger", { trigger: undefined }, "escapement.start.trigger.kind"],
  ])("is refused with %s", (_what, change, field) => {
    expect(errorOf(asSent(change))).toMatchObject({ code: "INVALID_EVENT", field });
  });

  test("can be whatever was accepted before, with the longest texts that are", () => {
    const text = "x".repeat(512);
    const id = "%".repeat(256);
    const asked = readEvent({ ...fixture("run-requested"), id, account: text }, receiver);
    const longest = { ...asked.trigger, by: text, reason: text };
    expect(readEvent(asSent({ ...asked, id, cause: "queued", trigger: longest }), receiver).trigger).toEqual(longest);
  });

  test("is refused by the function of another job", () => {
    expect(errorOf(startEvent("monthly-report", start))).toMatchObject({ field: "escapement.job" });
  });
});

test.each([
  [{}],
  [{ key1: "value1" }],
  [fixture("api-gateway-sample")],
  [undefined],
  [null],
  ["text"],
  [[1]],
  [{ escapement: "x" }],
])("OP-10: any other payload is a manual run with the payload as its input: %j", (event) => {
  expect(readEvent(event, receiver)).toEqual({
    runId: "manual#8a6f3c1e-request",
    trigger: { kind: "invoke" },
    deliveryId: "8a6f3c1e-request",
    redelivered: false,
    input: event,
  });
});

describe("a name or an id that would not fit a key is refused before anything is written", () => {
  test.each([
    ["above 256 characters", "x".repeat(257)],
    ["above a key's bytes", "漢".repeat(256)],
  ])("%s", (_what, text) => {
    expect(errorOf({ ...fixture("run-requested"), id: text })).toMatchObject({ field: "id" });
    const event = fixture("scheduler-input");
    event.escapement["schedule"] = text;
    expect(errorOf(event)).toMatchObject({ field: "escapement.schedule" });
  });
});
