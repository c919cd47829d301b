import { resolve } from "node:path";
import { afterAll, expect, onTestFinished, test, vi } from "vitest";
import { type FaultOptions, RunnerClock, type RunnerEvent, startRunner } from "../../lib/local/index.ts";
import { aJob } from "../infra/fleet.ts";
import { createProject } from "../infra/project.ts";
import { assemblyOf, fleetQueries } from "./runner-fleet.ts";
import { tempFolder } from "./temp-folder.ts";

const daily = { default: { expression: "cron(0 13 * * ? *)", timeZone: "UTC" } };
const source = `
  import { cron, scheduled } from ${JSON.stringify(resolve("lib/index.ts"))};
  export const handler = scheduled({ schedule: cron("0 13 * * ? *"), timeout: "20 seconds" }, async (run) => {
    await new Promise((resolve) => setTimeout(resolve, 800));
    console.log("done by attempt " + run.attempt);
    return { attempt: run.attempt };
  });`;
const project = createProject({ "nightly.ts": source });
afterAll(project.remove);
const file = `${project.functions}/nightly.ts`;
const assemblyDir = assemblyOf(aJob("nightly", { file, schedules: daily, timeoutMs: 20_000 }));

/** Fires one occurrence of a job with these faults, and waits until its run has ended and nothing of it is on its way. */
async function oneOccurrence(faults: FaultOptions) {
  const stateDir = tempFolder();
  const told: RunnerEvent[] = [];
  const clock = new RunnerClock({ startMs: Date.parse("2026-05-01T12:59:30Z"), speed: 600 });
  const runner = await startRunner({ stateDir, assemblyDir, faults, clock, onEvent: (event) => told.push(event) });
  onTestFinished(() => runner.abort());
  const queries = await fleetQueries(stateDir, clock);
  const records = await vi.waitFor(
    async () => {
      const { runs, state } = await queries.readJob("nightly", { limit: 10 });
      expect(runs.map(({ status }) => status)).toEqual(["SUCCEEDED"]);
      expect(state?.lease).toBeUndefined();
      return runs;
    },
    { timeout: 55_000, interval: 100 },
  );
  const faultsTold = told.flatMap((event) => (event.kind === "fault" ? event : []));
  const done = told.filter((event) => event.kind === "log" && event.line.startsWith("done by attempt"));
  return { runner, told, faultsTold, records, done };
}

test("--duplicate: an event comes twice with one request id, and its occurrence runs once", async () => {
  const { runner, told, faultsTold, records, done } = await oneOccurrence({ deliveries: 2 });
  expect(runner.faults).toEqual(["every event is delivered 2 times", "drawn with the seed 1"]);
  const ofJob = told.filter((event) => event.kind === "delivered" && event.functionName === "Escapement-dev_nightly");
  expect(ofJob).toHaveLength(2);
  expect(new Set(ofJob.map((event) => "requestId" in event && event.requestId)).size).toBe(1);
  expect(faultsTold[0]).toMatchObject({
    fault: "duplicate",
    message: expect.stringMatching(/: delivery 2 of the same event, /),
  });
  expect([records.length, done.length]).toEqual([1, 1]);
});

test("--crash: an invocation is killed in its midst, and the next attempt ends the run", async () => {
  // This seed kills the first two invocations, which are the watchdog and the job, and spares the ones after them.
  const { faultsTold, records, done } = await oneOccurrence({ crash: 0.4, seed: 8 });
  expect(faultsTold[0]).toMatchObject({
    fault: "crash",
    message: expect.stringMatching(/: killed \d+ ms after it began/),
  });
  expect(records[0]?.attempts?.map(({ status }) => status)).toEqual(["LOST", "SUCCEEDED"]);
  expect(done).toHaveLength(1);
});

test.each([
  ["--lose-replies", { loseReplies: 0.3 }, "lost reply", /: carried out, and its reply lost$/],
  ["--throttle", { throttle: 0.3 }, "throttled", /: throttled$/],
] as const)("%s: a handler's requests meet it, and its run ends once", async (_option, faults, fault, words) => {
  const { faultsTold, records, done } = await oneOccurrence({ ...faults, seed: 5 });
  expect(faultsTold[0]).toMatchObject({ fault, message: expect.stringMatching(words) });
  expect([records.length, done.length]).toEqual([1, 1]);
});

test("--skew: each sandbox's clock is off by another amount, and the run ends once", async () => {
  const { faultsTold, records, done } = await oneOccurrence({ skewMs: 3_000, seed: 1 });
  expect(faultsTold[0]).toMatchObject({
    fault: "skew",
    message: expect.stringMatching(/ is \d{1,4} ms (ahead|behind)$/),
  });
  expect([records.length, done.length]).toEqual([1, 1]);
});
