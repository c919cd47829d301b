import { renameSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { isPlainPattern, matches } from "../../lib/local/event-pattern.ts";
import type { RunnerInfo } from "../../lib/local/index.ts";
import { running } from "./running.ts";

const quick = { source: "export const handler = async (event) => console.log(JSON.stringify(event));" };

describe("an event pattern", () => {
  const event = { source: "shop", detail: { stack: "Shop", tags: ["a", "b"], size: 3 } };

  test.each([
    ["a field with one of its values", { source: ["other", "shop"] }, true],
    ["a field with another value", { source: ["other"] }, false],
    ["a field below another", { detail: { stack: ["Shop"], size: [3] } }, true],
    ["one of two fields only", { source: ["shop"], detail: { stack: ["Bank"] } }, false],
    ["a field that is not there", { account: ["1"] }, false],
    ["a field below one that is not there", { request: { by: ["me"] } }, false],
    ["one element of a list", { detail: { tags: ["b"] } }, true],
  ])("that names %s", (_case, pattern, expected) => {
    expect(matches(pattern, event)).toBe(expected);
  });

  test("with a content filter is not a plain one", () => {
    expect(isPlainPattern({ source: ["shop"], detail: { stack: ["Shop"] } })).toBe(true);
    expect(isPlainPattern({ source: [{ prefix: "sh" }] })).toBe(false);
  });
});

describe("the event bus", () => {
  const rule = (pattern: object, more: object = {}) => ({
    Type: "AWS::Events::Rule",
    Properties: { EventPattern: pattern, Targets: [{ Id: "fn", Arn: { "Fn::GetAtt": ["fn", "Arn"] } }], ...more },
  });

  test("brings an event to the functions of the rules that it matches, in EventBridge's envelope", async () => {
    const resources = {
      Requested: rule({ source: ["escapement"], detail: { stack: ["Shop"] } }),
      Disabled: rule({ source: ["escapement"] }, { State: "DISABLED" }),
      OtherBus: rule({ source: ["escapement"] }, { EventBusName: "other" }),
    };
    const { info, heard, told, lines } = await running({ fn: quick }, { resources });
    const entry = {
      Source: "escapement",
      DetailType: "Run Requested",
      Detail: '{"stack":"Shop","job":"fn"}',
      Time: 1777636800,
    };
    const unmatched = { ...entry, Detail: '{"stack":"Bank"}' };
    const answer = await putEvents(info, [unmatched, entry]);
    expect(answer).toEqual({
      FailedEntryCount: 0,
      Entries: [{ EventId: expect.any(String) }, { EventId: expect.any(String) }],
    });
    await heard("finished");
    expect(told.filter((event) => event.kind === "delivered").length).toBe(1);
    expect(JSON.parse(lines("fn")[0] as string)).toEqual({
      version: "0",
      id: answer.Entries[1]?.EventId,
      "detail-type": "Run Requested",
      source: "escapement",
      account: "000000000000",
      time: "2026-05-01T12:00:00Z",
      region: "local",
      resources: [],
      detail: { stack: "Shop", job: "fn" },
    });
  });

  test("refuses an entry that EventBridge refuses, and a request with another key", async () => {
    const { info } = await running({ fn: quick });
    const answer = await putEvents(info, [{ Source: "a", DetailType: "b", Detail: "no JSON" }, { Detail: "{}" }]);
    expect(answer).toEqual({
      FailedEntryCount: 2,
      Entries: [
        { ErrorCode: "MalformedDetail", ErrorMessage: "Detail is malformed." },
        { ErrorCode: "InvalidArgument", ErrorMessage: "Parameter Source and DetailType are required." },
      ],
    });
    expect(await putEvents({ ...info, accessKeyId: "AKIAREAL" }, [])).toEqual({
      __type: "UnrecognizedClientException",
    });
  });

  test("says of each entry that this machine did not take why", async () => {
    const resources = { Requested: rule({ source: ["shop"] }) };
    const { info, stateDir } = await running({ fn: quick }, { resources });
    renameSync(join(stateDir, "queue"), join(stateDir, "away"));
    const entry = { Source: "shop", DetailType: "Sold", Detail: "{}" };
    expect(await putEvents(info, [entry, { ...entry, Source: "bank" }])).toEqual({
      FailedEntryCount: 1,
      Entries: [
        {
          ErrorCode: "InternalFailure",
          ErrorMessage: expect.stringMatching(/^The event could not be queued for fn: ENOENT: /),
        },
        { EventId: expect.any(String) },
      ],
    });
  });

  test.each([
    ["no JSON", "{", 400, { __type: "SerializationException" }],
    ["no list of entries", '{"Entries":1}', 400, { __type: "SerializationException" }],
    ["a list of other things", '{"Entries":[null]}', 500, { __type: "InternalFailure", message: expect.any(String) }],
  ])("answers a body that is %s in JSON", async (_what, body, status, expected) => {
    const { info } = await running({ fn: quick });
    const answer = await send(info, body);
    expect([answer.status, await answer.json()]).toEqual([status, expected]);
  });

  test("names rules that cannot be followed here in a warning", async () => {
    const resources = {
      Nightly: rule({}, { EventPattern: undefined, ScheduleExpression: "rate(1 day)" }),
      Filtered: rule({ source: [{ prefix: "sh" }] }),
      Changed: rule(
        { source: ["shop"] },
        { Targets: [{ Id: "fn", Arn: { "Fn::GetAtt": ["fn", "Arn"] }, InputPath: "$.detail" }] },
      ),
      Elsewhere: rule(
        { source: ["shop"] },
        { Targets: [{ Id: "q", Arn: "arn:aws:sqs:eu-central-1:123456789012:queue" }] },
      ),
    };
    const { told } = await running({ fn: quick }, { resources });
    expect(told).toEqual([
      {
        kind: "warning",
        message: "The rule Shop/Nightly does not run here: only EventBridge Scheduler's schedules are fired.",
      },
      {
        kind: "warning",
        message: "The rule Shop/Filtered does not run here: only patterns of plain values are understood.",
      },
      { kind: "warning", message: "The rule Shop/Changed does not run here: its targets change the event." },
      {
        kind: "warning",
        message: "The rule Shop/Elsewhere does not run here: a target is no function that runs here.",
      },
    ]);
  });
});

interface PutEventsAnswer {
  readonly FailedEntryCount: number;
  readonly Entries: readonly { readonly EventId?: string }[];
}

async function putEvents(info: RunnerInfo, entries: object[]): Promise<PutEventsAnswer> {
  return (await send(info, JSON.stringify({ Entries: entries }))).json() as Promise<PutEventsAnswer>;
}

function send(info: RunnerInfo, body: string): Promise<Response> {
  return fetch(info.url, {
    method: "POST",
    body,
    headers: {
      Authorization: `AWS4-HMAC-SHA256 Credential=${info.accessKeyId}/20260501/local/events/aws4_request, Signature=0`,
      "X-Amz-Target": "AWSEvents.PutEvents",
    },
  });
}
