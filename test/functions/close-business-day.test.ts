import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { addUp, closeDays, daysToClose } from "../../functions/close-business-day.ts";
import { openTables } from "./tables.ts";

describe("the days that a run closes", () => {
  test("are those since the previous success: after a usual night, one", () => {
    // 02:30 in Berlin in summer is 00:30 UTC.
    expect(daysToClose(new Date("2026-05-01T00:30:00Z"), new Date("2026-05-02T00:30:00Z"))).toEqual(["2026-05-01"]);
  });

  test("are two after the night in which the clocks skip 02:30", () => {
    // On 29 March 2026 Berlin goes from 02:00 to 03:00, so the run after that of the 28th is that of the 30th.
    expect(daysToClose(new Date("2026-03-28T01:30:00Z"), new Date("2026-03-30T00:30:00Z"))).toEqual([
      "2026-03-28",
      "2026-03-29",
    ]);
  });

  test("are the last one when nothing was ever closed", () => {
    expect(daysToClose(undefined, new Date("2026-05-02T00:30:00Z"))).toEqual(["2026-05-01"]);
  });

  test("are none when the same night runs again by hand", () => {
    expect(daysToClose(new Date("2026-05-02T00:30:00Z"), new Date("2026-05-02T09:00:00Z"))).toEqual([]);
  });
});

test("orders add up by currency", () => {
  const orders = [
    { currency: "EUR", amountCents: 1999 },
    { currency: "EUR", amountCents: 501 },
    { currency: "CHF", amountCents: 1000 },
  ];
  expect(addUp(orders)).toEqual({ orders: 3, revenueCents: { EUR: 2500, CHF: 1000 } });
});

describe("on a table", () => {
  let tables: Awaited<ReturnType<typeof openTables>>;
  beforeAll(async () => {
    tables = await openTables("ORDERS_TABLE", "BUSINESS_DAYS_TABLE");
  });
  afterAll(() => tables.close());

  test("a day's closing holds that day's orders alone, and closing again writes the same", async () => {
    await tables.put("ORDERS_TABLE", { pk: "2026-05-01", sk: "order-1", currency: "EUR", amountCents: 1999 });
    await tables.put("ORDERS_TABLE", { pk: "2026-05-02", sk: "order-2", currency: "EUR", amountCents: 1 });
    const run = {
      id: "2026-05-02T00:30:00.000Z#default",
      scheduledTime: new Date("2026-05-02T00:30:00Z"),
      progress() {},
    };
    const closing = {
      pk: "2026-05-01",
      sk: "closing",
      orders: 1,
      revenueCents: { EUR: 1999 },
      closedBy: "2026-05-02T00:30:00.000Z#default",
    };

    expect(await closeDays(run)).toEqual({ days: ["2026-05-01"] });
    expect(await tables.get("BUSINESS_DAYS_TABLE", "2026-05-01", "closing")).toEqual(closing);
    await closeDays(run);
    expect(await tables.get("BUSINESS_DAYS_TABLE", "2026-05-01", "closing")).toEqual(closing);
  });
});
