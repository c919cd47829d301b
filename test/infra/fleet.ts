import { readFileSync } from "node:fs";
import { App } from "aws-cdk-lib";
import { Template } from "aws-cdk-lib/assertions";
import { type LoadedJob, ScheduledFunctionsStack } from "../../lib/infra/index.ts";
import { createProject } from "./project.ts";

/** CDK's feature flags, as the app has them. */
const { context } = JSON.parse(readFileSync("cdk.json", "utf8"));

/** A source file that bundles in no time; what a stack declares does not depend on what is in it. */
const { functions } = createProject({ "job.ts": "export const handler = async () => {};" });

/** A job as `loadJobs` returns it: every day at 02:30 UTC. */
export function aJob(name: string, differences: Partial<LoadedJob> = {}): LoadedJob {
  return {
    name,
    file: `${functions}/job.ts`,
    schedules: { default: { expression: "cron(30 2 * * ? *)", timeZone: "UTC" } },
    timeoutMs: 300_000,
    overlap: "skip",
    maxLatenessMs: { default: 3_600_000 },
    retries: 2,
    retentionMs: 7_776_000_000,
    deadlineMarginMs: 1000,
    store: { input: false, result: false },
    enabled: true,
    ...differences,
  };
}

/** The stack of a stage, named as in an app: `Escapement-dev`. */
export function aStack(jobs: readonly LoadedJob[], stage = "dev"): ScheduledFunctionsStack {
  return new ScheduledFunctionsStack(new App({ context }), `Escapement-${stage}`, { stage, jobs });
}

export function synthesize(jobs: readonly LoadedJob[], stage?: string): Template {
  return Template.fromStack(aStack(jobs, stage));
}
