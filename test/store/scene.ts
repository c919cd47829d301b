import { UpdateItemCommand } from "@aws-sdk/client-dynamodb";
import { marshall } from "@aws-sdk/util-dynamodb";
import { test as base } from "vitest";
import {
  type Begun,
  begin,
  type Delivery,
  type Finished,
  finish,
  type Hold,
  manualRunId,
  type Outcome,
  type Protocol,
  parseRunId,
  type StartCause,
  scheduledRunId,
} from "../../lib/run/index.ts";
import { createRunQueries, createRunStore, perform } from "../../lib/store/index.ts";
import { runSortKey } from "../../lib/store/keys.ts";
import { openTestTable, TABLE_NAME, type TestTable } from "./dynamo.ts";

export const FLEET = "shop-dev";
export const JOB = "nightly-report";
/** Long past, so that the table's own clock never is the earlier one. */
export const T0 = Date.parse("2026-03-02T02:00:00.000Z");
export const SECOND = 1_000;
export const MINUTE = 60 * SECOND;
export const TIMEOUT = 90 * SECOND;

/** One job on one table, with a clock that is set by hand. */
export interface Scene {
  readonly table: TestTable;
  readonly queries: ReturnType<typeof createRunQueries>;
  nowMs: number;
  /** What `begin` answers for a delivery that arrives now. */
  begin(delivery: Delivery): Promise<Begun>;
  /** As `begin`, for a delivery that is expected to get the lock. */
  hold(delivery: Delivery): Promise<Hold>;
  finish(hold: Hold, outcome?: Partial<Outcome>): Promise<Finished>;
  /** A protocol that is carried out one command at a time. */
  walk<T>(protocol: Protocol<T>): Walk<T>;
  state(): Promise<Record<string, unknown> | undefined>;
  record(runId: string): Promise<Record<string, unknown> | undefined>;
  pause(): Promise<void>;
  resume(): Promise<void>;
}

export interface Walk<T> {
  /** Sends the next command; returns its kind, or undefined when there is none left. */
  step(): Promise<string | undefined>;
  /** Carries on until this kind of command has been sent. */
  past(kind: string): Promise<void>;
  result(): Promise<T>;
}

export async function openScene(options = { returnsItem: true }): Promise<Scene> {
  const table = await openTestTable(options);
  const common = { client: table.client, tableName: TABLE_NAME, fleet: FLEET, clock: () => scene.nowMs };
  const store = createRunStore(common);
  const pk = `${FLEET}#job#${JOB}`;
  const scene: Scene = {
    table,
    queries: createRunQueries(common),
    nowMs: T0,
    begin: (delivery) => perform(begin(delivery), store),
    async hold(delivery) {
      const begun = await scene.begin(delivery);
      if (begun.kind !== "held") throw new Error(`expected the lock, got ${JSON.stringify(begun)}`);
      return begun.hold;
    },
    finish: (hold, outcome) => perform(finish(hold, { status: "SUCCEEDED", endedMs: scene.nowMs, ...outcome }), store),
    walk(protocol) {
      let step = protocol.next();
      const walk = {
        async step() {
          if (step.done) return undefined;
          const { kind } = step.value;
          step = protocol.next(await store.execute(step.value));
          return kind;
        },
        async past(kind: string) {
          for (let sent = await walk.step(); sent !== kind; sent = await walk.step()) {
            if (sent === undefined) throw new Error(`${kind} was never sent`);
          }
        },
        async result() {
          while (!step.done) await walk.step();
          return step.value;
        },
      };
      return walk;
    },
    state: () => table.item(pk, "state"),
    record: (runId) => table.item(pk, runSortKey(runId)),
    async pause() {
      const paused = { by: "alice", reason: "maintenance", at: "2026-03-01T00:00:00.000Z" };
      await table.client.send(
        new UpdateItemCommand({
          TableName: TABLE_NAME,
          Key: marshall({ pk, sk: "state" }),
          UpdateExpression: "SET #paused = :paused, #v = :v",
          ExpressionAttributeNames: { "#paused": "paused", "#v": "v" },
          ExpressionAttributeValues: marshall({ ":paused": paused, ":v": 1 }),
        }),
      );
      table.takeRequests();
    },
    async resume() {
      await table.client.send(
        new UpdateItemCommand({
          TableName: TABLE_NAME,
          Key: marshall({ pk, sk: "state" }),
          UpdateExpression: "REMOVE #paused",
          ExpressionAttributeNames: { "#paused": "paused" },
        }),
      );
      table.takeRequests();
    },
  };
  return scene;
}

/** A test with a table of its own. */
export const test = base.extend<{ scene: Scene }>({
  // biome-ignore lint/correctness/noEmptyPattern: Vitest reads the pattern to know what a fixture needs.
  scene: async ({}, use) => {
    const scene = await openScene();
    await use(scene);
    await scene.table.close();
  },
});

let invocations = 0;

/** A delivery of the occurrence at T0, of its own invocation and delivery, in a job with two retries. */
export function delivery(overrides: Partial<Delivery> & { at?: number } = {}): Delivery {
  const { at = T0, ...rest } = overrides;
  const receivedMs = rest.receivedMs ?? at;
  const id = `invocation-${++invocations}`;
  return {
    job: JOB,
    runId: scheduledRunId(at, "default"),
    schedule: "default",
    scheduledTimeMs: at,
    trigger: { kind: "schedule" },
    owner: id,
    deliveryId: id,
    redelivered: true,
    overlap: "skip",
    queueLength: 10,
    receivedMs,
    leaseExpiresAtMs: receivedMs + TIMEOUT,
    maxAttempts: 3,
    retentionMs: 90 * 24 * 60 * MINUTE,
    requestId: id,
    ...rest,
  };
}

/** The platform's next try of the same delivery: a new invocation. */
export function redelivery(first: Delivery, receivedMs: number): Delivery {
  return {
    ...first,
    owner: `invocation-${++invocations}`,
    receivedMs,
    leaseExpiresAtMs: receivedMs + TIMEOUT,
  };
}

/** A run that is started without a fresh delivery, in a job with overlap `queue`. */
export function started(runId: string, cause: StartCause, overrides: Partial<Delivery> = {}): Delivery {
  const identity = parseRunId(runId);
  const isScheduled = identity?.kind === "scheduled";
  return delivery({
    runId,
    schedule: isScheduled ? identity.schedule : undefined,
    scheduledTimeMs: isScheduled ? identity.scheduledTimeMs : undefined,
    overlap: "queue",
    cause,
    ...overrides,
  });
}

/** A run on an operator's request, which carries its time. */
export function manual(id: string, overrides: Partial<Delivery> & { at?: number } = {}): Delivery {
  const { at = T0, ...rest } = overrides;
  return delivery({
    at,
    runId: manualRunId(id, at),
    schedule: undefined,
    scheduledTimeMs: undefined,
    trigger: { kind: "operator", by: "alice" },
    ...rest,
  });
}
