import { setImmediate } from "node:timers/promises";
import { CreateTableCommand } from "@aws-sdk/client-dynamodb";
import { DynamoDBDocumentClient, GetCommand } from "@aws-sdk/lib-dynamodb";
import { beforeEach, describe, expect, onTestFinished, test } from "vitest";
import type { Run } from "../../lib/lambda/run.ts";
import { scheduledIn } from "../../lib/lambda/scheduled.ts";
import { rate } from "../../lib/schedule/index.ts";
import { createFencedStore, createRunStore, type TransactItem, tableDefinition } from "../../lib/store/index.ts";
import { testClient } from "../store/dynamo.ts";
import { type FaultyClient, makeFaulty } from "./faulty-client.ts";
import { lambdaContext, occurrence, openTable, type TestRuntime, type TestTable, testRuntime } from "./harness.ts";

const T0 = "2026-05-01T00:00:00Z";
const RUN_ID = "2026-05-01T00:00:00.000Z#default";

let table: TestTable;
let runtime: TestRuntime;
let faults: FaultyClient;
let balance: () => Promise<number | undefined>;

beforeEach(async () => {
  table = await openTable();
  const onlooker = testClient(table.endpoint);
  onTestFinished(async () => {
    onlooker.destroy();
    await table.close();
  });
  await onlooker.send(new CreateTableCommand(tableDefinition("accounts")));
  runtime = testRuntime(table, T0);
  faults = makeFaulty(table.client);
  const db = DynamoDBDocumentClient.from(onlooker);
  balance = async () => (await db.send(new GetCommand({ TableName: "accounts", Key: ann }))).Item?.["cents"];
});

const ann = { pk: "ann", sk: "balance" };

/** What shows every repetition. */
const pay: TransactItem = {
  Update: {
    TableName: "accounts",
    Key: ann,
    UpdateExpression: "ADD cents :cents",
    ExpressionAttributeValues: { ":cents": 100 },
  },
};
const payIfOwed: TransactItem = {
  Update: {
    ...pay.Update,
    TableName: "accounts",
    Key: ann,
    UpdateExpression: "ADD cents :cents",
    ConditionExpression: "owed = :cents",
    ReturnValuesOnConditionCheckFailure: "ALL_OLD",
  },
};

const payBob: TransactItem = { Put: { TableName: "accounts", Item: { pk: "bob", sk: "balance", cents: 100 } } };

let deliveries = 0;

/** One delivery of an occurrence, of its own invocation. */
function deliver(handler: (run: Run) => Promise<unknown>, to: TestRuntime = runtime) {
  const lambda = scheduledIn(() => to, { schedule: rate("1 hour"), store: { result: true } }, handler);
  return lambda(occurrence(T0, "exec-1"), lambdaContext(to.clock, `req-${++deliveries}`));
}

const commit = async (run: Run) => {
  await run.commit([pay], { paid: 1 });
  return { paid: 1 };
};
const record = () => runtime.queries.readRun(runtime.job, RUN_ID);
/** The lease of a process that died has run out, and the platform delivers again. */
const wait = () => runtime.clock.advance(70_000);
/** Another sandbox of the job, two minutes later: a run of the first is as one frozen past its deadline. */
function successor(): TestRuntime {
  const { fleet } = runtime;
  const later = testRuntime(table, "2026-05-01T00:02:00Z");
  const options = { client: table.client, tableName: table.tableName, fleet, clock: later.clock.nowMs };
  return { ...later, fleet, store: createRunStore(options), fencedStore: createFencedStore(options) };
}

/** Lets the waits between two tries pass; the deadline's timer alone is no wait. */
async function throughWaits<T>(answer: Promise<T>): Promise<T> {
  let isOver = false;
  const end = () => {
    isOver = true;
  };
  answer.then(end, end);
  while (!isOver) {
    if (runtime.clock.pending() > 1) runtime.clock.advance(400);
    await setImmediate();
  }
  return answer;
}

describe("a commit", () => {
  test("writes the items and the success in one request; then the lock is only given back", async () => {
    await deliver(commit);
    expect(faults.requests.slice(0, 3)).toEqual(["UpdateItem", "TransactWriteItems", "UpdateItem"]);
    expect(await balance()).toBe(100);
    expect(await record()).toMatchObject({ status: "SUCCEEDED", result: { json: '{"paid":1}' } });
    expect(runtime.counted).toEqual([["ended", expect.objectContaining({ status: "SUCCEEDED" })]]);
    expect(await deliver(commit)).toMatchObject({ outcome: "duplicate", status: "SUCCEEDED" });
    expect(await balance()).toBe(100);
  });

  test("whose reply is lost is done once, and the handler does not notice", async () => {
    faults.strike("TransactWriteItems", "lose-reply");
    expect(await deliver(commit)).toEqual({ paid: 1 });
    expect(await balance()).toBe(100);
  });

  test("whose replies are all lost fails the invocation, and the next delivery finds that the run has succeeded", async () => {
    faults.strike("TransactWriteItems", "lose-reply", 5);
    await expect(deliver(commit)).rejects.toMatchObject({ code: "STORE_UNREACHABLE" });
    expect(await record()).toMatchObject({ status: "SUCCEEDED" });
    expect(await deliver(commit)).toMatchObject({ outcome: "duplicate", status: "SUCCEEDED" });
    expect(await balance()).toBe(100);
  });

  test.for(["crash-before", "crash-after"] as const)("is done once after a %s", async (fault) => {
    faults.strike("TransactWriteItems", fault);
    await Promise.race([deliver(commit).catch(() => {}), faults.whenCrashed()]);
    faults.revive();
    wait();
    await deliver(commit);
    expect(await balance()).toBe(100);
    expect(await record()).toMatchObject({ status: "SUCCEEDED", attempt: fault === "crash-before" ? 2 : 1 });
  });

  test("that conflicts is tried again", async () => {
    faults.strike("TransactWriteItems", "conflict", 2);
    expect(await throughWaits(deliver(commit))).toEqual({ paid: 1 });
    expect(await balance()).toBe(100);
  });

  test("that conflicts five times fails the run; its next attempt pays", async () => {
    faults.strike("TransactWriteItems", "conflict", 5);
    await expect(throughWaits(deliver(commit))).rejects.toMatchObject({ code: "STORE_CONFLICT" });
    expect(await record()).toMatchObject({ status: "FAILED" });
    await deliver(commit);
    expect(await balance()).toBe(100);
  });

  test("that a condition of the handler's refuses writes nothing, and says which item and how it stands", async () => {
    const refused = deliver(async (run) => {
      await run.transact([pay]);
      await run.commit([payIfOwed, payBob]);
    });
    await expect(refused).rejects.toMatchObject({
      code: "WRITE_REFUSED",
      reasons: [{ code: "ConditionalCheckFailed", item: { ...ann, cents: 100 } }, { code: "None" }],
    });
    expect(await balance()).toBe(100);
    expect(await record()).toMatchObject({ status: "FAILED" });
  });

  test("that failed fails the run, also when the handler passes over it or does not await it", async () => {
    const passesOver = deliver(async (run) => {
      await run.commit([payIfOwed]).catch(() => {});
    });
    await expect(passesOver).rejects.toMatchObject({ code: "WRITE_REFUSED" });
    const doesNotAwait = deliver(async (run) => void run.commit([payIfOwed]));
    await expect(doesNotAwait).rejects.toMatchObject({ code: "WRITE_REFUSED" });
    expect(await record()).toMatchObject({ status: "FAILED", attempt: 2 });
  });

  test("may follow one that was refused", async () => {
    await deliver(async (run) => {
      await run.commit([payIfOwed]).catch(() => run.commit([]));
    });
    expect(await record()).toMatchObject({ status: "SUCCEEDED" });
  });

  test("is made once by a run", async () => {
    const twice = deliver(async (run) => {
      await run.commit([pay]);
      await run.commit([pay]);
    });
    await expect(twice).rejects.toMatchObject({ code: "WRITE_COMMITTED" });
    expect(await balance()).toBe(100);
  });

  test("stands, whatever the handler throws after it", async () => {
    const failing = deliver(async (run) => {
      await run.commit([pay]);
      throw new Error("could not say goodbye");
    });
    await expect(failing).rejects.toThrow("could not say goodbye");
    expect(await record()).toMatchObject({ status: "SUCCEEDED" });
    const lines = runtime.lines.slice(-2).map(({ message }) => message);
    expect(lines).toEqual([expect.stringContaining("it had committed"), "run succeeded"]);
    expect(runtime.counted.at(-1)).toMatchObject(["ended", { status: "SUCCEEDED" }]);
    expect(await deliver(commit)).toMatchObject({ outcome: "duplicate" });
    expect(await balance()).toBe(100);
  });

  test("of a run that another has taken over from writes nothing", async () => {
    const overdue = deliver(async (run) => {
      await deliver(commit, successor());
      await run.commit([payBob]);
    });
    await expect(overdue).rejects.toMatchObject({ code: "WRITE_FENCED" });
    expect(await balance()).toBe(100);
    expect(await record()).toMatchObject({ status: "SUCCEEDED", attempt: 2 });
  });

  test("after the time-out was recorded writes nothing", async () => {
    const late = deliver(async (run) => {
      runtime.clock.advance(59_000);
      await expect.poll(async () => (await record())?.status).toBe("TIMED_OUT");
      await expect(run.commit([pay])).rejects.toMatchObject({
        code: "WRITE_FENCED",
        message: expect.stringContaining("its record is TIMED_OUT"),
      });
    });
    await expect(late).rejects.toMatchObject({ code: "RUN_TIMED_OUT" });
    expect(await balance()).toBeUndefined();
    expect(await record()).toMatchObject({ status: "TIMED_OUT" });
  });
});

describe("a transaction", () => {
  test("is written while the run holds its lock, as often as it likes", async () => {
    await deliver(async (run) => {
      await run.transact([pay]);
      await run.transact([pay]);
    });
    expect(await balance()).toBe(200);
  });

  test("writes nothing when another run has taken the lock over", async () => {
    const overdue = deliver(async (run) => {
      await deliver(async () => {
        await expect(run.transact([pay])).rejects.toMatchObject({ code: "WRITE_FENCED" });
      }, successor());
      await expect(run.transact([pay])).rejects.toMatchObject({ code: "WRITE_FENCED" });
    });
    await overdue;
    expect(await balance()).toBeUndefined();
  });

  test("of more than 99 items is refused before it is sent, a commit of more than 98", async () => {
    await deliver(async (run) => {
      const tooMany = run.transact(Array.from({ length: 100 }, () => pay));
      await expect(tooMany).rejects.toMatchObject({ code: "WRITE_INVALID", message: expect.stringContaining("99") });
      const commitTooMany = run.commit(Array.from({ length: 99 }, () => pay));
      await expect(commitTooMany).rejects.toMatchObject({ message: expect.stringContaining("98") });
      await run.commit([]);
    });
    expect(faults.requests.filter((name) => name === "TransactWriteItems")).toHaveLength(1);
  });
});

test("a guarded write carries the run's token and the job's name", async () => {
  await deliver(async (run) => {
    const guarded = run.guard({ TableName: "accounts", Key: ann, UpdateExpression: "REMOVE cents" });
    expect(guarded).toMatchObject({
      ExpressionAttributeNames: { "#fence": "fence_nightly-report" },
      ExpressionAttributeValues: { ":fence": run.fencingToken },
    });
  });
});

test('with overlap "allow", where there is no lock, the run\'s own record is what is checked', async () => {
  const lambda = scheduledIn(
    () => runtime,
    { schedule: rate("1 hour"), overlap: "allow" },
    async (run) => {
      await run.transact([pay]);
      await run.commit([pay]);
      await expect(run.transact([pay])).rejects.toMatchObject({ code: "WRITE_FENCED" });
    },
  );
  const invoke = (requestId: string) => lambda(occurrence(T0, "exec-1"), lambdaContext(runtime.clock, requestId));
  await invoke("req-allow-1");
  await invoke("req-allow-2");
  expect(await balance()).toBe(200);
});
