import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { tempFolder } from "./temp-folder.ts";

export interface FunctionFixture {
  /** The text of `index.mjs`. */
  source: string;
  timeoutSeconds?: number;
  environment?: Record<string, unknown>;
  /** Expression of a schedule without input; none by default. */
  schedule?: string;
  /** The names of its jobs; none by default. */
  jobs?: string[];
  /** More properties of the template's resource. */
  properties?: Record<string, unknown>;
}

export type Resources = Record<string, { Type: string; Properties?: unknown; Metadata?: unknown }>;

/** Writes the cloud assembly of one stack, `Shop`, by hand: what the CDK would write, and no more. */
export function writeAssembly(functions: Record<string, FunctionFixture>, more: Resources = {}): string {
  const dir = tempFolder();
  const resources: Resources = { ...more };
  const files: Record<string, unknown> = {};
  for (const [name, fixture] of Object.entries(functions)) {
    mkdirSync(join(dir, `asset.${name}`));
    writeFileSync(join(dir, `asset.${name}`, "index.mjs"), fixture.source);
    files[name] = {
      source: { path: `asset.${name}`, packaging: "zip" },
      destinations: { x: { objectKey: `${name}.zip` } },
    };
    resources[name] = {
      Type: "AWS::Lambda::Function",
      Properties: {
        FunctionName: name,
        Runtime: "nodejs24.x",
        Handler: "index.handler",
        Timeout: fixture.timeoutSeconds ?? 20,
        Code: { S3Bucket: "assets", S3Key: `${name}.zip` },
        Environment: { Variables: fixture.environment ?? {} },
        ...fixture.properties,
      },
      Metadata: { "escapement:jobs": (fixture.jobs ?? []).map((job) => ({ name: job })) },
    };
    if (fixture.schedule) {
      resources[`${name}Schedule`] = {
        Type: "AWS::Scheduler::Schedule",
        Properties: {
          Name: name,
          ScheduleExpression: fixture.schedule,
          FlexibleTimeWindow: { Mode: "OFF" },
          Target: { Arn: { "Fn::GetAtt": [name, "Arn"] } },
        },
      };
    }
  }
  writeJson(join(dir, "Shop.template.json"), { Resources: resources });
  writeJson(join(dir, "Shop.assets.json"), { files });
  writeJson(join(dir, "manifest.json"), {
    artifacts: {
      Shop: { type: "aws:cloudformation:stack", properties: { templateFile: "Shop.template.json" } },
      "Shop.assets": { type: "cdk:asset-manifest", properties: { file: "Shop.assets.json" } },
    },
  });
  return dir;
}

export function writeJson(path: string, value: unknown): void {
  writeFileSync(path, JSON.stringify(value));
}

/** A schedule's resource. */
export function schedule(properties: Record<string, unknown>) {
  return {
    Type: "AWS::Scheduler::Schedule",
    Properties: { FlexibleTimeWindow: { Mode: "OFF" }, ...properties },
  };
}
