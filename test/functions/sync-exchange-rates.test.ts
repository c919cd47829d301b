import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { sampleRates } from "../../functions/sources/exchange-rates.ts";
import { syncRates } from "../../functions/sync-exchange-rates.ts";
import { openTables } from "./tables.ts";

let tables: Awaited<ReturnType<typeof openTables>>;
beforeAll(async () => {
  tables = await openTables("EXCHANGE_RATES_TABLE");
});
afterAll(() => tables.close());

function sync(scheduledTime: string) {
  const log = { debug: vi.fn(), info: vi.fn(), warn: vi.fn(), error: vi.fn() };
  return syncRates({ scheduledTime: new Date(scheduledTime), signal: new AbortController().signal, log });
}

test("each minute's rates are kept, and the latest never go back when an older minute runs late", async () => {
  await sync("2026-05-01T02:01:00Z");
  const answer = await sync("2026-05-01T02:00:00Z");

  expect(answer).toEqual({ minute: "2026-05-01T02:00Z", currencies: 5 });
  expect(await tables.get("EXCHANGE_RATES_TABLE", "EUR", "2026-05-01T02:00Z")).toBeDefined();
  expect(await tables.get("EXCHANGE_RATES_TABLE", "EUR", "latest")).toMatchObject({ minute: "2026-05-01T02:01Z" });
});

test("running a minute again leaves the same", async () => {
  await sync("2026-05-01T03:00:00Z");
  const once = await tables.get("EXCHANGE_RATES_TABLE", "EUR", "2026-05-01T03:00Z");
  await sync("2026-05-01T03:00:00Z");

  expect(await tables.get("EXCHANGE_RATES_TABLE", "EUR", "2026-05-01T03:00Z")).toEqual(once);
});

test("the sample feed swings about its middle: at midnight it says just that", () => {
  expect(sampleRates("2026-05-01T00:00Z")).toEqual({ USD: 1.0842, GBP: 0.8391, CHF: 0.9417, JPY: 163.5, SEK: 11.28 });
  // A quarter of the day on, the swing is at its top: 1 % more.
  expect(sampleRates("2026-05-01T06:00Z")["USD"]).toBe(1.095);
});
