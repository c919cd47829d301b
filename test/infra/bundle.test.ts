import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { Stack } from "aws-cdk-lib";
import { Function as LambdaFunction, Runtime } from "aws-cdk-lib/aws-lambda";
import { afterAll, describe, expect, test } from "vitest";
import { type BundleEntry, Bundles } from "../../lib/infra/bundle.ts";
import { anApp } from "./fleet.ts";
import { createProject } from "./project.ts";

const options = { external: [], loader: {} };
const define = { FLEET: '{"name":"dev"}' };
const bundled = (files: Record<string, string>): Record<string, BundleEntry> =>
  Object.fromEntries(Object.entries(files).map(([name, file]) => [name, { source: { file }, options, define }]));

describe("bundles", () => {
  const { functions, remove } = createProject({
    "broken.ts": 'export const handler = async () => {\n  return import("./nowhere.ts");\n};',
    "nightly.ts": 'import os from "./common.cjs";\nexport const handler = async () => FLEET.name + typeof os.cpus;',
    "common.cjs": 'module.exports = require("os");',
    "places.ts":
      'import places from "./places.cjs";\nconst __dirname = "its own";\nexport const handler = async () => [...places, __dirname].join("\\n");',
    "places.cjs": "module.exports = [__dirname, __filename];",
  });
  afterAll(remove);

  /** The asset of a bundle as it stands in the cloud assembly. */
  function assetOf(entries: Record<string, string>, name: string): string {
    const app = anApp();
    const stack = new Stack(app, "Stack");
    const bundles = new Bundles(bundled(entries));
    new LambdaFunction(stack, "Function", {
      ...bundles.of(name),
      runtime: Runtime.NODEJS_24_X,
    });
    bundles.dispose();
    app.synth();
    const [asset = ""] = readdirSync(app.outdir).filter((entry) => entry.startsWith("asset."));
    return join(app.outdir, asset);
  }

  /** What the handler of an asset answers in a process of its own. */
  function answerOf(asset: string): string {
    const script = "const { handler } = await import(process.argv[1]); console.log(await handler());";
    const args = ["--input-type=module", "-e", script, join(asset, "index.mjs")];
    return execFileSync(process.execPath, args, { encoding: "utf8" });
  }

  test("are one ES module with its source map, in which CommonJS and the defined names work", () => {
    const asset = assetOf({ nightly: join(functions, "nightly.ts") }, "nightly");
    expect(readdirSync(asset).sort()).toEqual(["index.mjs", "index.mjs.map"]);
    expect(answerOf(asset)).toBe("devfunction\n");
  });

  test("MW-14: tell a CommonJS package where it is, and leave an ES module its own names for that", () => {
    const asset = assetOf({ places: join(functions, "places.ts") }, "places");
    expect(answerOf(asset)).toBe(`${asset}\n${asset}/index.mjs\nits own\n`);
  });

  test("name their sources from the project on, hold no path of the machine, and are the same in every build", () => {
    const entries = { nightly: "functions/sync-exchange-rates.ts" };
    const [first, second] = [assetOf(entries, "nightly"), assetOf(entries, "nightly")];
    const map = JSON.parse(readFileSync(join(first, "index.mjs.map"), "utf8"));
    expect(map.sources).toContain("functions/sync-exchange-rates.ts");
    expect(readFileSync(join(first, "index.mjs"), "utf8")).not.toContain(process.cwd());
    expect(second.split("asset.")[1]).toBe(first.split("asset.")[1]);
  });

  test("that cannot be built say so by file and line", () => {
    const build = () => new Bundles(bundled({ broken: join(functions, "broken.ts") }));
    expect(build).toThrow(/Could not resolve "\.\/nowhere\.ts"[\s\S]*functions\/broken\.ts:2:16/);
    expect(build).toThrow(expect.objectContaining({ code: "SYNTH_FAILED" }));
  });
});
