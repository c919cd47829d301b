import { mkdtempSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { App } from "aws-cdk-lib";
import { Template } from "aws-cdk-lib/assertions";
import { afterAll } from "vitest";
import { type LoadedJob, ScheduledFunctionsStack } from "../../lib/infra/index.ts";
import { createProject } from "./project.ts";

/** CDK's feature flags, as the app has them. */
const { context } = JSON.parse(readFileSync("cdk.json", "utf8"));

/** A source file that bundles in no time; what a stack declares does not depend on what is in it. */
const project = createProject({ "job.ts": "export const handler = async () => {};" });
// Thousands of files, where a test has thousands of jobs.
afterAll(project.remove, 300_000);

/** A job as `loadJobs` returns it: every day at 02:30 UTC. */
export function aJob(name: string, differences: Partial<LoadedJob> = {}): LoadedJob {
  return {
    name,
    file: join(project.functions, "job.ts"),
    schedules: { default: { expression: "cron(30 2 * * ? *)", timeZone: "UTC" } },
    timeoutMs: 300_000,
    overlap: "skip",
    queueLength: 10,
    catchUp: "none",
    maxLatenessMs: { default: 3_600_000 },
    retries: 2,
    retentionMs: 7_776_000_000,
    deadlineMarginMs: 1000,
    locks: [],
    priority: 0,
    store: { input: false, result: false },
    enabled: true,
    alarms: false,
    function: {
      memoryMb: 256,
      architecture: "arm64",
      ephemeralStorageMb: 512,
      environment: {},
      layers: [],
      bundling: { external: [], loader: {} },
    },
    options: { schedule: { expression: "cron(30 2 * * ? *)", timeZone: "UTC" }, timeout: "5 minutes" },
    ...differences,
  };
}

/** An app with the feature flags of ours; its cloud assembly goes with the test file. */
export function anApp(): App {
  return new App({ context, outdir: mkdtempSync(join(project.directory, "cdk.out-")) });
}

/** The stack of a stage, named as in an app: `Escapement-dev`. */
export function aStack(jobs: readonly LoadedJob[], stage = "dev"): ScheduledFunctionsStack {
  return new ScheduledFunctionsStack(anApp(), `Escapement-${stage}`, { stage, jobs });
}

export function synthesize(jobs: readonly LoadedJob[], stage?: string): Template {
  return Template.fromStack(aStack(jobs, stage));
}

/** The schedules of the jobs, by logical id: all but the watchdog's. */
export function jobSchedules(template: Template) {
  const schedules = Object.entries(template.findResources("AWS::Scheduler::Schedule"));
  return Object.fromEntries(schedules.filter(([, { Properties }]) => Properties.Name !== "watchdog"));
}
