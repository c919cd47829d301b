import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { type Clock, RunnerClock, type RunnerEvent, startRunner } from "../lib/local/index.ts";

/**
 * What the local runner costs: idle with 50 jobs, and with 1,000 events due at once beside as many bare processes.
 *
 * @example npm run bench:runner -- 1000
 */
async function main(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "escapement-bench-"));
  try {
    await idle(join(folder, "idle"), 50, 60);
    await burst(join(folder, "burst"), Number(process.argv[2] ?? 1000));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function idle(folder: string, jobs: number, seconds: number): Promise<void> {
  // None falls due while it is measured: what idling costs, not what the jobs do.
  const assemblyDir = writeAssembly(folder, jobs, "cron(0 0 1 1 ? *)");
  const runner = await startRunner({ stateDir: join(folder, "state"), assemblyDir });
  await sleep(2_000);
  const before = process.cpuUsage();
  await sleep(seconds * 1000);
  const { user, system } = process.cpuUsage(before);
  console.log(`idle with ${jobs} jobs: ${((user + system) / seconds / 1e4).toFixed(2)} % of a core`);
  console.log(`  memory of this process: ${megabytes()} MB`);
  await runner.abort();
}

async function burst(folder: string, count: number): Promise<void> {
  const clock = new LateClock(Date.UTC(2026, 4, 1, 11, 59, 30));
  const assemblyDir = writeAssembly(folder, count, "cron(0 12 * * ? *)");
  let [delivered, finished, most, peakMb] = [0, 0, 0, 0];
  const told = (event: RunnerEvent) => {
    if (event.kind === "delivered") delivered += 1;
    if (event.kind === "finished") finished += 1;
  };
  const runner = await startRunner({ stateDir: join(folder, "state"), assemblyDir, clock, onEvent: told });
  const startedMs = performance.now();
  clock.go(Date.UTC(2026, 4, 1, 12));
  const until = async (isDone: () => boolean) => {
    while (!isDone()) {
      most = Math.max(most, runner.workers().length);
      peakMb = Math.max(peakMb, Number(megabytes()));
      await sleep(5);
    }
    return performance.now() - startedMs;
  };
  const deliveredMs = await until(() => delivered === count);
  console.log(`${count} due at once: recorded as delivered after ${Math.round(deliveredMs)} ms`);
  const runnerMs = await until(() => finished === count);
  await runner.abort();
  const bareMs = await bareProcesses(join(assemblyDir, "asset.job", "bare.mjs"), count);
  console.log(
    `  sandboxes at the most: ${most} on ${availableParallelism()} cores; memory of this process: ${peakMb} MB`,
  );
  console.log(`  all done: ${Math.round(runnerMs)} ms; as many bare processes: ${Math.round(bareMs)} ms`);
  console.log(`  throughput: ${Math.round((bareMs / runnerMs) * 100)} % of bare spawning`);
}

/** As many at a time as the runner has sandboxes. */
async function bareProcesses(file: string, count: number): Promise<number> {
  const startedMs = performance.now();
  let left = count;
  const worker = async () => {
    while (left > 0) {
      left -= 1;
      await once(spawn(process.execPath, [file], { stdio: ["ignore", "pipe", "pipe"] }), "exit");
    }
  };
  await Promise.all(Array.from({ length: 2 * availableParallelism() }, worker));
  return performance.now() - startedMs;
}

/** One function for each job: no sandbox is used twice, which is the worst case. */
function writeAssembly(folder: string, count: number, expression: string): string {
  const asset = join(folder, "assembly", "asset.job");
  mkdirSync(asset, { recursive: true });
  writeFileSync(join(asset, "index.mjs"), "export const handler = async () => {};");
  writeFileSync(join(asset, "bare.mjs"), "await (async () => {})();");
  const resources: Record<string, unknown> = {};
  for (let index = 0; index < count; index += 1) {
    const name = `job${index}`;
    resources[name] = {
      Type: "AWS::Lambda::Function",
      Properties: { FunctionName: name, Runtime: "nodejs24.x", Handler: "index.handler", Code: { S3Key: "job.zip" } },
    };
    const target = { Arn: { "Fn::GetAtt": [name, "Arn"] } };
    const properties = { Name: name, ScheduleExpression: expression, Target: target };
    resources[`${name}Schedule`] = { Type: "AWS::Scheduler::Schedule", Properties: properties };
  }
  const files = { job: { source: { path: "asset.job" }, destinations: { x: { objectKey: "job.zip" } } } };
  const artifacts = {
    Bench: { type: "aws:cloudformation:stack", properties: { templateFile: "template.json" } },
    assets: { type: "cdk:asset-manifest", properties: { file: "assets.json" } },
  };
  const write = (name: string, value: unknown) => writeFileSync(join(folder, "assembly", name), JSON.stringify(value));
  write("template.json", { Resources: resources });
  write("assets.json", { files });
  write("manifest.json", { artifacts });
  return join(folder, "assembly");
}

function megabytes(): string {
  return (process.memoryUsage.rss() / 1024 / 1024).toFixed(0);
}

/** Waits before noon, and goes on from noon when it is told to. */
class LateClock implements Clock {
  readonly speed = 1;
  readonly #waitingMs: number;
  #running: RunnerClock | undefined;
  readonly #early: (() => void)[] = [];

  constructor(waitingMs: number) {
    this.#waitingMs = waitingMs;
  }

  start(): void {}

  pace(): number {
    return 1;
  }

  subscribe(): () => void {
    return () => {};
  }

  go(fromMs: number): void {
    this.#running = new RunnerClock({ startMs: fromMs });
    this.#running.start();
    for (const begin of this.#early.splice(0)) begin();
  }

  nowMs(): number {
    return this.#running?.nowMs() ?? this.#waitingMs;
  }

  at(timeMs: number, callback: () => void): () => void {
    if (this.#running) return this.#running.at(timeMs, callback);
    let cancel = () => {};
    this.#early.push(() => {
      cancel = this.at(timeMs, callback);
    });
    return () => cancel();
  }

  work(): () => void {
    return this.#running?.work() ?? (() => {});
  }
}

await main();
