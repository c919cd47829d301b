import { resolve } from "node:path";
import { Stack } from "aws-cdk-lib";
import { EventBus, Rule } from "aws-cdk-lib/aws-events";
import { LambdaFunction } from "aws-cdk-lib/aws-events-targets";
import { afterAll, expect, onTestFinished, test, vi } from "vitest";
import { ScheduledFunctionsStack } from "../../lib/infra/index.ts";
import { findRunner, type RunnerEvent, type RunnerInfo, startRunner } from "../../lib/local/index.ts";
import { post } from "../local/running.ts";
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

test("a rule on the fleet's bus receives how a run ended, from the job's own bundle", async () => {
  const app = anApp();
  const bus = EventBus.fromEventBusName(new Stack(app, "Buses"), "Runs", "runs");
  const stack = new ScheduledFunctionsStack(app, "Escapement-dev", {
    stage: "dev",
    enabledStages: [],
    jobs: ["pays", "listens"].map((name) => aJob(name, { file: `${project.functions}/${name}.ts` })),
    runEventBus: bus,
  });
  new Rule(stack, "Paid", {
    eventBus: bus,
    eventPattern: { source: ["escapement"], detailType: ["Run Succeeded"], detail: { job: ["pays"] } },
    targets: [new LambdaFunction(stack.fleet.job("listens").nodes.function)],
  });

  const stateDir = tempFolder();
  const told: RunnerEvent[] = [];
  const assemblyDir = app.synth().directory;
  const runner = await startRunner({ stateDir, assemblyDir, onEvent: (event) => told.push(event) });
  onTestFinished(() => runner.abort());
  await post((await findRunner(stateDir)) as RunnerInfo, "Escapement-dev_pays", "{}");

  const heard = await vi.waitFor(
    () => {
      const lines = told.flatMap((event) => (event.kind === "log" ? event.line : []));
      const line = lines.find((one) => one.startsWith("heard "));
      expect(line).toBeDefined();
      return JSON.parse(String(line).slice("heard ".length));
    },
    { timeout: 30_000, interval: 100 },
  );
  expect(heard).toMatchObject({
    source: "escapement",
    "detail-type": "Run Succeeded",
    detail: { stack: "Escapement-dev", job: "pays", status: "SUCCEEDED", attempt: 1 },
  });
});
