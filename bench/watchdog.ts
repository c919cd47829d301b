import { fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import PQueue from "p-queue";
import { createDynamoClient } from "../lib/store/index.ts";
import { openTable, type TestTable } from "../test/lambda/harness.ts";
import { rates, watchdogScene } from "../test/lambda/watchdog-scene.ts";

/**
 * Looks of the watchdog at many jobs that run every 15 minutes, on a table in a process of its own.
 *
 * @example npm run bench:watchdog -- 2000
 */
async function main(count: number): Promise<void> {
  const child = fork(fileURLToPath(import.meta.url), ["table"]);
  const [place] = (await once(child, "message")) as [Pick<TestTable, "endpoint" | "tableName">];
  const credentials = { accessKeyId: "bench", secretAccessKey: "bench" };
  const client = createDynamoClient({ endpoint: place.endpoint, region: "eu-central-1", credentials });
  try {
    await look({ ...place, client, close: async () => {} }, count);
  } finally {
    client.destroy();
    child.kill();
  }
}

async function look(table: TestTable, count: number): Promise<void> {
  const names = Array.from({ length: count }, (_, index) => `job-${index}`);
  const jobs = names.map((job) => ({ ...rates, job, scheduleNames: { default: job } }));
  const scene = watchdogScene(table, jobs);
  const spec = { expression: "cron(0/15 * * * ? *)", timeZone: "UTC" };
  for (const name of names) scene.deployed.set(name, { spec, enabled: true, modifiedMs: 0 });
  const requests = countRequests(table);

  const measure = async (what: string, time: string) => {
    const [cpu, startMs, before] = [process.cpuUsage(), performance.now(), requests.count];
    const counted = await scene.look(time);
    const { user, system } = process.cpuUsage(cpu);
    const wallSeconds = ((performance.now() - startMs) / 1000).toFixed(1);
    const cpuSeconds = ((user + system) / 1e6).toFixed(1);
    console.log(
      `${what}: ${requests.count - before} requests, ${wallSeconds} s (${cpuSeconds} s of a processor), ${counted.length} missed`,
    );
  };
  await measure("all jobs are new", "00:01");
  await measure("nothing was due", "00:06");
  const runs = new PQueue({ concurrency: 5 });
  await runs.addAll(names.map((job) => () => scene.run("00:15", {}, { job })));
  await measure("every job has run", "00:26");
  await measure("every job has missed one", "00:41");
  console.log(`peak memory: ${(process.resourceUsage().maxRSS / 1024).toFixed(0)} MB`);
}

function countRequests({ client }: TestTable): { count: number } {
  const requests = { count: 0 };
  const counting = (next: (args: never) => Promise<never>) => (args: never) => {
    requests.count++;
    return next(args);
  };
  client.middlewareStack.add(counting as never, { step: "finalizeRequest" });
  return requests;
}

/** The table's own process: what it takes is not the watchdog's. */
async function serveTable(): Promise<void> {
  const { endpoint, tableName } = await openTable();
  process.send?.({ endpoint, tableName });
}

const [what = "2000"] = process.argv.slice(2);
await (what === "table" ? serveTable() : main(Number(what)));
