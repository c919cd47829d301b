import type { EventBridgeClient } from "@aws-sdk/client-eventbridge";
import type { EndedAttempt } from "./announce.ts";
import { ENVIRONMENT } from "./environment.ts";
import { RUN_REQUESTED } from "./run-request.ts";

declare global {
  /** Set by the bundler: whether this fleet sends events, and its bundles need a client for them. */
  const ESCAPEMENT_RUN_EVENTS: boolean;
}

/** The `detail-type` of each end. */
export const RUN_EVENT_TYPES: Readonly<Record<EndedAttempt["status"], string>> = {
  SUCCEEDED: "Run Succeeded",
  FAILED: "Run Failed",
  TIMED_OUT: "Run Timed Out",
  CANCELLED: "Run Cancelled",
};

/** One try, and not for long: the run has ended, and its invocation waits for this. */
const LIMITS = { maxAttempts: 1, requestHandler: { connectionTimeout: 300, requestTimeout: 500 } };

let client: EventBridgeClient | undefined;

/**
 * Tells the fleet's bus how an attempt ended, where it has one.
 *
 * @throws what EventBridge or its client answers
 */
export async function sendRunEvent(attempt: EndedAttempt, variables = process.env): Promise<void> {
  const bus = variables[ENVIRONMENT.eventBus];
  // In this order the bundler sees that the client is not needed, and leaves it out.
  if (typeof ESCAPEMENT_RUN_EVENTS !== "undefined" && ESCAPEMENT_RUN_EVENTS && bus) await put(bus, attempt);
}

async function put(bus: string, attempt: EndedAttempt): Promise<void> {
  const { EventBridgeClient, PutEventsCommand } = await import("@aws-sdk/client-eventbridge");
  client ??= new EventBridgeClient(LIMITS);
  const entry = {
    EventBusName: bus,
    Source: RUN_REQUESTED.source,
    DetailType: RUN_EVENT_TYPES[attempt.status],
    Detail: JSON.stringify(detailOf(attempt)),
  };
  const { Entries = [] } = await client.send(new PutEventsCommand({ Entries: [entry] }));
  const [answer] = Entries;
  if (answer?.ErrorCode) throw new Error(`${answer.ErrorCode}: ${answer.ErrorMessage}`);
}

function detailOf({ fleet, startedMs, endedMs, scheduledTimeMs, ...same }: EndedAttempt) {
  return {
    stack: fleet,
    ...same,
    ...(scheduledTimeMs !== undefined && { scheduledTime: new Date(scheduledTimeMs).toISOString() }),
    startedAt: new Date(startedMs).toISOString(),
    endedAt: new Date(endedMs).toISOString(),
    durationMs: endedMs - startedMs,
  };
}
