import { afterAll, beforeAll, expect, test } from "vitest";
import { startDashboard } from "../cli/served-dashboard.ts";
import { invoke } from "./invoke.ts";

// `escapement dashboard --stack`: the deployed stack, seen and acted upon with the caller's own credentials.

const stack = "Escapement-dev";
const job = "sync-exchange-rates";
let dashboard: Awaited<ReturnType<typeof startDashboard>>;
beforeAll(async () => {
  // It lists the jobs, and does so within five minutes of a deployment.
  await invoke(`${stack}_watchdog`, { escapement: { watchdog: stack } });
  dashboard = await startDashboard("--stack", stack);
});
afterAll(async () => {
  expect(await dashboard.stop()).toBe(0);
});

test("shows the stack's jobs, and may change them", async () => {
  expect(await (await dashboard.get("/api/target")).json()).toMatchObject({
    target: { kind: "stack", stack, region: "us-east-1" },
    readOnly: false,
  });
  const { jobs } = (await (await dashboard.get("/api/jobs")).json()) as { jobs: { job: string }[] };
  expect(jobs.map((listed) => listed.job)).toEqual([
    "close-business-day",
    "pay-commissions",
    "rebuild-search-index",
    "sync-exchange-rates",
  ]);
});

test("pauses a job and resumes it, under the name of the caller", async () => {
  const { whoAmI } = (await (await dashboard.get("/api/target")).json()) as { whoAmI: string };
  const paused = await dashboard.post(`/api/jobs/${job}/pause`, { reason: "the bank is closed" });
  expect(await paused.json()).toMatchObject({ job, outcome: "paused" });
  const seen = (await (await dashboard.get(`/api/jobs/${job}`)).json()) as { paused: { at: string } };
  expect(seen).toMatchObject({ paused: { by: whoAmI, reason: "the bank is closed" } });
  const resumed = await dashboard.post(`/api/jobs/${job}/resume`, { pausedAt: seen.paused.at });
  expect(await resumed.json()).toMatchObject({ job, outcome: "resumed" });
});

test("tells Prometheus of the stack", async () => {
  const text = await (await dashboard.get("/metrics")).text();
  expect(text).toContain(`escapement_waiting_runs{job="${job}"} 0`);
});
