import { resolve } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { type RunnerEvent, startRunner } from "../../lib/local/index.ts";
import { aJob } from "../infra/fleet.ts";
import { createProject } from "../infra/project.ts";
import { ManualClock } from "./manual-clock.ts";
import { assemblyOf, fleetQueries } from "./runner-fleet.ts";
import { tempFolder } from "./temp-folder.ts";

const FIRST = "2026-05-01T12:00:00.000Z#default";
const NEXT = "2026-05-01T12:05:00.000Z#default";

test.each([
  ["process.exit(1)", "process.exit(1);"],
  ["an error in a timer", 'setTimeout(() => { throw new Error("in a timer"); }, 0);'],
])("TO-04: a run whose process ends by %s is recorded as LOST, and the next occurrence runs", async (_by, crash) => {
  const { functions, remove } = createProject({
    "crashing.ts": `
      import { cron, scheduled } from ${JSON.stringify(resolve("lib/index.ts"))};
      export const handler = scheduled(
        { schedule: cron("0/5 * * * ? *"), timeout: "1 minute", retries: 0 },
        async (run) => {
          if (run.id !== ${JSON.stringify(FIRST)}) return;
          ${crash}
          await new Promise(() => {});
        });`,
  });
  onTestFinished(remove);
  const schedules = { default: { expression: "cron(0/5 * * * ? *)", timeZone: "UTC" } };
  const file = `${functions}/crashing.ts`;
  const assemblyDir = assemblyOf(aJob("crashing", { file, schedules, timeoutMs: 60_000, retries: 0 }));
  const stateDir = tempFolder();
  const told: RunnerEvent[] = [];
  const clock = new ManualClock("2026-05-01T11:59:30Z");
  const runner = await startRunner({ stateDir, assemblyDir, clock, onEvent: (event) => told.push(event) });
  onTestFinished(() => runner.abort());
  const queries = await fleetQueries(stateDir, clock);
  /** Deliveries of the job that have ended, well or not. */
  const ended = () =>
    told.filter((event) => event.kind === "finished" && event.functionName === "Escapement-dev_crashing").length;

  // The occurrence, Lambda's two further deliveries of it, and the next occurrence.
  const statuses: unknown[] = [];
  for (const [index, minute] of ["12:00", "12:01", "12:03", "12:05"].entries()) {
    await clock.moveTo(`2026-05-01T${minute}:00Z`);
    await vi.waitFor(() => expect(ended()).toBe(index + 1), 30_000);
    statuses.push((await queries.readRun("crashing", FIRST))?.status);
  }
  // The lease ends at 12:01, and five seconds are for differences of the clocks.
  expect(statuses).toEqual(["RUNNING", "RUNNING", "LOST", "LOST"]);
  expect(await queries.readRun("crashing", NEXT)).toMatchObject({ status: "SUCCEEDED", attempt: 1 });
});
