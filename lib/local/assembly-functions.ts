import { existsSync, statSync } from "node:fs";
import type { Found } from "./assembly.ts";
import { type AssemblyFiles, badAssembly } from "./assembly-files.ts";
import type { AsyncPolicy, FunctionDefinition, JobMetadata } from "./definitions.ts";
import { functionNameOf } from "./place.ts";

/** Under this key the construct writes the options of a function's jobs into the template. */
const JOBS_METADATA = "escapement:jobs";

type Warn = (message: string) => void;

/** Undefined, with a warning, for a function that this machine cannot run. */
export function readFunction(
  fn: Found,
  policies: readonly Found[],
  files: AssemblyFiles,
  warn: Warn,
): FunctionDefinition | undefined {
  const name = functionNameOf(fn.arn().slice(fn.arn().indexOf("function:")));
  const runtime = String(fn.property("Runtime"));
  const handler = fn.property("Handler");
  const { S3Key: assetKey } = (fn.property("Code") ?? {}) as { S3Key?: string };
  if (!runtime.startsWith("nodejs") || typeof handler !== "string" || !assetKey) {
    warn(`The function ${name} (${fn.label}) does not run here: only Node.js functions bundled as a file asset do.`);
    return undefined;
  }
  const assetDir = files.assetPaths.get(assetKey);
  if (!assetDir || !existsSync(assetDir)) {
    throw badAssembly(
      `The code of the function ${name} (${assetDir ?? assetKey}) is not there. "npx cdk synth" makes it anew.`,
    );
  }
  if (!statSync(assetDir).isDirectory()) {
    warn(`The function ${name} (${fn.label}) does not run here: its code is an archive (${assetDir}), not a folder.`);
    return undefined;
  }
  if (fn.property("Layers")) warn(`The function ${name} (${fn.label}) runs without its layers here.`);
  const { Variables: variables = {} } = (fn.property("Environment") ?? {}) as { Variables?: Record<string, unknown> };
  return {
    name,
    assetDir,
    handler,
    timeoutMs: Number(fn.property("Timeout") ?? 3) * 1000,
    memoryMb: Number(fn.property("MemorySize") ?? 128),
    environment: Object.fromEntries(Object.entries(variables).map(([key, value]) => [key, String(value)])),
    asyncPolicy: readAsyncPolicy(fn, name, policies),
    jobs: (fn.metadata(JOBS_METADATA) ?? []) as JobMetadata[],
  };
}

/** Lambda's defaults: two more tries, at most six hours old. */
function readAsyncPolicy(fn: Found, name: string, policies: readonly Found[]): AsyncPolicy {
  const policy = policies.find((one) => functionNameOf(String(one.property("FunctionName"))) === name);
  const destinations = policy?.property("DestinationConfig") as { OnFailure?: { Destination?: string } } | undefined;
  const deadLetters = fn.property("DeadLetterConfig") as { TargetArn?: string } | undefined;
  const destination = destinations?.OnFailure?.Destination ?? deadLetters?.TargetArn;
  return {
    maxRetries: Number(policy?.property("MaximumRetryAttempts") ?? 2),
    maxAgeMs: Number(policy?.property("MaximumEventAgeInSeconds") ?? 21_600) * 1000,
    ...(destination && { destination }),
  };
}
