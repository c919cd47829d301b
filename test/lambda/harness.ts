import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { CreateTableCommand, type DynamoDBClient } from "@aws-sdk/client-dynamodb";
import type { Context } from "aws-lambda";
import type { Clock } from "../../lib/lambda/clock.ts";
import type { LogKeys, RunLog } from "../../lib/lambda/log.ts";
import type { Runtime } from "../../lib/lambda/runtime.ts";
import { createDynamoFront } from "../../lib/local/dynamo-front.ts";
import {
  createDynamoClient,
  createFencedStore,
  createRunQueries,
  createRunStore,
  tableDefinition,
} from "../../lib/store/index.ts";

export interface TestTable {
  readonly endpoint: string;
  readonly tableName: string;
  readonly client: DynamoDBClient;
  close(): Promise<void>;
}

export async function openTable(): Promise<TestTable> {
  const front = createDynamoFront();
  const server = createServer(front.listener);
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const client = createDynamoClient({
    endpoint,
    region: "eu-central-1",
    credentials: { accessKeyId: "test", secretAccessKey: "test" },
  });
  const tableName = "Escapement-test";
  await client.send(new CreateTableCommand(tableDefinition(tableName)));
  return {
    endpoint,
    tableName,
    client,
    async close() {
      client.destroy();
      server.closeAllConnections();
      server.close();
      await once(server, "close");
      await front.close();
    },
  };
}

/** A clock that stands still until it is turned. */
export interface ManualClock extends Clock {
  advance(ms: number): void;
  /** Timers that have neither fired nor been cancelled. */
  pending(): number;
}

export function manualClock(start: string): ManualClock {
  let nowMs = Date.parse(start);
  const timers = new Set<{ atMs: number; callback: () => void }>();
  return {
    nowMs: () => nowMs,
    startTimer(delayMs, callback) {
      const timer = { atMs: nowMs + delayMs, callback };
      timers.add(timer);
      return () => timers.delete(timer);
    },
    advance(ms) {
      nowMs += ms;
      for (const timer of [...timers].filter(({ atMs }) => atMs <= nowMs)) {
        timers.delete(timer);
        timer.callback();
      }
    },
    pending: () => timers.size,
  };
}

export interface LogLine {
  readonly level: string;
  readonly message: string;
  readonly extra: unknown;
  readonly keys: LogKeys;
}

/** A runtime on a real table, with a hand-turned clock, that remembers what it logged and counted. */
export interface TestRuntime extends Runtime {
  readonly clock: ManualClock;
  readonly lines: LogLine[];
  readonly counted: unknown[];
  /** What it sent to its own function. */
  readonly sent: unknown[];
  invokeSelf: Runtime["invokeSelf"];
  readonly queries: ReturnType<typeof createRunQueries>;
}

let fleets = 0;

export function testRuntime(table: TestTable, start: string, job = "nightly-report"): TestRuntime {
  const fleet = `Escapement-${++fleets}`;
  const clock = manualClock(start);
  const options = { client: table.client, tableName: table.tableName, fleet, clock: clock.nowMs };
  const lines: LogLine[] = [];
  const counted: unknown[] = [];
  const sent: unknown[] = [];
  return {
    job,
    fleet,
    clock,
    lines,
    counted,
    sent,
    store: createRunStore(options),
    fencedStore: createFencedStore(options),
    queries: createRunQueries(options),
    metrics: {
      ended: (run) => counted.push(["ended", run]),
      skipped: (reason) => counted.push(["skipped", reason]),
      duplicate: () => counted.push(["duplicate"]),
      queued: () => counted.push(["queued"]),
      handOverFailed: () => counted.push(["hand-over failed"]),
      lost: () => counted.push(["lost"]),
    },
    log: (keys) => logInto(lines, keys),
    // As Lambda takes it: as JSON.
    invokeSelf: async (event) => void sent.push(JSON.parse(JSON.stringify(event))),
    announce: async () => [],
    endProcess: () => counted.push(["process ended"]),
  };
}

export function logInto(lines: LogLine[], keys: LogKeys): RunLog {
  const write =
    (level: string) =>
    (message: unknown, ...extra: unknown[]) => {
      lines.push({ level, message: String(message), extra: extra[0], keys });
    };
  return { debug: write("debug"), info: write("info"), warn: write("warn"), error: write("error") };
}

/** The parts of Lambda's context that are read, for an invocation that starts now and may take `timeoutMs`. */
export function lambdaContext(clock: Clock, requestId: string, timeoutMs = 60_000): Context {
  const deadlineMs = clock.nowMs() + timeoutMs;
  return {
    awsRequestId: requestId,
    logGroupName: "Shop-nightly-report-Logs",
    logStreamName: "2026/05/01/[$LATEST]abc",
    getRemainingTimeInMillis: () => deadlineMs - clock.nowMs(),
  } as Context;
}

/** The input that the stack gives to a schedule, as Scheduler delivers it. */
export function occurrence(scheduledTime: string, executionId: string, job = "nightly-report") {
  return {
    escapement: {
      job,
      schedule: "default",
      scheduledTime,
      scheduleArn: "arn:aws:scheduler:…",
      executionId,
      attempt: "1",
    },
    input: { region: "emea" },
  };
}
