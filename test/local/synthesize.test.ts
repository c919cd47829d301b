import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync, statSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { Keeper } from "../../lib/local/keeper.ts";
import { synthesize } from "../../lib/local/synthesize.ts";
import { inFolder } from "./in-folder.ts";

const root = process.cwd();

const app = `
  const { App, CfnOutput, Stack, Stage, aws_s3_assets: assets } = require("aws-cdk-lib");
  const app = new App();
  for (const scope of [app, new Stage(app, "Stage")]) {
    const stack = new Stack(scope, "Shop", { env: { region: process.env.CDK_DEFAULT_REGION } });
    new assets.Asset(stack, "Code", { path: "code" });
    for (const key of ["ours", "kept", "aws:cdk:version-reporting"])
      new CfnOutput(stack, key.replaceAll(/\\W/g, ""), { value: String(app.node.tryGetContext(key)) });
  }`;

test("the app run by itself gives the same files as npx cdk synth", async () => {
  const dir = inFolder({
    "app.cjs": app,
    "code/index.mjs": "export const handler = 1;",
    "cdk.json": JSON.stringify({ app: "node app.cjs", context: { ours: "a" } }),
    "cdk.context.json": JSON.stringify({ kept: "b" }),
  });
  symlinkSync(join(root, "node_modules"), "node_modules");
  vi.stubEnv("AWS_CONFIG_FILE", "/dev/null");
  vi.stubEnv("AWS_EC2_METADATA_DISABLED", "true");
  const cdk = ["node_modules/aws-cdk/bin/cdk", "synth", "--quiet", "--no-notices", "--output", "theirs"];
  expect(spawnSync(process.execPath, cdk, { stdio: "inherit" }).status).toBe(0);
  const keeper = new Keeper();
  onTestFinished(() => keeper.close());
  await synthesize(join(dir, "ours"), { keeper, tell: () => {} });
  const own = ["context.json", "performance-counters.json"];
  const ours = filesIn("ours", own);
  expect([...ours.keys()]).toEqual(expect.arrayContaining(["Shop.template.json", "manifest.json"]));
  expect(ours.get("Shop.template.json")).toContain('"Value": "a"');
  expect(ours).toEqual(filesIn("theirs", own));
});

test("an app that does not end is named after a minute, once, and ended when nobody waits for it any more", async () => {
  const app = 'require("node:fs").writeFileSync("pid", String(process.pid)); setInterval(() => {}, 1_000);';
  const dir = inFolder({ "app.cjs": app, "cdk.json": '{"app":"node app.cjs"}' });
  const keeper = new Keeper();
  onTestFinished(() => keeper.close());
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  onTestFinished(() => void vi.useRealTimers());
  const tell = vi.fn();
  const overtaken = new AbortController();
  const synthesis = synthesize(join(dir, "out"), { keeper, tell, signal: overtaken.signal });
  vi.advanceTimersByTime(59_000);
  expect(tell).not.toHaveBeenCalled();
  vi.advanceTimersByTime(600_000);
  expect(tell.mock.calls).toEqual([
    [
      {
        kind: "warning",
        message:
          'The CDK app has not ended yet: "node app.cjs" has been at work for 60 seconds. If something keeps it open, such as a timer or a connection, close that in the app.',
      },
    ],
  ]);
  const pid = await vi.waitFor(() => {
    const text = readFileSync("pid", "utf8");
    expect(text).not.toBe("");
    return Number(text);
  }, 20_000);
  overtaken.abort();
  await expect(synthesis).rejects.toThrow("SIGKILL");
  await vi.waitFor(() => expect(() => process.kill(pid, 0)).toThrow("ESRCH"), 20_000);
});

function filesIn(dir: string, except: readonly string[]): Map<string, string> {
  const names = readdirSync(dir, { recursive: true, encoding: "utf8" }).sort();
  return new Map(
    names.flatMap((name) => {
      const path = join(dir, name);
      return except.includes(name) || statSync(path).isDirectory() ? [] : [[name, readFileSync(path, "utf8")]];
    }),
  );
}
