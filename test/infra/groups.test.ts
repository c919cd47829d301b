import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { Template } from "aws-cdk-lib/assertions";
import { afterAll, describe, expect, test } from "vitest";
import { type LoadedJob, ScheduledFunctionsStack } from "../../lib/infra/index.ts";
import { readAssembly } from "../../lib/local/assembly.ts";
import { jobViews } from "../../lib/local/job-views.ts";
import { parseSchedule } from "../../lib/schedule/index.ts";
import { aJob, anApp } from "./fleet.ts";
import { createProject } from "./project.ts";

const { functions, remove } = createProject({
  "clean.ts": "export const handler = async () => 'clean as ' + process.env.ESCAPEMENT_JOB;",
  "sweep.ts": "export const handler = async (event) => 'sweep with ' + event.input;",
});
afterAll(remove);

const care = (name: string, more: Partial<LoadedJob> = {}) =>
  aJob(name, { group: "care", file: join(functions, `${name}.ts`), ...more });

describe.each([undefined, 2])("a group of jobs (shards: %s)", (shards) => {
  const app = anApp();
  const jobs = [care("clean"), care("sweep", { overlap: "allow" }), aJob("nightly")];
  const more = shards === undefined ? {} : { shards };
  const stack = new ScheduledFunctionsStack(app, "Escapement-dev", { stage: "dev", jobs, ...more });
  const assembly = app.synth();
  const templates = assembly.stacks.map(({ template }) => template);
  const resources = templates.flatMap((template) =>
    Object.values<{ Type: string; Properties: Record<string, never> }>(template.Resources),
  );
  const propertiesOf = (type: string) =>
    resources.filter(({ Type }) => Type === type).map(({ Properties }) => Properties);

  test("shares one function, and each job has its own schedule and identity", () => {
    expect(
      propertiesOf("AWS::Lambda::Function")
        .map(({ FunctionName }) => FunctionName)
        .sort(),
    ).toEqual([
      "Escapement-dev_care",
      "Escapement-dev_dispatcher",
      "Escapement-dev_nightly",
      "Escapement-dev_watchdog",
    ]);
    const inputs = propertiesOf("AWS::Scheduler::Schedule").map(
      ({ Target }) =>
        JSON.parse((Target as unknown as { Input: string }).Input).escapement.job ?? "none: the watchdog's",
    );
    expect(inputs.sort()).toEqual(["clean", "nightly", "none: the watchdog's", "sweep"]);
    expect(stack.fleet.job("clean").functionName).toBe("Escapement-dev_care");
  });

  test("may touch the partitions of its jobs, and no other's", () => {
    const keys = JSON.stringify(propertiesOf("AWS::IAM::Policy")).match(/"dynamodb:LeadingKeys":(\[[^\]]*\])/g);
    expect(keys).toContain('"dynamodb:LeadingKeys":["Escapement-dev#job#clean","Escapement-dev#job#sweep"]');
  });

  test("hands each event to the job that it names, in the bundle as it is deployed and run here", () => {
    const { functions, tables, schedules } = readAssembly(app.outdir);
    expect(tables).toHaveLength(1);
    const ofJobs = schedules.filter(({ functionName }) => functionName !== "Escapement-dev_watchdog");
    expect(ofJobs.map(({ job, functionName }) => `${job}: ${functionName}`).sort()).toEqual([
      "clean: Escapement-dev_care",
      "nightly: Escapement-dev_nightly",
      "sweep: Escapement-dev_care",
    ]);
    const {
      assetDir = "",
      handler = "",
      environment,
    } = functions.find(({ name }) => name === "Escapement-dev_care") ?? {};
    expect(environment).toMatchObject({ ESCAPEMENT_FLEET: "Escapement-dev", ESCAPEMENT_TABLE: tables[0]?.name });
    const script = `
      const { handler } = await import(process.argv[1]);
      console.log(await handler({ escapement: { job: "clean" } }));
      console.log(await handler({ source: "escapement", "detail-type": "Run Requested", detail: { job: "sweep" }, input: 7 }));
      console.log(await handler({ escapement: { job: "clen" } }).catch((error) => error.message));`;
    const bundle = join(assetDir, `${handler.slice(0, handler.lastIndexOf("."))}.mjs`);
    const output = execFileSync(process.execPath, ["--input-type=module", "-e", script, bundle], { encoding: "utf8" });
    expect(output.trim().split("\n")).toEqual([
      "clean as clean",
      "sweep with 7",
      'This function runs several jobs, and the event\'s escapement.job is "clen". Did you mean "clean"? Allowed: clean, sweep.',
    ]);
  });

  test("is listed by its jobs in the local runner, each with its own schedules", () => {
    const views = jobViews(
      readAssembly(app.outdir),
      ({ spec }) => parseSchedule(spec),
      Date.parse("2026-05-01T00:00:00Z"),
    );
    expect(views.map(({ job, functionName, schedules }) => [job, functionName, schedules.length]).sort()).toEqual([
      ["clean", "Escapement-dev_care", 1],
      ["nightly", "Escapement-dev_nightly", 1],
      ["sweep", "Escapement-dev_care", 1],
    ]);
  });
});

describe("jobs that cannot share a function", () => {
  const make =
    (...jobs: LoadedJob[]) =>
    () =>
      Template.fromStack(new ScheduledFunctionsStack(anApp(), "Escapement-dev", { stage: "dev", jobs }));

  test("since they differ in what a function has one of, are refused by file, option and value", () => {
    expect(make(care("clean"), care("sweep", { timeoutMs: 60_000 }))).toThrow(
      /sweep\.ts: its group "care" shares one function, so its jobs have the same timeout\. This one has 60 seconds, .*clean\.ts has 300 seconds\. Make them equal, or leave the group\./,
    );
    const small = { ...aJob("x").function, memoryMb: 128 };
    expect(make(care("clean"), care("sweep", { function: small }))).toThrow(
      /sweep\.ts: .* the same function\. This one has \{"memoryMb":128,/,
    );
  });

  test("since the group has a job's name, are refused", () => {
    expect(make(care("clean"), aJob("care"))).toThrow(
      /clean\.ts: the group "care" has the name of the job in .*job\.ts\./,
    );
  });
});

test("the bundles of a shard share a file, and are the same in every build", () => {
  const build = () => {
    const app = anApp();
    const jobs = [
      aJob("sync", { file: "functions/sync-exchange-rates.ts" }),
      aJob("pay", { file: "functions/pay-commissions.ts" }),
    ];
    new ScheduledFunctionsStack(app, "Escapement-dev", { stage: "dev", jobs, shards: 1 });
    app.synth();
    const assets = readdirSync(app.outdir)
      .filter((name) => name.startsWith("asset."))
      .sort();
    return { outdir: app.outdir, assets };
  };
  const { outdir, assets } = build();
  // The dispatcher's, the watchdog's and the shard's.
  expect(assets).toHaveLength(3);
  const shard = assets.find((asset) => readdirSync(join(outdir, asset)).includes("sync")) ?? "";
  const folders = readdirSync(join(outdir, shard), { withFileTypes: true }).filter((entry) => entry.isDirectory());
  expect(folders.map(({ name }) => name).sort()).toEqual(["pay", "sync"]);
  const map = readFileSync(join(outdir, shard, "sync", "index.mjs.map"), "utf8");
  expect(JSON.parse(map).sources).toContain("functions/sync-exchange-rates.ts");
  expect(build().assets).toEqual(assets);
});
