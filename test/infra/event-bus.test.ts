import { resolve } from "node:path";
import { EventBridgeClient, PutEventsCommand } from "@aws-sdk/client-eventbridge";
import { Stack } from "aws-cdk-lib";
import { EventBus, Rule } from "aws-cdk-lib/aws-events";
import { LambdaFunction } from "aws-cdk-lib/aws-events-targets";
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from "vitest";
import { ScheduledFunctionsStack } from "../../lib/infra/index.ts";
import { findRunner, type RunnerEvent, type RunnerInfo, startRunner } from "../../lib/local/index.ts";
import { ManualClock } from "../local/manual-clock.ts";
import { tempFolder } from "../local/temp-folder.ts";
import { aJob, anApp } from "./fleet.ts";
import { createProject } from "./project.ts";

const escapement = JSON.stringify(resolve("lib/index.ts"));
const project = createProject({
  "pays.ts": `
    import { rate, scheduled } from ${escapement};
    export const handler = scheduled({ schedule: rate("1 day") }, async () => ({ paid: 3 }));`,
  "listens.ts": `
    import { rate, scheduled } from ${escapement};
    export const handler = scheduled({ schedule: rate("1 day") }, async (run) => {
      console.log("heard " + JSON.stringify(run.input));
    });`,
});
afterAll(project.remove);

// What is deployed, on the local runner: the bundles, the rules and the queues are those of the template.
let assemblyDir: string;
beforeAll(() => {
  const app = anApp();
  const bus = EventBus.fromEventBusName(new Stack(app, "Buses"), "Runs", "runs");
  const stack = new ScheduledFunctionsStack(app, "Escapement-dev", {
    stage: "dev",
    enabledStages: [],
    jobs: ["pays", "listens"].map((name) => aJob(name, { file: `${project.functions}/${name}.ts` })),
    eventBus: bus,
    runEventBus: bus,
  });
  new Rule(stack, "Paid", {
    eventBus: bus,
    eventPattern: { source: ["escapement"], detailType: ["Run Succeeded"], detail: { job: ["pays"] } },
    targets: [new LambdaFunction(stack.fleet.job("listens").nodes.function)],
  });
  assemblyDir = app.synth().directory;
});

async function runStack() {
  const stateDir = tempFolder();
  const told: RunnerEvent[] = [];
  const clock = new ManualClock(new Date().toISOString());
  const runner = await startRunner({ stateDir, assemblyDir, clock, onEvent: (event) => told.push(event) });
  onTestFinished(() => runner.abort());
  const { url, accessKeyId } = (await findRunner(stateDir)) as RunnerInfo;
  const credentials = { accessKeyId, secretAccessKey: "local" };
  const events = new EventBridgeClient({ endpoint: url, region: "local", credentials });
  onTestFinished(() => events.destroy());
  return {
    request: async (detail: object) => {
      const Detail = JSON.stringify({ stack: "Escapement-dev", ...detail });
      const entry = { EventBusName: "runs", Source: "escapement", DetailType: "Run Requested", Detail };
      await events.send(new PutEventsCommand({ Entries: [entry] }));
    },
    /** Waits until something is told for the `count`-th time. */
    told: <T>(pick: (event: RunnerEvent) => readonly T[], count: number) =>
      vi.waitFor(
        async () => {
          // What is due at this very moment happens, and no time passes.
          await clock.moveTo(new Date(clock.nowMs()).toISOString());
          const picked = told.flatMap(pick);
          expect(picked.length).toBeGreaterThanOrEqual(count);
          return picked[count - 1] as T;
        },
        { timeout: 120_000, interval: 100 },
      ),
    moveTo: (timeMs: number) => clock.moveTo(new Date(timeMs).toISOString()),
  };
}

test("a run that was requested by an event tells its end by an event, which a rule of the user's receives", async () => {
  const { request, told } = await runStack();
  await request({ job: "pays", by: "alice" });
  const heard = (event: RunnerEvent) => (event.kind === "log" && event.line.startsWith("heard ") ? [event.line] : []);
  const line = await told(heard, 1);
  expect(JSON.parse(line.slice("heard ".length))).toMatchObject({
    source: "escapement",
    "detail-type": "Run Succeeded",
    detail: { stack: "Escapement-dev", job: "pays", status: "SUCCEEDED", attempt: 1 },
  });
}, 180_000);

test.each([
  [{ job: "pay" }, `The run request's detail.job is "pay". Did you mean "pays"? Allowed: pays, listens.`],
  [{ job: 42 }, "The run request's detail.job is 42. Allowed: the job's name."],
])(
  "the request %j becomes a dead letter that says what was wrong",
  async (detail, errorMessage) => {
    const { request, told, moveTo } = await runStack();
    await request(detail);
    // Lambda's queue delivers it twice more.
    for (const again of [1, 2])
      await moveTo(await told((event) => (event.kind === "again" ? [event.dueAtMs] : []), again));
    const letter = await told((event) => (event.kind === "dead-lettered" ? [event] : []), 1);
    expect(letter).toMatchObject({ error: { errorMessage }, destination: expect.stringMatching(/DeadLetterQueue/) });
  },
  180_000,
);
