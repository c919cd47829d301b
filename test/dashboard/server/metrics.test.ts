import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import { FleetMetrics } from "../../../lib/dashboard/server/metrics.ts";
import type { RunView } from "../../../lib/operations/index.ts";
import type { RunStatus } from "../../../lib/run/index.ts";
import { openDashboard } from "./dashboard.ts";

let dashboard: Awaited<ReturnType<typeof openDashboard>>;
const at = (hour: number) => Date.UTC(2026, 4, 3, hour);
const run = (hour: number, status: "SUCCEEDED" | "FAILED") => {
  const scheduledTimeMs = at(hour);
  const runId = `${new Date(scheduledTimeMs).toISOString()}#default`;
  // Delivered three seconds late; each takes two.
  return dashboard.fleet.run(scheduledTimeMs + 3_000, { runId, schedule: "default", scheduledTimeMs }, { status });
};
const read = (sinceMs: number) => new FleetMetrics(dashboard.operations, undefined, sinceMs).text();
const lines = (text: string, name: string) => text.split("\n").filter((line) => line.startsWith(`${name}{`));

beforeAll(async () => {
  dashboard = await openDashboard();
  await run(1, "SUCCEEDED");
  await run(2, "SUCCEEDED");
  await run(3, "FAILED");
});
afterAll(() => dashboard.close());

test("the server answers whom has the token, in Prometheus's text format", async () => {
  const answer = await dashboard.get("/metrics");
  const text = await answer.text();

  expect([answer.status, answer.headers.get("content-type")]).toEqual([
    200,
    "text/plain; version=0.0.4; charset=utf-8",
  ]);
  expect(lines(text, "escapement_jobs")).toEqual(['escapement_jobs{state="idle"} 1']);
  // What the runner of this test says.
  expect(lines(text, "escapement_workers")).toEqual(['escapement_workers{state="idle"} 1']);
  expect(text).toContain("\nescapement_queued_events 3\n");
});

test("counts what has ended since it began, and nothing of before", async () => {
  const text = await read(at(2));

  expect(lines(text, "escapement_runs_total")).toEqual([
    'escapement_runs_total{job="nightly",status="FAILED"} 1',
    'escapement_runs_total{job="nightly",status="SUCCEEDED"} 1',
  ]);
  expect(text).toContain('escapement_run_duration_seconds_sum{job="nightly"} 4\n');
  expect(text).toContain('escapement_run_lateness_seconds_sum{job="nightly"} 6\n');
  expect(lines(text, "escapement_consecutive_failures")).toEqual(['escapement_consecutive_failures{job="nightly"} 1']);
  expect(lines(text, "escapement_last_success_timestamp_seconds")).toEqual([
    `escapement_last_success_timestamp_seconds{job="nightly"} ${at(2) / 1000}`,
  ]);
});

describe("counts what has ended since the scrape before", () => {
  afterEach(() => vi.useRealTimers());

  /** Scrapes that read anew each time, of a job whose runs are as they are given, newest first. */
  async function scrapes() {
    vi.useFakeTimers({ toFake: ["setTimeout"] });
    const [nightly] = await dashboard.operations.list();
    if (!nightly) throw new Error("the fleet has the job nightly");
    let runs: readonly RunView[] = [];
    const jobNow = () => ({
      ...nightly,
      recent: { ...nightly.recent, runs: runs.slice(0, 10) },
      consecutiveFailures: runs.flatMap(({ attempts }) => attempts).filter(({ status }) => status === "FAILED").length,
    });
    const operations = {
      ...dashboard.operations,
      list: async () => [jobNow()],
      missedOfAll: async () => [],
      runs: async (_job: string, { limit = 20 } = {}) => runs.slice(0, limit),
    };
    const metrics = new FleetMetrics(operations, undefined, at(0));
    return async (...now: readonly RunView[]) => {
      runs = now;
      vi.runAllTimers();
      return metrics.text();
    };
  }

  /** What fell due at a time: each of its attempts began so many seconds later, and took two. */
  function runOf(scheduledMs: number, ...tries: readonly [RunStatus, number][]): RunView {
    const scheduledTime = new Date(scheduledMs).toISOString();
    const attempts = tries.map(([status, seconds], index) => {
      const startMs = scheduledMs + seconds * 1_000;
      const ended = { endedAt: new Date(startMs + 2_000).toISOString(), durationMs: 2_000 };
      return {
        attempt: index + 1,
        status,
        requestId: `request-${index + 1}`,
        startedAt: new Date(startMs).toISOString(),
        ...(status !== "RUNNING" && ended),
      };
    });
    return {
      status: "SKIPPED",
      ...attempts.at(-1),
      attempts,
      job: "nightly",
      runId: `${scheduledTime}#default`,
      schedule: "default",
      scheduledTime,
      timeZone: "UTC",
      trigger: { kind: "schedule" },
      fencingToken: 1,
      requestId: "request-1",
    };
  }

  test("each attempt once, also those that failed and came again between two scrapes", async () => {
    const scrape = await scrapes();
    await scrape();
    const text = await scrape(runOf(at(4), ["FAILED", 3], ["LOST", 60], ["SUCCEEDED", 120]));

    expect(lines(text, "escapement_runs_total")).toEqual([
      'escapement_runs_total{job="nightly",status="FAILED"} 1',
      'escapement_runs_total{job="nightly",status="LOST"} 1',
      'escapement_runs_total{job="nightly",status="SUCCEEDED"} 1',
    ]);
    expect(text).toContain('escapement_run_duration_seconds_count{job="nightly"} 3\n');
  });

  test("an attempt that has ended while the next one is at work, and no attempt twice", async () => {
    const scrape = await scrapes();
    await scrape(runOf(at(4), ["FAILED", 3], ["RUNNING", 60]));
    await scrape(runOf(at(4), ["FAILED", 3], ["FAILED", 60]));
    const text = await scrape(runOf(at(4), ["FAILED", 3], ["FAILED", 60], ["RUNNING", 120]));

    expect(lines(text, "escapement_runs_total")).toEqual(['escapement_runs_total{job="nightly",status="FAILED"} 2']);
  });

  test("how late a run's first attempt began, and not the ones that follow on it", async () => {
    const scrape = await scrapes();
    const text = await scrape(runOf(at(4), ["FAILED", 3], ["SUCCEEDED", 600]));

    expect(text).toContain('escapement_run_lateness_seconds_count{job="nightly"} 1\n');
    expect(text).toContain('escapement_run_lateness_seconds_sum{job="nightly"} 3\n');
  });

  test("a run that was skipped, and one that was cancelled between two attempts", async () => {
    const scrape = await scrapes();
    const endedAt = new Date(at(6)).toISOString();
    const cancelled: RunView = { ...runOf(at(4), ["FAILED", 3]), status: "CANCELLED", endedAt };
    const text = await scrape({ ...runOf(at(5)), endedAt }, cancelled);

    expect(lines(text, "escapement_runs_total")).toEqual([
      'escapement_runs_total{job="nightly",status="SKIPPED"} 1',
      'escapement_runs_total{job="nightly",status="FAILED"} 1',
      'escapement_runs_total{job="nightly",status="CANCELLED"} 1',
    ]);
    expect(text).toContain('escapement_run_duration_seconds_count{job="nightly"} 1\n');
  });

  test("a retry of a run that is none of the newest ten", async () => {
    const scrape = await scrapes();
    const newer = Array.from({ length: 10 }, (_, index) => runOf(at(20) - index, ["SUCCEEDED", 3]));
    await scrape(...newer, runOf(at(4), ["FAILED", 3]));
    const text = await scrape(...newer, runOf(at(4), ["FAILED", 3], ["FAILED", 60]));

    expect(lines(text, "escapement_runs_total")).toContain('escapement_runs_total{job="nightly",status="FAILED"} 2');
  });

  test("hundreds of runs since then, and none of those of before again", async () => {
    const scrape = await scrapes();
    // One a minute, newest first.
    const runs = Array.from({ length: 300 }, (_, index) => runOf(at(10) - index * 60_000, ["SUCCEEDED", 3]));
    await scrape(...runs.slice(200));
    await scrape(...runs.slice(150));
    const text = await scrape(...runs);

    expect(lines(text, "escapement_runs_total")).toEqual([
      'escapement_runs_total{job="nightly",status="SUCCEEDED"} 300',
    ]);
  });
});

test("tells of each job whether its lock is held, with which shared ones, and how many wait for it", async () => {
  expect(lines(await read(at(2)), "escapement_waiting_runs")).toEqual(['escapement_waiting_runs{job="nightly"} 0']);
  const runOf = (scheduledTimeMs: number) => ({
    runId: `${new Date(scheduledTimeMs).toISOString()}#default`,
    schedule: "default",
    scheduledTimeMs,
    overlap: "queue" as const,
    // The operations go by the machine's clock: this one is alive whenever they look.
    leaseExpiresAtMs: Date.UTC(2100, 0),
    locks: ["orders-db", "warehouse"],
  });
  for (const hour of [4, 5, 6]) await dashboard.fleet.start(at(hour), runOf(at(hour)));
  const text = await read(at(2));
  await dashboard.fleet.unlock("ada");

  expect(lines(text, "escapement_locks_held")).toEqual(['escapement_locks_held{job="nightly"} 1']);
  expect(lines(text, "escapement_shared_locks_held")).toEqual([
    'escapement_shared_locks_held{lock="orders-db"} 1',
    'escapement_shared_locks_held{lock="warehouse"} 1',
  ]);
  expect(lines(text, "escapement_waiting_runs")).toEqual(['escapement_waiting_runs{job="nightly"} 2']);
});

test("a name with quotes and line breaks forges no metric", async () => {
  const [nightly] = await dashboard.operations.list();
  const forged = 'x"} 1\nescapement_jobs{state="\\';
  const odd = { job: forged, consecutiveFailures: 7 };
  const list = async () => (nightly ? [{ ...nightly, ...odd, recent: { ...nightly.recent, runs: [] } }] : []);
  const text = await new FleetMetrics({ ...dashboard.operations, list }, undefined, at(2)).text();
  expect(lines(text, "escapement_jobs")).toEqual(['escapement_jobs{state="idle"} 1']);
  expect(lines(text, "escapement_consecutive_failures")).toEqual([
    String.raw`escapement_consecutive_failures{job="x\"} 1\nescapement_jobs{state=\"\\"} 7`,
  ]);
});

test("every metric that the Grafana dashboard asks for is there", async () => {
  const file = join(import.meta.dirname, "../../../docs/grafana.json");
  const { panels } = JSON.parse(readFileSync(file, "utf8")) as { panels: { targets: { expr: string }[] }[] };
  const asked = panels.flatMap(({ targets }) => targets.flatMap(({ expr }) => expr.match(/escapement_\w+/g) ?? []));
  const text = await (await dashboard.get("/metrics")).text();
  const told = [...text.matchAll(/^# TYPE (\S+) (\S+)$/gm)].flatMap(([, name, type]) =>
    type === "histogram" ? [`${name}_bucket`, `${name}_sum`, `${name}_count`] : [name],
  );

  expect(asked.length).toBeGreaterThan(10);
  expect(told).toEqual(expect.arrayContaining(asked));
});
