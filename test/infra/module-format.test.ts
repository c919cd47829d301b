import { execFileSync } from "node:child_process";
import { readFileSync, renameSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { loadJobs } from "../../lib/infra/index.ts";
import { root } from "../cli/escapement.ts";
import { createProject } from "./project.ts";

const job =
  'import { rate, scheduled } from "escapement";\nexport const handler = scheduled({ schedule: rate("1 hour") }, async () => {});';

// As in a process that was started with it, such as the app of cdk.json.
beforeAll(() => vi.stubEnv("NODE_OPTIONS", "--conditions=escapement-source"));
afterAll(() => vi.unstubAllEnvs());

describe("MW-14: a CommonJS project", () => {
  let directory: string;
  let functions: string;
  beforeEach(() => {
    const project = createProject({ "nightly.ts": job });
    ({ directory, functions } = project);
    writeFileSync(join(directory, "package.json"), '{ "name": "shop" }');
    return project.remove;
  });

  test("is told before anything is read why its jobs cannot be, and what to write where", async () => {
    writeFileSync(join(functions, "broken.ts"), "this is no code");
    await expect(loadJobs(functions)).rejects.toThrow(
      expect.objectContaining({
        code: "SYNTH_FAILED",
        message: `${functions}/broken.ts is read as CommonJS, because ${directory}/package.json does not say "type": "module". A job file has to be an ES module: write "type": "module" into package.json. Where the rest of the project has to stay CommonJS, write { "type": "module" } into ${functions}/package.json.`,
      }),
    );
  });

  test("is told which package.json is no JSON", async () => {
    writeFileSync(join(functions, "package.json"), "type: module");
    await expect(loadJobs(functions)).rejects.toThrow(`${functions}/package.json cannot be read: Unexpected token`);
  });

  test("may name its jobs .mts", async () => {
    renameSync(join(functions, "nightly.ts"), join(functions, "nightly.mts"));
    expect(await loadJobs(functions)).toMatchObject([{ name: "nightly" }]);
  });

  test("whose folder of jobs says that it holds ES modules is synthesized by its CommonJS app", () => {
    writeFileSync(join(functions, "package.json"), '{ "type": "module" }');
    symlinkSync(join(root, "node_modules", "aws-cdk-lib"), join(directory, "node_modules", "aws-cdk-lib"));
    writeFileSync(
      join(directory, "app.ts"),
      `import { App } from "aws-cdk-lib";
      import { exitWithError, loadJobs, ScheduledFunctionsStack } from "escapement/infra";
      async function main() {
        const app = new App({ outdir: "cdk.out" });
        new ScheduledFunctionsStack(app, "Shop-dev", { stage: "dev", jobs: await loadJobs("functions") });
        app.synth();
      }
      main().catch(exitWithError);`,
    );
    const args = ["--import", import.meta.resolve("tsx"), "--conditions=escapement-source", "app.ts"];
    execFileSync(process.execPath, args, {
      cwd: directory,
      env: { PATH: process.env["PATH"], CDK_VALIDATION: "false" },
    });
    expect(readFileSync(join(directory, "cdk.out/Shop-dev.template.json"), "utf8")).toContain("Shop-dev_nightly");
  });
});
