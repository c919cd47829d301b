import { randomBytes } from "node:crypto";
import { join, resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Hono } from "hono";
import { readAssembly } from "./assembly.ts";
import { changesInWords, keepUnchanged } from "./assembly-changes.ts";
import { disabledSchedules } from "./assembly-schedules.ts";
import { AsyncQueue } from "./async-queue.ts";
import { type Clock, RunnerClock } from "./clock.ts";
import { createTables } from "./create-tables.ts";
import type { Assembly } from "./definitions.ts";
import { Deliveries } from "./deliveries.ts";
import { asDiskError } from "./disk-error.ts";
import { eventBus } from "./event-bus.ts";
import type { RunnerEvent } from "./events.ts";
import { type FaultOptions, Faults } from "./faults.ts";
import { fleetPlace, noteAway, writeFleetList } from "./fleet-list.ts";
import { invokeApi } from "./invoke-api.ts";
import { type JobView, jobViews } from "./job-views.ts";
import { Keeper } from "./keeper.ts";
import { Listeners } from "./listeners.ts";
import { Reloader } from "./reloader.ts";
import { writeRunnerFile } from "./runner-file.ts";
import { openRunnerTables } from "./runner-tables.ts";
import { runtimeApi } from "./runtime-api.ts";
import { SandboxHost } from "./sandbox-host.ts";
import { Scheduler } from "./scheduler.ts";
import { schedulesApi } from "./schedules-api.ts";
import { openServer } from "./server.ts";
import { watchForSleep } from "./sleep-watch.ts";
import { takeStateFolder } from "./state-folder.ts";
import { synthesize } from "./synthesize.ts";
import type { Worker } from "./workers.ts";

export interface RunnerOptions {
  /** Where everything is kept: tables, queue, logs. One runner at a time. Made when it is not there. */
  readonly stateDir: string;
  /** A cloud assembly to run as it is. @default the CDK app in the current folder is synthesized */
  readonly assemblyDir?: string;
  /** Empties `stateDir` first. @default false */
  readonly fresh?: boolean;
  /** Of the runner's server on 127.0.0.1. @default any free one */
  readonly port?: number;
  /** Of the embedded DynamoDB on 127.0.0.1. @default any free one */
  readonly dynamoPort?: number;
  /** Hears what happens, from the first step of the start on. What it throws stops nothing. */
  readonly onEvent?: (event: RunnerEvent) => void;
  /** What its schedules, its tables and its handlers go by. @default the machine's clock */
  readonly clock?: Clock;
  /** Takes changes of the project over while it runs, where the app in the current folder is synthesized. @default false */
  readonly watch?: boolean;
  /** @default none */
  readonly faults?: FaultOptions;
}

export interface Runner {
  /** As they are now: a reload changes them. */
  readonly jobs: readonly JobView[];
  readonly urls: { readonly lambda: string; readonly dynamo: string };
  readonly paths: { readonly state: string; readonly assembly: string; readonly logs: string };
  /** `now` in epoch milliseconds, as its schedules and handlers see it; `speed` is how fast it goes between two runs. */
  readonly clock: { now(): number; readonly speed: number };
  /** The faults that it makes, in words. */
  readonly faults: readonly string[];
  /** The sandboxes that are there now. */
  workers(): Worker[];
  /** Hears what happens from now on; the function returned ends that. What a listener throws stops nothing. */
  subscribe(listen: (event: RunnerEvent) => void): () => void;
  /** Begins nothing more, waits this long for handlers at work, then ends as `abort` does. */
  drain(maxMs: number): Promise<void>;
  /** Ends at once. Events of handlers at work stay in the queue for the next start. */
  abort(): Promise<void>;
  /** How many handlers are at work; at the end, how many of them it cut short. */
  underWay(): number;
  /** How many events wait in the queue: for their time, or for a sandbox. */
  waiting(): number;
  /** Signs in to the dashboard. */
  readonly token: string;
  /** Serves this beside the runner's own APIs. */
  serve(part: Hono): void;
}

/**
 * Runs a cloud assembly on this machine: its tables, its schedules, its functions.
 *
 * @throws RunnerError with a message for people and an exit code
 * @example const runner = await startRunner({ stateDir: ".escapement" });
 */
export async function startRunner(options: RunnerOptions): Promise<Runner> {
  const closers: (() => unknown)[] = [];
  let closed: Promise<void> | undefined;
  const close = async () => {
    for (const closeOne of closers.reverse()) await closeOne();
  };
  const closeOnce = () => {
    closed ??= close();
    return closed;
  };
  try {
    return await start(options, closers, closeOnce);
  } catch (error) {
    await closeOnce();
    throw asDiskError(error, options.stateDir);
  }
}

/** @param closers what undoes each step, in the steps' order */
async function start(options: RunnerOptions, closers: (() => unknown)[], close: () => Promise<void>): Promise<Runner> {
  const { clock = new RunnerClock(), onEvent } = options;
  const listeners = new Listeners();
  if (onEvent) listeners.subscribe(onEvent);
  const { tell } = listeners;
  const faults = new Faults(options.faults);
  const stateDir = resolve(options.stateDir);
  const assemblyDir = options.assemblyDir === undefined ? join(stateDir, "cdk.out") : resolve(options.assemblyDir);
  const logsDir = join(stateDir, "logs");
  const identity = { pid: process.pid, startedAt: new Date().toISOString() };
  const accessKeyId = `LOCAL${randomBytes(12).toString("hex").toUpperCase()}`;
  const token = randomBytes(32).toString("base64url");

  closers.push(await takeStateFolder(stateDir, options.fresh ?? false));
  const server = await openServer(options.port ?? 0, identity, () => clock.nowMs());
  closers.push(() => server.close());
  const keeper = new Keeper();
  closers.push(() => keeper.close());
  const port = options.dynamoPort ?? 0;
  const dynamo = await openRunnerTables({ stateDir, port, clock, faults, accessKeyId, tell });
  closers.push(() => dynamo.close());

  if (options.assemblyDir === undefined) {
    tell({ kind: "progress", message: "Synthesizing the CDK app" });
    await synthesize(assemblyDir, keeper);
  }
  let assembly = readAssembly(assemblyDir);
  for (const message of assembly.warnings) tell({ kind: "warning", message });
  await createTables(dynamo.endpoint, assembly.tables);

  const functions = new Map(assembly.functions.map((fn) => [fn.name, fn]));
  const around = { host: new URL(server.url).host, dynamoEndpoint: dynamo.endpoint, accessKeyId };
  const host = new SandboxHost({ logsDir, keeper, around, clock, faults, functions, tell });
  closers.push(() => host.close());
  const queue = new AsyncQueue({
    stateDir,
    functions,
    clock,
    tell,
    deliveries: faults.deliveries,
    run: (fn, begin) => host.run(fn, begin),
  });
  closers.push(() => queue.stop());
  const newSinceMs = Math.floor(clock.nowMs() / 1000) * 1000;
  const accept = queue.accept.bind(queue);
  const deliveries = new Deliveries({ stateDir, clock, tell, accept });
  closers.push(() => deliveries.stop());
  const deliver = deliveries.deliver.bind(deliveries);
  const scheduler = new Scheduler({ stateDir, schedules: assembly.schedules, clock, newSinceMs, tell, deliver });
  closers.push(() => scheduler.stop());

  server.serve(
    runtimeApi(host.sandboxes),
    invokeApi({ accessKeyId, functions, accept }),
    eventBus({ accessKeyId, rules: () => assembly.rules, accept, clock }),
    schedulesApi({
      accessKeyId,
      schedules: () => assembly.schedules,
      seenSinceMs: (one) => scheduler.seenSinceMs(one),
    }),
  );
  let place = fleetPlace(assembly.functions);
  const away = async (nowMs: number) => {
    if (place) await noteAway(place, { endpoint: dynamo.endpoint, nowMs });
  };
  if (place) await writeFleetList(place, assembly.functions, { endpoint: dynamo.endpoint, nowMs: newSinceMs });
  await away(newSinceMs);
  const ways = { url: server.url, accessKeyId, token, dynamoEndpoint: dynamo.endpoint };
  const writeFile = ({ schedules }: Assembly, dir: string) => {
    const off = { disabledSchedules: disabledSchedules(schedules) };
    writeRunnerFile(stateDir, { ...identity, ...ways, ...place, ...off, assemblyDir: dir });
  };
  writeFile(assembly, assemblyDir);

  const use = async (next: Assembly) => {
    await createTables(dynamo.endpoint, next.tables);
    const nowMs = Math.floor(clock.nowMs() / 1000) * 1000;
    scheduler.replace(next.schedules, nowMs);
    // From here on all is done at once, and nothing fails.
    const kept = keepUnchanged(functions, next.functions);
    const message = `Reloaded: ${changesInWords(assembly, next)}`;
    functions.clear();
    for (const fn of kept) functions.set(fn.name, fn);
    assembly = { ...next, functions: kept };
    host.endOutdated();
    for (const warning of next.warnings) tell({ kind: "warning", message: warning });
    place = fleetPlace(kept);
    writeFile(next, next.dir);
    if (place) await writeFleetList(place, kept, { endpoint: dynamo.endpoint, nowMs });
    tell({ kind: "reloaded", message });
  };
  // Not before: what fell due meanwhile would be missed.
  clock.start();
  queue.resume();
  scheduler.start();
  closers.push(
    watchForSleep(clock, (fromMs, untilMs) => {
      tell({ kind: "slept", fromMs, untilMs });
      away(untilMs).catch((error) =>
        tell({ kind: "warning", message: `The sleep is not noted for the watchdog: ${error}` }),
      );
    }),
  );

  if (options.watch && options.assemblyDir === undefined) {
    const isInUse = (dir: string) =>
      assembly.functions.some((fn) => fn.assetDir.startsWith(`${dir}/`)) || host.uses(dir);
    const reloader = new Reloader({ stateDir, keeper, tell, use, isInUse });
    closers.push(() => reloader.stop());
  }

  return {
    get jobs() {
      return jobViews(assembly, (schedule) => scheduler.compiled(schedule), clock.nowMs());
    },
    urls: { lambda: server.url, dynamo: dynamo.endpoint },
    paths: { state: stateDir, assembly: assemblyDir, logs: logsDir },
    clock: { now: () => clock.nowMs(), speed: clock.speed },
    faults: faults.words,
    workers: () => host.workers(),
    subscribe: (listen) => listeners.subscribe(listen),
    async drain(maxMs) {
      scheduler.stop();
      host.stop();
      await Promise.race([queue.drain(), sleep(maxMs, undefined, { ref: false })]);
      await close();
    },
    abort: close,
    underWay: () => queue.underWay(),
    waiting: () => queue.waiting(),
    token,
    serve: (part) => server.serve(part),
  };
}
