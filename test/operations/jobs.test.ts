import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Backend } from "../../lib/operations/backend.ts";
import { createOperations } from "../../lib/operations/operations.ts";
import { StoreError } from "../../lib/store/index.ts";
import { FLEET, minute, nightly, openFleet } from "./fleet.ts";

const firstSeenMs = Date.UTC(2026, 4, 1);
const dueMs = Date.UTC(2026, 4, 2, 0, 30);
const scheduled = { runId: "2026-05-02T00:30:00.000Z#default", schedule: "default", scheduledTimeMs: dueMs };

let fleet: Awaited<ReturnType<typeof openFleet>>;
let backend: Backend;

beforeAll(async () => {
  fleet = await openFleet();
  backend = {
    target: { kind: "local", fleet: FLEET, stateDir: "state", running: true, url: "http://127.0.0.1:9" },
    fleet: fleet.register,
    records: fleet.records,
    store: fleet.store,
    deadLetters: { async *read() {}, remove: async () => {} },
    logs: { read: async () => [] },
    checks: async () => [],
    whoAmI: async () => "ada",
    logOf: ({ functionName, stream }) => `${functionName}/${stream}.log`,
    nowMs: () => Date.UTC(2026, 4, 2, 12),
    sleep: async () => {},
    close: async () => {},
  };
  await fleet.register.putFleetJob(nightly, firstSeenMs);
  await fleet.register.putFleetJob({ ...nightly, job: "weekly", functionName: "shop-dev-weekly" }, firstSeenMs);
});
afterAll(() => fleet.close());

describe("the last run is the one that ended last", () => {
  const lastRuns = async () => {
    const operations = createOperations(backend);
    const listed = (await operations.list()).find(({ job }) => job === "nightly");
    return [listed?.lastRun?.runId, (await operations.describe("nightly")).lastRun?.runId];
  };

  test("of manual runs without a time, whose ids have no order", async () => {
    await fleet.run(dueMs - 20 * minute, { runId: "manual#z" }, { status: "FAILED" });
    await fleet.run(dueMs - 10 * minute, { runId: "manual#a" }, { status: "SUCCEEDED" });

    expect(await lastRuns()).toEqual(["manual#a", "manual#a"]);
  });

  test("of a scheduled run", async () => {
    await fleet.run(dueMs, scheduled, { status: "SUCCEEDED" });

    expect(await lastRuns()).toEqual([scheduled.runId, scheduled.runId]);
  });

  test("of a manual run after a scheduled one", async () => {
    await fleet.run(dueMs + 10 * minute, { runId: "manual#m" }, { status: "SUCCEEDED" });

    expect(await lastRuns()).toEqual(["manual#m", "manual#m"]);
  });
});

test("a job whose item in the fleet's list cannot be read is listed as such, beside the others", async () => {
  const error = new StoreError("STORE_ITEM_NEWER", "Item shop-dev#fleet / job#monthly has format version 9");
  const readFleet = async () => ({ ...(await fleet.register.readFleet()), unreadable: [{ job: "monthly", error }] });
  const operations = createOperations({ ...backend, fleet: { readFleet } });

  expect(await operations.list()).toMatchObject([
    { job: "monthly", state: "unreadable", error: error.message, schedules: [] },
    { job: "nightly", state: "idle" },
    { job: "weekly", state: "idle" },
  ]);
  await expect(operations.describe("monthly")).rejects.toBe(error);
});

describe("a job of which an item cannot be read", () => {
  const reason = "Item shop-dev#job#weekly / state, fence: Invalid type: Expected number but received null";
  const broken = (code: "STORE_ITEM_INVALID" | "STORE_UNREACHABLE"): Backend => {
    const fail = async (job: string) => {
      if (job === "weekly") throw new StoreError(code, reason);
    };
    const { readJob, listRuns } = fleet.records;
    return {
      ...backend,
      records: {
        ...fleet.records,
        readJob: async (job, options) => (await fail(job)) ?? readJob(job, options),
        listRuns: async (job, options) => (await fail(job)) ?? listRuns(job, options),
      },
    };
  };

  test("is listed as unreadable with the reason and its schedules, beside the others", async () => {
    expect(await createOperations(broken("STORE_ITEM_INVALID")).list()).toMatchObject([
      { job: "nightly", state: "idle" },
      { job: "weekly", state: "unreadable", error: reason, schedules: [{ name: "default" }] },
    ]);
  });

  test("fails a check of doctor, which does not say that it never ran", async () => {
    const findings = await createOperations(broken("STORE_ITEM_INVALID")).doctor();

    expect(findings.filter(({ check }) => check === "job weekly")).toEqual([
      { check: "job weekly", level: "failed", message: `cannot be read: ${reason}` },
    ]);
  });

  test("is not described, and its runs are not listed", async () => {
    const operations = createOperations(broken("STORE_ITEM_INVALID"));

    await expect(operations.describe("weekly")).rejects.toThrow(reason);
    await expect(operations.runs("weekly")).rejects.toThrow(reason);
  });

  test("is no excuse for a table that cannot be reached: that fails the list", async () => {
    await expect(createOperations(broken("STORE_UNREACHABLE")).list()).rejects.toMatchObject({
      code: "STORE_UNREACHABLE",
    });
  });
});

test("a fleet of 1,000 jobs takes 1,001 requests, at most 50 at a time", async () => {
  const jobs = Array.from({ length: 1_000 }, (_, index) => ({ ...nightly, job: `job-${index}`, firstSeenMs }));
  let requests = 1;
  let underWay = 0;
  let most = 0;
  const operations = createOperations({
    ...backend,
    fleet: { readFleet: async () => ({ jobs, unreadable: [] }) },
    records: {
      ...fleet.records,
      async readJob() {
        requests++;
        most = Math.max(most, ++underWay);
        await new Promise(setImmediate);
        underWay--;
        return {
          runs: [],
          state: { consecutiveFailures: 0, last: { runId: "manual#a", status: "FAILED", endedMs: 5 } },
        };
      },
    },
  });

  expect(await operations.list()).toHaveLength(1_000);
  expect(requests).toBe(1_001);
  expect(most).toBe(50);
});
