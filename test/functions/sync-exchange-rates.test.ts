import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { Run } from "escapement";
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from "vitest";
import { sampleRates } from "../../functions/sources/exchange-rates.ts";
import { handler, syncRates } from "../../functions/sync-exchange-rates.ts";
import { jobOf } from "../../lib/lambda/job.ts";
import type { JobOptions } from "../../lib/lambda/options.ts";
import { scheduledIn } from "../../lib/lambda/scheduled.ts";
import { lambdaContext, occurrence, testRuntime } from "../lambda/harness.ts";
import { TABLE_NAME, testClient } from "../store/dynamo.ts";
import { openTables } from "./tables.ts";

let tables: Awaited<ReturnType<typeof openTables>>;
beforeAll(async () => {
  tables = await openTables("EXCHANGE_RATES_TABLE");
});
afterAll(() => tables.close());

function sync(scheduledTime: string) {
  const log = { debug: vi.fn(), info: vi.fn(), warn: vi.fn(), error: vi.fn() };
  const step: Run["step"] = async (_name, fn) => fn();
  return syncRates({ scheduledTime: new Date(scheduledTime), signal: new AbortController().signal, log, step });
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

test("the feed is read once for a minute, also when the rates could not be stored at first", async () => {
  let reads = 0;
  const feed = createServer((_request, response) => response.end(JSON.stringify({ rates: { USD: ++reads } })));
  feed.listen(0, "127.0.0.1");
  await once(feed, "listening");
  const client = testClient(tables.endpoint);
  onTestFinished(() => {
    vi.unstubAllEnvs();
    client.destroy();
    feed.close();
  });
  vi.stubEnv("EXCHANGE_RATES_URL", `http://127.0.0.1:${(feed.address() as AddressInfo).port}/`);
  const table = { client, tableName: TABLE_NAME, endpoint: tables.endpoint, close: tables.close };
  const runtime = testRuntime(table, "2026-05-01T04:00:00Z");
  const lambda = scheduledIn(() => runtime, jobOf(handler) as JobOptions, syncRates);
  const deliver = () => lambda(occurrence("2026-05-01T04:00:00Z", "exec-1"), lambdaContext(runtime.clock, "req-1"));

  vi.stubEnv("EXCHANGE_RATES_TABLE", "not-there-yet");
  await expect(deliver()).rejects.toThrow("resource not found");
  vi.stubEnv("EXCHANGE_RATES_TABLE", "EXCHANGE_RATES_TABLE");
  await deliver();
  expect(reads).toBe(1);
  expect(await tables.get("EXCHANGE_RATES_TABLE", "EUR", "2026-05-01T04:00Z")).toMatchObject({ rates: { USD: 1 } });
});

test("the sample feed swings about its middle: at midnight it says just that", () => {
  expect(sampleRates("2026-05-01T00:00Z")).toEqual({ USD: 1.0842, GBP: 0.8391, CHF: 0.9417, JPY: 163.5, SEK: 11.28 });
  // A quarter of the day on, the swing is at its top: 1 % more.
  expect(sampleRates("2026-05-01T06:00Z")["USD"]).toBe(1.095);
});
