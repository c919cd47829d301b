import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { App } from "aws-cdk-lib";
import { loadJobs, ScheduledFunctionsStack } from "escapement/infra";

/**
 * Synthesizes a fleet of `count` jobs in `shards` stacks, each job a file of its own that brings the whole runtime.
 *
 * @example npm run bench:synth -- 2000 64
 */
async function main(count: number, shards: number): Promise<void> {
  const folder = mkdtempSync(join("bench", "synth-"));
  try {
    for (let index = 0; index < count; index++) writeFileSync(join(folder, `job-${index}.ts`), jobSource(index));
    const loadStart = performance.now();
    const jobs = await loadJobs(folder);
    report("reading the job files", loadStart);

    const synthStart = performance.now();
    const { context } = JSON.parse(readFileSync("cdk.json", "utf8"));
    const app = new App({ context, outdir: join(folder, "cdk.out") });
    new ScheduledFunctionsStack(app, "Escapement-bench", { stage: "prod", jobs, shards });
    report("bundles and constructs", synthStart);
    const assemblyStart = performance.now();
    app.synth();
    report("templates", assemblyStart);
    report("all of it", loadStart);
    const peakMb = process.resourceUsage().maxRSS / 1024;
    console.log(`peak memory of this process: ${peakMb.toFixed(0)} MB`);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function jobSource(index: number): string {
  return [
    'import { cron, scheduled } from "escapement";',
    `export const handler = scheduled({ schedule: cron("${index % 60} ${index % 24} * * ? *") }, async () => ({ job: ${index} }));`,
  ].join("\n");
}

function report(what: string, startMs: number): void {
  const { user, system } = process.cpuUsage();
  const seconds = ((performance.now() - startMs) / 1000).toFixed(1);
  console.log(`${what}: ${seconds} s (this process has used ${((user + system) / 1e6).toFixed(1)} s of a processor)`);
}

await main(Number(process.argv[2] ?? 2000), Number(process.argv[3] ?? 64));
