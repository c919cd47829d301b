import { resolve } from "node:path";
import { afterAll, expect, test, vi } from "vitest";
import { RunnerClock, type RunnerOptions } from "../../lib/local/index.ts";
import type { RunRecord } from "../../lib/run/index.ts";
import { aJob } from "../infra/fleet.ts";
import { createProject } from "../infra/project.ts";
import { ManualClock } from "./manual-clock.ts";
import { assemblyOf, fleetQueries } from "./runner-fleet.ts";
import { running } from "./running.ts";

const entry = JSON.stringify(resolve("lib/index.ts"));
const job = (handler: string, timeout: string) => `
  import { cron, scheduled } from ${entry};
  export const handler = scheduled({ schedule: cron("0 12 * * ? *"), timeout: "${timeout}" }, ${handler});`;
const project = createProject({
  "busy.ts": job("async () => { console.log('busy'); for (;;); }", "150 seconds"),
  "minute.ts": job("async () => {}", "1 minute"),
  // It pays no heed to the signal, and looks at its time when 2 s are left, and 100 ms.
  "endless.ts": `
    import middy from ${JSON.stringify(resolve("node_modules/@middy/core"))};
    import { cron, defineJob, scheduledRun } from ${entry};
    const job = defineJob({ schedule: cron("0 12 * * ? *"), timeout: "3 seconds" });
    export const handler = middy(async (_event, context) => {
      const left = () => context.getRemainingTimeInMillis();
      await new Promise((resolve) => setTimeout(resolve, left() - 2_000));
      console.log("left " + left());
      await new Promise((resolve) => setTimeout(resolve, left() - 200));
      while (left() > 100);
      console.log("left " + left());
      await new Promise(() => setInterval(() => {}, 1_000));
    }, { timeoutEarlyInMillis: 0 }).use(scheduledRun(job));`,
});
afterAll(project.remove);

/** A runner of these jobs, and what their records say. */
async function runnerOf(jobs: Parameters<typeof aJob>[], options: Partial<RunnerOptions> = {}) {
  const fleet = jobs.map(([name, more]) => aJob(name, { file: `${project.functions}/${name}.ts`, ...more }));
  const { told, heard, lines, invoke, stateDir, runner } = await running(
    {},
    { assemblyDir: assemblyOf(...fleet), ...options },
  );
  const queries = await fleetQueries(stateDir, { nowMs: () => runner.clock.now() });
  return { told, heard, lines, invoke, readJob: (name: string) => queries.readJob(name, { limit: 10 }) };
}

const [BUSY, MINUTE, ENDLESS] = ["Escapement-dev_busy", "Escapement-dev_minute", "Escapement-dev_endless"];
const each = (expression: string) => ({ default: { expression, timeZone: "UTC" } });

test("LD-10: a job in a busy loop keeps its own process from its end, and no other job from its minute", async () => {
  const clock = new ManualClock("2026-05-01T11:59:30Z");
  const { told, heard, lines, readJob } = await runnerOf(
    [
      ["busy", { schedules: each("cron(0 12 * * ? *)"), timeoutMs: 150_000, retries: 0 }],
      ["minute", { schedules: each("cron(* * * * ? *)"), timeoutMs: 60_000 }],
    ],
    { clock },
  );
  // Not by its record, which is written a little before its end: the clock must not go on under a handler at work.
  const ended = () => told.filter((event) => event.kind === "finished" && event.functionName === MINUTE).length;
  await clock.moveTo("2026-05-01T12:00:00Z");
  await vi.waitFor(() => expect(lines(BUSY)).toContain("busy"), 30_000);
  for (const [index, minute] of ["12:00", "12:01", "12:02"].entries()) {
    await clock.moveTo(`2026-05-01T${minute}:00Z`);
    await vi.waitFor(() => expect(ended()).toBe(index + 1), 30_000);
  }
  expect((await readJob("busy")).runs).toMatchObject([{ status: "RUNNING" }]);

  await clock.moveTo("2026-05-01T12:02:30Z");
  const { error } = await heard("finished", ({ functionName }) => functionName === BUSY);
  expect(error?.errorMessage).toMatch(/Task timed out after 150\.00 seconds$/);
  await clock.moveTo("2026-05-01T12:03:00Z");
  await vi.waitFor(() => expect(ended()).toBe(4), 30_000);
  const { runs } = await readJob("minute");
  const succeeded = runs.filter(({ status }) => status === "SUCCEEDED").map(({ runId }) => runId.slice(11, 16));
  expect(succeeded).toEqual(["12:03", "12:02", "12:01", "12:00"]);
});

test("LD-11: a handler is told the time that it really has, and one that never ends has timed out a second before Lambda's end", async () => {
  const clock = new RunnerClock({ startMs: Date.parse("2026-05-01T12:00:10Z") });
  const { heard, lines, invoke, readJob } = await runnerOf([["endless", { timeoutMs: 3_000, retries: 0 }]], { clock });
  await invoke(ENDLESS, {
    escapement: {
      job: "endless",
      schedule: "default",
      executionId: "one",
      scheduledTime: "2026-05-01T12:00:00Z",
    },
  });
  const { error, durationMs } = await heard("finished", ({ functionName }) => functionName === ENDLESS);
  expect(error?.errorMessage).toMatch(/Task timed out after 3\.00 seconds$/);
  expect(durationMs).toBeGreaterThanOrEqual(2_990);
  const left = lines(ENDLESS).flatMap((line) => (line.startsWith("left ") ? Number(line.slice(5)) : []));
  expect(left).toHaveLength(2);
  expect(left[0]).toBeLessThanOrEqual(2_000);
  expect(left[0]).toBeGreaterThan(1_000);
  expect(left[1]).toBeLessThanOrEqual(100);
  const { runs } = await readJob("endless");
  expect(runs).toMatchObject([{ status: "TIMED_OUT" }]);
  const { startedMs, endedMs } = runs[0] as RunRecord;
  expect(Number(endedMs) - Number(startedMs)).toBeLessThan(2_500);
});
