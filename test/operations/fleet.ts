import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { CreateTableCommand, waitUntilTableExists } from "@aws-sdk/client-dynamodb";
import { openEmbeddedDynamo } from "../../lib/local/index.ts";
import type { Backend } from "../../lib/operations/backend.ts";
import {
  begin,
  type Delivery,
  finish,
  type Hold,
  type Outcome,
  type Protocol,
  pause,
  resume,
  unlock,
} from "../../lib/run/index.ts";
import {
  createDynamoClient,
  createFleetRegister,
  createRunQueries,
  createRunStore,
  type FleetJob,
  perform,
  tableDefinition,
} from "../../lib/store/index.ts";

export const FLEET = "shop-dev";
export const TABLE = "runs";
export const minute = 60_000;

/** A nightly job in Berlin's time. */
export const nightly: FleetJob = {
  job: "nightly",
  functionName: "shop-dev-nightly",
  schedules: { default: { expression: "cron(30 2 * * ? *)", timeZone: "Europe/Berlin" } },
  enabled: true,
  overlap: "skip",
  queueLength: 10,
  catchUp: "none",
  retries: 2,
  timeoutMs: minute,
  retentionMs: 90 * 24 * 60 * minute,
  maxLatenessMs: { default: 60 * minute },
};

/** A real table, and the real protocol to fill it, at the times that a test names. */
export async function openFleet(stateDir = mkdtempSync(join(tmpdir(), "escapement-"))) {
  const dynamo = await openEmbeddedDynamo({ dir: join(stateDir, "dynamodb") });
  const credentials = { accessKeyId: "local", secretAccessKey: "local" };
  const client = createDynamoClient({ endpoint: dynamo.endpoint, region: "local", credentials });
  await client.send(new CreateTableCommand(tableDefinition(TABLE)));
  await waitUntilTableExists({ client, maxWaitTime: 30, minDelay: 1, maxDelay: 1 }, { TableName: TABLE });

  let nowMs = 0;
  const options = { client, tableName: TABLE, fleet: FLEET, clock: () => nowMs };
  const store = createRunStore(options);
  let deliveries = 0;

  const start = async (atMs: number, delivery: Partial<Delivery> & Pick<Delivery, "runId">) => {
    nowMs = atMs;
    deliveries++;
    return perform(
      begin({
        job: "nightly",
        trigger: { kind: delivery.schedule === undefined ? "operator" : "schedule" },
        owner: `owner-${deliveries}`,
        deliveryId: `delivery-${deliveries}`,
        redelivered: true,
        receivedMs: atMs,
        overlap: "skip",
        queueLength: 10,
        leaseExpiresAtMs: atMs + minute,
        maxAttempts: 3,
        retentionMs: nightly.retentionMs,
        requestId: `request-${deliveries}`,
        ...delivery,
      }),
      store,
    );
  };
  const end = async (hold: Hold, outcome: Outcome) => {
    nowMs = outcome.endedMs;
    await perform(finish(hold, outcome), store);
  };

  const operate = <T>(protocol: Protocol<T>) => perform(protocol, createRunStore({ ...options, clock: Date.now }));
  const operator = (by: string) => ({ by, id: `action-${deliveries++}`, retentionMs: nightly.retentionMs });

  return {
    stateDir,
    endpoint: dynamo.endpoint,
    register: createFleetRegister(options),
    /** The same table, for one whose clock shows this time. */
    storeAt: (timeMs: number) => createRunStore({ ...options, clock: () => timeMs }),
    records: createRunQueries(options),
    store,
    /** Delivers an event; the run is left running where it may run. */
    start,
    end,
    /** Runs it to its end. */
    async run(atMs: number, delivery: Partial<Delivery> & Pick<Delivery, "runId">, outcome: Omit<Outcome, "endedMs">) {
      const begun = await start(atMs, delivery);
      if (begun.kind !== "held") throw new Error(`the run was to start, and was: ${begun.kind}`);
      await end(begun.hold, { ...outcome, endedMs: atMs + 2_000 });
    },
    /** The occurrence of the schedule "default" at this time succeeds, a second late. */
    succeed(timeMs: number) {
      const runId = `${new Date(timeMs).toISOString()}#default`;
      const occurrence = { runId, schedule: "default", scheduledTimeMs: timeMs };
      return this.run(timeMs + 1_000, occurrence, { status: "SUCCEEDED" });
    },
    /** As operators do, by the machine's clock where no time is given. */
    pause: (by: string, atMs = Date.now()) =>
      perform(
        pause("nightly", { ...operator(by), reason: "source down" }),
        createRunStore({ ...options, clock: () => atMs }),
      ),
    resume: (by: string) => operate(resume("nightly", operator(by))),
    async unlock(by: string) {
      const { state } = await createRunQueries(options).readJob("nightly", { limit: 1 });
      await operate(unlock("nightly", { ...operator(by), reason: "the next test" }, state?.lease?.owner ?? ""));
    },
    /** Leaves the folder as it is. */
    async stop() {
      client.destroy();
      await dynamo.close();
    },
    async close() {
      await this.stop();
      rmSync(stateDir, { recursive: true, force: true });
    },
  };
}

/** The fleet as a running runner's operations see it, with a clock that shows this time. */
export function backendOn(
  fleet: Awaited<ReturnType<typeof openFleet>>,
  nowMs: () => number,
  overrides: Partial<Backend> = {},
): Backend {
  return {
    target: { kind: "local", fleet: FLEET, stateDir: "state", running: true, url: "http://127.0.0.1:9" },
    fleet: fleet.register,
    records: fleet.records,
    store: fleet.storeAt(nowMs()),
    deadLetters: { async *read() {}, remove: async () => {} },
    logs: { read: async () => [] },
    logOf: ({ functionName, stream }) => `${functionName}/${stream}.log`,
    checks: async () => [],
    whoAmI: async () => "ada",
    nowMs,
    sleep: async () => {},
    close: async () => {},
    ...overrides,
  };
}
