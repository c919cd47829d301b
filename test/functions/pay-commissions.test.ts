import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { commissionCents, daysToPay, handler, payCommissions } from "../../functions/pay-commissions.ts";
import { jobOf } from "../../lib/lambda/job.ts";
import type { JobOptions } from "../../lib/lambda/options.ts";
import { scheduledIn } from "../../lib/lambda/scheduled.ts";
import { makeFaulty, type RequestFault } from "../lambda/faulty-client.ts";
import { lambdaContext, occurrence, testRuntime } from "../lambda/harness.ts";
import { TABLE_NAME, testClient } from "../store/dynamo.ts";
import { openTables } from "./tables.ts";

test("a seller earns 5 % of each order, rounded down", () => {
  const orders = [
    { seller: "ann", amountCents: 1999 },
    { seller: "ann", amountCents: 100 },
    { seller: "bob", amountCents: 10 },
  ];
  expect([...commissionCents(orders)]).toEqual([
    ["ann", 104],
    ["bob", 0],
  ]);
});

test("paid are the days since the previous success; without one, the last", () => {
  const until = new Date("2026-05-03T04:00:00Z");
  expect(daysToPay(new Date("2026-05-01T04:00:00Z"), until)).toEqual(["2026-05-01", "2026-05-02"]);
  expect(daysToPay(undefined, until)).toEqual(["2026-05-02"]);
});

describe("on a table, a day is paid exactly once", () => {
  const T0 = "2026-05-02T04:00:00Z";
  let tables: Awaited<ReturnType<typeof openTables>>;
  let paidBefore = 0;
  beforeAll(async () => {
    tables = await openTables("ORDERS_TABLE", "BALANCES_TABLE");
    await tables.put("ORDERS_TABLE", { pk: "2026-05-01", sk: "order-1", seller: "ann", amountCents: 2000 });
  });
  afterAll(() => tables.close());

  const balance = async () => Number((await tables.get("BALANCES_TABLE", "ann", "balance"))?.["cents"] ?? 0);

  // A run sends three requests: the lock, the commit, the release.
  const faults: RequestFault[] = ["crash-before", "crash-after", "lose-reply"];
  const cases = faults.flatMap((fault) => [1, 2, 3].map((number) => [fault, number] as const));

  test.for(cases)("%s at request %i of the first delivery, and at the first of the second", async ([fault, number]) => {
    const client = testClient(tables.endpoint);
    onTestFinished(() => client.destroy());
    const runtime = testRuntime({ client, tableName: TABLE_NAME, endpoint: tables.endpoint, close: tables.close }, T0);
    const faulty = makeFaulty(client);
    const lambda = scheduledIn(() => runtime, jobOf(handler) as JobOptions, payCommissions);
    const deliver = (requestId: string) => lambda(occurrence(T0, "exec-1"), lambdaContext(runtime.clock, requestId));

    faulty.strikeNumber(number, fault);
    await deliver("req-1").catch(() => "failed");
    faulty.revive();
    // The lease of the first has run out.
    runtime.clock.advance(70_000);
    faulty.strikeNumber(faulty.requests.length + 1, fault);
    await deliver("req-1").catch(() => "failed");
    faulty.revive();
    runtime.clock.advance(140_000);
    await deliver("req-1");

    const paid = (await balance()) - paidBefore;
    paidBefore += paid;
    expect(paid).toBe(100);
    const [run] = await runtime.queries.listRuns(runtime.job, { limit: 2 });
    expect(run).toMatchObject({ runId: "2026-05-02T04:00:00.000Z#default", status: "SUCCEEDED" });
  });
});
