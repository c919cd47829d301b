import { extname, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import type { BundlingOptions } from "../lambda/function-options.ts";
import { type BundleEntry, Bundles } from "./bundle.ts";
import { dispatcherEntry, dispatcherName } from "./dispatcher.ts";
import type { JobGroup } from "./job-group.ts";
import { manifestOf } from "./manifest.ts";
import { functionName } from "./names.ts";
import { shardOf } from "./shards.ts";
import { watchdogEntry, watchdogName } from "./watchdog.ts";

const everything: Required<BundlingOptions> = { external: [], loader: {} };
const groupModule = fileURLToPath(new URL(`../lambda/group${extname(import.meta.url)}`, import.meta.url));

/**
 * Bundles the functions of the jobs, and the fleet's own, which know the jobs by the manifest in their bundles. In a fleet with
 * shards the jobs of a shard are one asset: thousands of them, each with the SDK, would take minutes and gigabytes.
 */
export function bundleFleet(
  fleetName: string,
  groups: readonly JobGroup[],
  { shards, sendsRunEvents }: { readonly shards: number | undefined; readonly sendsRunEvents: boolean },
): Bundles {
  const manifest = manifestOf(
    fleetName,
    groups.flatMap(({ jobs }) => jobs),
    ({ name, group }) => functionName(fleetName, group ?? name),
  );
  const define = { ESCAPEMENT_RUN_EVENTS: String(sendsRunEvents) };
  const jobs = groups.map((group) => [group.name, { ...entryOf(group, shards), define }] as const);
  const own = (file: string): BundleEntry => ({
    source: { file },
    options: everything,
    define: { ...define, ESCAPEMENT_MANIFEST: JSON.stringify(manifest) },
  });
  return new Bundles({
    ...Object.fromEntries(jobs),
    [dispatcherName]: own(dispatcherEntry),
    [watchdogName]: own(watchdogEntry),
  });
}

function entryOf({ name, jobs, shared }: JobGroup, shards: number | undefined): Omit<BundleEntry, "define"> {
  const [first] = jobs;
  const source = shared ? { text: sharedEntry(jobs) } : { file: first.file };
  const sharedBy = shards === undefined ? {} : { sharedBy: `shard-${shardOf(name, shards)}` };
  return { source, options: first.function.bundling, ...sharedBy };
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

const text = JSON.stringify;
