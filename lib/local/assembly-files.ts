import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { RunnerError } from "./errors.ts";
import { readJson } from "./json-file.ts";

/** A CloudFormation template, as far as the runner reads it. */
export interface Template {
  readonly Parameters?: Record<string, { readonly Default?: unknown }>;
  readonly Resources?: Record<string, Resource>;
  readonly Outputs?: Record<string, { readonly Value: unknown; readonly Export?: { readonly Name: unknown } }>;
}

export interface Resource {
  readonly Type: string;
  readonly Properties?: Record<string, unknown>;
  readonly Metadata?: Record<string, unknown>;
}

export interface StackFile {
  readonly name: string;
  readonly template: Template;
}

export interface AssemblyFiles {
  readonly stacks: readonly StackFile[];
  /** Where the asset with this object key (`<hash>.zip`, `<hash>.json`) lies on disk. */
  readonly assetPaths: ReadonlyMap<string, string>;
}

interface Artifact {
  readonly type: string;
  readonly properties?: Record<string, unknown>;
  readonly metadata?: Metadata;
  readonly additionalMetadataFile?: string;
}

/** What constructs have noted, by their paths. */
type Metadata = Record<string, readonly { readonly type: string; readonly data?: unknown }[]>;

interface Manifest {
  readonly artifacts?: Record<string, Artifact>;
  readonly missing?: readonly { readonly key: string }[];
}

interface AssetManifest {
  readonly files?: Record<string, { source: { path?: string }; destinations: Record<string, { objectKey?: string }> }>;
}

/** Reads a cloud assembly's manifest, and those of its stages, with their templates and asset lists. */
export function readAssemblyFiles(dir: string): AssemblyFiles {
  const stacks: StackFile[] = [];
  const assetPaths = new Map<string, string>();
  if (!existsSync(join(dir, "manifest.json"))) {
    throw badAssembly(`${dir} holds no cloud assembly: there is no manifest.json in it. "npx cdk synth" makes one.`);
  }
  const manifest = readAssemblyJson<Manifest>(join(dir, "manifest.json"));
  refuseUnfinished(dir, manifest);
  for (const [id, artifact] of Object.entries(manifest.artifacts ?? {})) {
    const properties = artifact.properties ?? {};
    if (artifact.type === "aws:cloudformation:stack") {
      const name = typeof properties["stackName"] === "string" ? properties["stackName"] : id;
      stacks.push({ name, template: readAssemblyJson<Template>(join(dir, String(properties["templateFile"]))) });
    }
    if (artifact.type === "cdk:asset-manifest") {
      const assets = readAssemblyJson<AssetManifest>(join(dir, String(properties["file"])));
      for (const { source, destinations } of Object.values(assets.files ?? {})) {
        for (const { objectKey } of Object.values(destinations)) {
          if (source.path && objectKey) assetPaths.set(objectKey, resolve(dir, source.path));
        }
      }
    }
    if (artifact.type === "cdk:cloud-assembly") {
      const stage = readAssemblyFiles(join(dir, String(properties["directoryName"])));
      stacks.push(...stage.stacks);
      for (const [key, path] of stage.assetPaths) assetPaths.set(key, path);
    }
  }
  return { stacks, assetPaths };
}

/** Neither would be deployed: what an account has to be asked for, and what a construct marks as an error. */
function refuseUnfinished(dir: string, { missing = [], artifacts = {} }: Manifest): void {
  if (missing.length > 0) {
    const keys = missing.map(({ key }) => key).join(", ");
    throw badAssembly(
      `The CDK app looks up what only an account can tell: ${keys}. "npx cdk synth" with credentials asks once, and keeps the answers in cdk.context.json.`,
    );
  }
  const errors = Object.values(artifacts).flatMap(({ metadata, additionalMetadataFile: file }) => {
    const more = file === undefined ? {} : readAssemblyJson<Metadata>(join(dir, file));
    return Object.entries({ ...metadata, ...more }).flatMap(([path, notes]) =>
      notes.flatMap(({ type, data }) => (type === "aws:cdk:error" ? `${path.slice(1)}: ${data}` : [])),
    );
  });
  if (errors.length > 0) throw badAssembly(`The CDK app marks as an error:\n${errors.join("\n")}`);
}

export function readAssemblyJson<T>(path: string): T {
  let value: unknown;
  try {
    value = readJson(path);
  } catch (error) {
    throw badAssembly(`${path} cannot be read: ${(error as Error).message}. "npx cdk synth" makes it anew.`, error);
  }
  if (typeof value !== "object" || value === null) {
    throw badAssembly(
      `${path} is missing or holds no object, though the cloud assembly names it. "npx cdk synth" makes it anew.`,
    );
  }
  return value as T;
}

export function badAssembly(message: string, cause?: unknown): RunnerError {
  return new RunnerError("BAD_ASSEMBLY", message, { exitCode: 2, cause });
}
