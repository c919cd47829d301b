import { execFile, spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { CreateTableCommand } from "@aws-sdk/client-dynamodb";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type EmbeddedDynamo, openEmbeddedDynamo } from "../../lib/local/embedded-table.ts";
import { createDynamoClient, tableDefinition } from "../../lib/store/index.ts";
import { createProject } from "./project.ts";

const root = join(import.meta.dirname, "../..");
const patienceMs = 180_000;
/** All that a newcomer's shell is sure to have: no credentials, no settings of AWS, npm or CDK. */
const bareEnvironment = {
  PATH: process.env["PATH"],
  NO_COLOR: "1",
  AWS_EC2_METADATA_DISABLED: "true",
  AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED: "true",
};

interface Template {
  readonly Resources: Readonly<Record<string, { readonly Type: string; readonly Properties: FunctionProperties }>>;
}
interface FunctionProperties {
  readonly FunctionName: string;
  readonly Environment: { readonly Variables: Readonly<Record<string, string>> };
  readonly Code: { readonly S3Key: string };
}

describe("the example app", () => {
  const folder = mkdtempSync(join(tmpdir(), "escapement-app-"));
  const assembly = join(folder, "cdk.out");
  const jobs = new Map<string, { variables: string[]; bundle: string }>();
  let synthesis: { status: number | null; stderr: string };

  beforeAll(() => {
    const cdk = join(root, "node_modules/.bin/cdk");
    const environment = { ...bareEnvironment, HOME: folder };
    synthesis = spawnSync(cdk, ["synth", "--quiet", "--output", assembly], { encoding: "utf8", env: environment });
    const template: Template = JSON.parse(readFileSync(join(assembly, "Escapement-dev.template.json"), "utf8"));
    for (const { Type, Properties } of Object.values(template.Resources)) {
      if (Type !== "AWS::Lambda::Function") continue;
      const asset = Properties.Code.S3Key.replace(".zip", "");
      jobs.set(Properties.FunctionName, {
        variables: Object.keys(Properties.Environment.Variables),
        bundle: join(assembly, `asset.${asset}`, "index.mjs"),
      });
    }
  }, patienceMs);
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  test("synthesizes without credentials, and CDK's own rules find nothing in it", () => {
    expect(synthesis).toMatchObject({ status: 0 });
    const report = JSON.parse(readFileSync(join(assembly, "validation-report.json"), "utf8"));
    const findings: { ruleName: string }[] = report.pluginReports.flatMap(
      (plugin: { violations: { ruleName: string }[] }) => plugin.violations,
    );
    expect(findings).toEqual([]);
  });

  test("says at synth what its jobs mean together", () => {
    expect(synthesis.stderr).toMatch(/^INFO A crash early in a run waits for the watchdog .*: close-business-day, /m);
  });

  test("gives each job its tables", () => {
    const variablesOf = (job: string) => jobs.get(`Escapement-dev_${job}`)?.variables;
    expect(variablesOf("sync-exchange-rates")).toContain("EXCHANGE_RATES_TABLE");
    expect(variablesOf("close-business-day")).toEqual(expect.arrayContaining(["ORDERS_TABLE", "BUSINESS_DAYS_TABLE"]));
    expect(variablesOf("pay-commissions")).toEqual(expect.arrayContaining(["ORDERS_TABLE", "BALANCES_TABLE"]));
    expect(variablesOf("rebuild-search-index")).toEqual(
      expect.arrayContaining(["CATALOG_TABLE", "SEARCH_INDEX_TABLE"]),
    );
  });

  describe("MW-14: its bundles, with all that they import", () => {
    let dynamo: EmbeddedDynamo;
    beforeAll(async () => {
      dynamo = await openEmbeddedDynamo({ dir: join(folder, "dynamo") });
      const credentials = { accessKeyId: "test", secretAccessKey: "test" };
      const client = createDynamoClient({ endpoint: dynamo.endpoint, region: "eu-central-1", credentials });
      for (const table of ["runs", "data", "orders"]) await client.send(new CreateTableCommand(tableDefinition(table)));
      client.destroy();
    });
    afterAll(() => dynamo.close());

    const script = `
      const [, bundle, event] = process.argv;
      const { handler } = await import(bundle);
      const context = { awsRequestId: crypto.randomUUID(), getRemainingTimeInMillis: () => 30_000 };
      const answer = event ? await handler(JSON.parse(event), context) : typeof handler;
      console.log(JSON.stringify(answer));`;

    /** What the handler of a function answers on a version of Node; without an event, what it is. */
    const answerOf = async (node: string, functionName: string, event: object | undefined) => {
      const { bundle = "" } = jobs.get(functionName) ?? {};
      const args = ["--input-type=module", "-e", script, bundle, ...(event ? [JSON.stringify(event)] : [])];
      const { stdout } = await promisify(execFile)(node, args, {
        env: {
          ...bareEnvironment,
          AWS_REGION: "eu-central-1",
          AWS_ACCESS_KEY_ID: "test",
          AWS_SECRET_ACCESS_KEY: "test",
          AWS_ENDPOINT_URL_DYNAMODB: dynamo.endpoint,
          ESCAPEMENT_JOB: functionName.replace("Escapement-dev_", ""),
          ESCAPEMENT_FLEET: "Escapement-dev",
          ESCAPEMENT_TABLE: "runs",
          EXCHANGE_RATES_TABLE: "data",
          ORDERS_TABLE: "orders",
          BUSINESS_DAYS_TABLE: "data",
          BALANCES_TABLE: "data",
        },
      });
      return JSON.parse(stdout.trim().split("\n").at(-1) ?? "");
    };

    test.for([20, 22, 24])("run on Node %i", { timeout: patienceMs }, async (major, { skip }) => {
      const node = nodeOf(major);
      if (!node) return skip(`Node ${major} cannot be had here: npx finds no package node@${major}`);
      expect(await answerOf(node, "Escapement-dev_sync-exchange-rates", {})).toMatchObject({ currencies: 5 });
      expect(await answerOf(node, "Escapement-dev_close-business-day", {})).toMatchObject({
        days: [expect.any(String)],
      });
      expect(await answerOf(node, "Escapement-dev_pay-commissions", {})).toMatchObject({ sellers: 0 });
      expect(await answerOf(node, "Escapement-dev_rebuild-search-index", undefined)).toBe("function");
      expect(await answerOf(node, "Escapement-dev_dispatcher", undefined)).toBe("function");
    });
  });
});

describe("an app that cannot be synthesized", () => {
  const { directory, remove } = createProject({ "nightly.ts": "export const handler = async () => {};" });
  afterAll(remove);

  test("says what is wrong, without a stack trace, and ends with 1", () => {
    const args = ["--import", import.meta.resolve("tsx"), "--conditions=escapement-source", join(root, "bin/app.ts")];
    const run = spawnSync(process.execPath, args, { encoding: "utf8", cwd: directory, env: bareEnvironment });
    expect(run.status).toBe(1);
    expect(run.stderr.trim()).toMatch(/^functions\/nightly\.ts: its "handler" carries no options\. Write "[^\n]*$/);
    expect(run.stdout).toBe("");
  });
});

/** The program of a Node version: this process's own, or one that npx finds. */
function nodeOf(major: number): string | undefined {
  if (process.versions.node.startsWith(`${major}.`)) return process.execPath;
  const print = ["-e", "console.log(process.execPath)"];
  const { status, stdout } = spawnSync("npx", ["-y", "-p", `node@${major}`, "node", ...print], { encoding: "utf8" });
  return status === 0 ? stdout.trim() : undefined;
}
