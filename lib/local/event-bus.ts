import { randomUUID } from "node:crypto";
import { Hono } from "hono";
import type { Clock } from "./clock.ts";
import type { RuleDefinition } from "./definitions.ts";
import { matches } from "./event-pattern.ts";
import { LOCAL_ACCOUNT, LOCAL_REGION } from "./place.ts";
import { isSignedWith } from "./signature.ts";

interface Entry {
  readonly Source?: string;
  readonly DetailType?: string;
  readonly Detail?: string;
  readonly EventBusName?: string;
  readonly Resources?: readonly string[];
  readonly Time?: number;
}

/**
 * EventBridge's PutEvents, so that an event sent here reaches the functions that the rules of the assembly name.
 *
 * @param options.accept puts the event in a function's queue
 * @see https://docs.aws.amazon.com/eventbridge/latest/APIReference/API_PutEvents.html
 */
export function eventBus(options: {
  accessKeyId: string;
  rules: () => readonly RuleDefinition[];
  accept: (functionName: string, payload: string, source: string) => string;
  clock: Pick<Clock, "nowMs">;
}): Hono {
  const api = new Hono();
  api.post("/", async (c) => {
    if (!isSignedWith(c, options.accessKeyId)) return c.json({ __type: "UnrecognizedClientException" }, 403);
    if (c.req.header("X-Amz-Target") !== "AWSEvents.PutEvents")
      return c.json({ __type: "UnknownOperationException" }, 400);
    const { Entries: entries } = (parse(await c.req.text()) ?? {}) as { Entries?: Entry[] };
    if (!Array.isArray(entries)) return c.json({ __type: "SerializationException" }, 400);
    const results = entries.map((entry) => put(entry, options));
    return c.json({ FailedEntryCount: results.filter((result) => !("EventId" in result)).length, Entries: results });
  });
  return api;
}

function put(entry: Entry, { rules, accept, clock }: Parameters<typeof eventBus>[0]) {
  const detail = parse(entry.Detail);
  if (!entry.Source || !entry.DetailType) {
    return { ErrorCode: "InvalidArgument", ErrorMessage: "Parameter Source and DetailType are required." };
  }
  if (!detail) return { ErrorCode: "MalformedDetail", ErrorMessage: "Detail is malformed." };
  const event = {
    version: "0",
    id: randomUUID(),
    "detail-type": entry.DetailType,
    source: entry.Source,
    account: LOCAL_ACCOUNT,
    time: new Date(entry.Time === undefined ? clock.nowMs() : entry.Time * 1000).toISOString().replace(/\.\d+Z$/, "Z"),
    region: LOCAL_REGION,
    resources: entry.Resources ?? [],
    detail,
  };
  const bus = busName(entry.EventBusName);
  for (const rule of rules().filter((one) => busName(one.bus) === bus && matches(one.pattern, event))) {
    for (const functionName of rule.functionNames) {
      try {
        accept(functionName, JSON.stringify(event), "event");
      } catch (error) {
        const ErrorMessage = `The event could not be queued for ${functionName}: ${(error as Error).message}`;
        return { ErrorCode: "InternalFailure", ErrorMessage };
      }
    }
  }
  return { EventId: event.id };
}

/** A bus is named by its name or its ARN. */
function busName(nameOrArn = "default"): string {
  return nameOrArn.replace(/^arn:.*:event-bus\//, "");
}

/** The object in the text; undefined where there is none. */
function parse(text = ""): object | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}
