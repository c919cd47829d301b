import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { FleetMetrics } from "../../../lib/dashboard/server/metrics.ts";
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

test("counts each attempt once, however often it is asked", async () => {
  const metrics = new FleetMetrics(dashboard.operations, undefined, at(3));
  const text = await metrics.text();
  expect(await metrics.text()).toBe(text);
  expect(lines(text, "escapement_runs_total")).toEqual(['escapement_runs_total{job="nightly",status="FAILED"} 1']);
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
