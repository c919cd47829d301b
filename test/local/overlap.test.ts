import { resolve } from "node:path";
import { afterAll, expect, onTestFinished, test, vi } from "vitest";
import { type RunnerEvent, startRunner } from "../../lib/local/index.ts";
import { aJob } from "../infra/fleet.ts";
import { createProject } from "../infra/project.ts";
import { ManualClock } from "./manual-clock.ts";
import { assemblyOf, fleetQueries } from "./runner-fleet.ts";
import { tempFolder } from "./temp-folder.ts";

const source = `
  import { cron, scheduled } from ${JSON.stringify(resolve("lib/index.ts"))};
  export const handler = scheduled({ schedule: cron("* * * * ? *"), timeout: "10 minutes" }, async () => {
    console.log("at work");
    await new Promise((resolve) => setTimeout(resolve, 600_000));
  });`;
const project = createProject({ "slow.ts": source });
afterAll(project.remove);

test("LD-13: occurrences that fall due while a run of their job is at work are skipped as locked", async () => {
  const schedules = { default: { expression: "cron(* * * * ? *)", timeZone: "UTC" } };
  const file = `${project.functions}/slow.ts`;
  const job = aJob("slow", { file, schedules, timeoutMs: 600_000, maxLatenessMs: { default: 300_000 } });
  const assemblyDir = assemblyOf(job);
  const stateDir = tempFolder();
  const told: RunnerEvent[] = [];
  const clock = new ManualClock("2026-05-01T11:59:30Z");
  const runner = await startRunner({ stateDir, assemblyDir, clock, onEvent: (event) => told.push(event) });
  onTestFinished(() => runner.abort());
  const queries = await fleetQueries(stateDir, clock);
  const records = async () => {
    const { runs } = await queries.readJob("slow", { limit: 10 });
    return [...runs].reverse().map(({ runId, status, reason, heldBy }) => ({ runId, status, reason, heldBy }));
  };

  await clock.moveTo("2026-05-01T12:00:00Z");
  await vi.waitFor(() => expect(told.map((event) => event.kind === "log" && event.line)).toContain("at work"), 30_000);
  for (const [index, minute] of ["12:01", "12:02"].entries()) {
    await clock.moveTo(`2026-05-01T${minute}:00Z`);
    await vi.waitFor(async () => expect(await records()).toHaveLength(index + 2), 30_000);
  }
  const [first, second, third] = ["12:00", "12:01", "12:02"].map((time) => `2026-05-01T${time}:00.000Z#default`);
  expect(await records()).toEqual([
    { runId: first, status: "RUNNING" },
    { runId: second, status: "SKIPPED", reason: "overlap", heldBy: first },
    { runId: third, status: "SKIPPED", reason: "overlap", heldBy: first },
  ]);
});
