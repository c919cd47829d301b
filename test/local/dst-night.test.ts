import { resolve } from "node:path";
import { afterAll, expect, onTestFinished, test, vi } from "vitest";
import { RunnerClock, type RunnerEvent, startRunner } from "../../lib/local/index.ts";
import { aJob } from "../infra/fleet.ts";
import { createProject } from "../infra/project.ts";
import { assemblyOf, fleetQueries } from "./runner-fleet.ts";
import { tempFolder } from "./temp-folder.ts";

const source = `
  import { cron, scheduled } from ${JSON.stringify(resolve("lib/index.ts"))};
  const options = { schedule: cron("30 0-4 * * ? *", { timeZone: "Europe/Berlin" }), timeout: "20 seconds" };
  export const handler = scheduled(options, async (run) => ({ lateMs: Date.now() - run.scheduledTime.getTime() }));`;
const project = createProject({ "nightly.ts": source });
afterAll(project.remove);

test("four hours of the night in which the clocks skip 02:30 pass in seconds, and every record is of that night", async () => {
  const assemblyDir = assemblyOf(
    aJob("nightly", {
      file: `${project.functions}/nightly.ts`,
      schedules: { default: { expression: "cron(30 0-4 * * ? *)", timeZone: "Europe/Berlin" } },
      maxLatenessMs: { default: 300_000 },
      timeoutMs: 20_000,
    }),
  );
  const stateDir = tempFolder();
  const told: RunnerEvent[] = [];
  const runner = await startRunner({
    stateDir,
    assemblyDir,
    clock: new RunnerClock({ startMs: Date.parse("2026-03-28T23:00:00Z"), speed: 3600 }),
    onEvent: (event) => told.push(event),
  });
  onTestFinished(() => runner.abort());
  const ended = () => told.filter((event) => event.kind === "finished" && event.functionName.endsWith("nightly"));
  await vi.waitFor(() => expect(ended()).toHaveLength(4), { timeout: 50_000, interval: 20 });
  expect(told.filter(({ kind }) => kind === "missed" || kind === "slept")).toEqual([]);

  const queries = await fleetQueries(stateDir);
  const { runs } = await queries.readJob("nightly", { limit: 10 });
  const records = [...runs].sort((a, b) => a.runId.localeCompare(b.runId));
  expect(records.map(({ runId, status }) => `${runId} ${status}`)).toEqual([
    "2026-03-28T23:30:00.000Z#default SUCCEEDED",
    "2026-03-29T00:30:00.000Z#default SUCCEEDED",
    // 02:30 is 01:30 UTC, which is 03:30 already.
    "2026-03-29T01:30:00.000Z#default SUCCEEDED",
    "2026-03-29T02:30:00.000Z#default SUCCEEDED",
  ]);
  for (const { runId, startedMs = 0, endedMs = 0 } of records) {
    const scheduledMs = Date.parse(runId.slice(0, 24));
    // The start of a process takes a second or two, and what it takes it takes on this clock, too.
    expect(startedMs - scheduledMs).toBeGreaterThanOrEqual(0);
    expect(startedMs - scheduledMs).toBeLessThan(30_000);
    expect(endedMs).toBeGreaterThanOrEqual(startedMs);
  }
});
