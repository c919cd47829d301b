import { extname, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import type { BundlingOptions } from "../lambda/function-options.ts";
import type { Manifest } from "../lambda/manifest.ts";
import { type BundleEntry, Bundles } from "./bundle.ts";
import { dispatcherEntry, dispatcherName } from "./dispatcher.ts";
import type { JobGroup } from "./job-group.ts";
import { functionName } from "./names.ts";

const everything: Required<BundlingOptions> = { external: [], loader: {} };
const groupModule = fileURLToPath(new URL(`../lambda/group${extname(import.meta.url)}`, import.meta.url));

/** Bundles the functions of the jobs, and the dispatcher, which knows the jobs by the manifest in its bundle. */
export function bundleFleet(fleetName: string, groups: readonly JobGroup[]): Bundles {
  const entries = groups.map((group) => [group.name, entryOf(group)] as const);
  const dispatcher: BundleEntry = { source: { file: dispatcherEntry }, options: everything };
  return new Bundles(
    { ...Object.fromEntries(entries), [dispatcherName]: dispatcher },
    { ESCAPEMENT_MANIFEST: JSON.stringify(manifestOf(fleetName, groups)) },
  );
}

function entryOf({ jobs, shared }: JobGroup): BundleEntry {
  const [first] = jobs;
  const source = shared ? { text: sharedEntry(jobs) } : { file: first.file };
  return { source, options: first.function.bundling };
}

/** One module that has the handlers of all its jobs. */
function sharedEntry(jobs: JobGroup["jobs"]): string {
  const imports = jobs.map(({ file }, index) => `import { handler as job${index} } from ${text(resolve(file))};`);
  const handlers = jobs.map(({ name }, index) => `${text(name)}: job${index}`);
  return [
    ...imports,
    `import { groupHandler } from ${text(groupModule)};`,
    `export const handler = groupHandler({ ${handlers.join(", ")} });`,
  ].join("\n");
}

function manifestOf(fleet: string, groups: readonly JobGroup[]): Manifest {
  const functions = groups.flatMap((group) =>
    group.jobs.map((job) => [job.name, { functionName: functionName(fleet, group.name) }] as const),
  );
  return { fleet, jobs: Object.fromEntries(functions) };
}

const text = JSON.stringify;
