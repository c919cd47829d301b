import { writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { afterAll, expect, onTestFinished, test, vi } from "vitest";
import { findRunner, type RunnerEvent, type RunnerInfo, startRunner } from "../../lib/local/index.ts";
import { aJob } from "../infra/fleet.ts";
import { createProject } from "../infra/project.ts";
import { assemblyOf, fleetQueries } from "./runner-fleet.ts";
import { post } from "./running.ts";
import { tempFolder } from "./temp-folder.ts";

/** Works until the file that its input names is there. */
const patient = `
  import { existsSync } from "node:fs";
  import { setTimeout } from "node:timers/promises";
  import { rate, scheduled } from ${JSON.stringify(resolve("lib/index.ts"))};
  export const handler = scheduled({ schedule: rate("1 day"), overlap: "queue" }, async (run) => {
    while (!existsSync(run.input.until)) await setTimeout(20);
  });`;
const project = createProject({ "patient.ts": patient });
afterAll(project.remove);

const yearly = { default: { expression: "cron(0 0 1 1 ? *)", timeZone: "UTC" } };
const PATIENT = "Escapement-dev_patient";

test("runs that wait are started one after the other, each from the sandbox of the one before it", async () => {
  const stateDir = tempFolder();
  const job = aJob("patient", { file: `${project.functions}/patient.ts`, schedules: yearly, overlap: "queue" });
  const told: RunnerEvent[] = [];
  const onEvent = (event: RunnerEvent) => told.push(event);
  const runner = await startRunner({ stateDir, assemblyDir: assemblyOf(job), onEvent });
  onTestFinished(() => runner.abort());
  const info = (await findRunner(stateDir)) as RunnerInfo;
  const queries = await fleetQueries(stateDir);
  const seen = (look: (page: Awaited<ReturnType<typeof queries.readJob>>) => void) =>
    vi.waitFor(async () => look(await queries.readJob("patient", { limit: 5 })), { timeout: 60_000, interval: 100 });
  const until = join(stateDir, "go-on");
  const trigger = (id: string) => {
    const request = { id, at: new Date().toISOString(), by: "kim" };
    return post(info, PATIENT, JSON.stringify({ escapement: { job: "patient", request }, input: { until } }));
  };

  await trigger("first");
  await seen(({ state }) => expect(state?.lease?.runId).toContain("first"));
  await trigger("second");
  await seen(({ state }) => expect(state?.queue).toHaveLength(1));
  await trigger("third");
  await seen(({ state }) => expect(state?.queue).toHaveLength(2));

  writeFileSync(until, "");
  await seen(({ runs }) => expect(runs.map(({ status }) => status)).toEqual(["SUCCEEDED", "SUCCEEDED", "SUCCEEDED"]));
  const { state, runs } = await queries.readJob("patient", { limit: 5 });
  const inOrder = runs.toSorted((one, other) => one.fence - other.fence);
  expect(inOrder.map(({ runId }) => runId.split("#")[2])).toEqual(["first", "second", "third"]);
  expect(inOrder.map(({ trigger }) => trigger)).toEqual(Array(3).fill({ kind: "operator", by: "kim" }));
  expect(state?.queue).toBeUndefined();
  // Three deliveries, two of which joined, and two starts.
  const ends = () => told.filter((event) => event.kind === "finished" && event.functionName === PATIENT);
  await vi.waitFor(() => expect(ends()).toHaveLength(5), { timeout: 30_000 });
}, 180_000);
