import { join, resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { Announcements } from "./announcements.ts";
import { readAssembly } from "./assembly.ts";
import { changesInWords } from "./assembly-changes.ts";
import { RunnerClock } from "./clock.ts";
import { noteTime, refusePast } from "./clock-note.ts";
import { Closers } from "./closers.ts";
import { createTables } from "./create-tables.ts";
import type { Assembly } from "./definitions.ts";
import { asDiskError } from "./disk-error.ts";
import { Faults } from "./faults.ts";
import { jobViews } from "./job-views.ts";
import { Listeners } from "./listeners.ts";
import { Reloader } from "./reloader.ts";
import { runnerApis } from "./runner-apis.ts";
import { type Ground, openGround } from "./runner-ground.ts";
import type { Runner, RunnerOptions } from "./runner-types.ts";
import { RunningAssembly } from "./running-assembly.ts";
import { watchForSleep } from "./sleep-watch.ts";
import { synthesize } from "./synthesize.ts";

/**
 * Runs a cloud assembly on this machine: its tables, its schedules, its functions.
 *
 * @throws RunnerError with a message for people and an exit code
 * @example const runner = await startRunner({ stateDir: ".escapement" });
 */
export async function startRunner(options: RunnerOptions): Promise<Runner> {
  const closers = new Closers();
  try {
    return await start(options, closers);
  } catch (error) {
    await closers.close();
    throw asDiskError(error, options.stateDir);
  }
}

async function start(options: RunnerOptions, closers: Closers): Promise<Runner> {
  const { clock = new RunnerClock(), onEvent } = options;
  const listeners = new Listeners();
  if (onEvent) listeners.subscribe(onEvent);
  const { tell } = listeners;
  const stateDir = resolve(options.stateDir);
  const ground = await openGround(options, { stateDir, clock, faults: new Faults(options.faults), tell }, closers);
  refusePast(ground);

  const assembly = await firstAssembly(options.assemblyDir, ground);
  const nowMs = wholeSecond(clock.nowMs());
  const logsDir = join(stateDir, "logs");
  const running = new RunningAssembly(assembly, ground, logsDir, nowMs);
  // At the end after it: what it does until then is the last thing that happens.
  closers.add(noteTime(ground, listeners));
  closers.add(() => running.close());
  ground.server.serve(...runnerApis(running, ground));
  const announcements = new Announcements(ground);
  await announcements.writeFleet(assembly, nowMs);
  await announcements.noteAway(assembly, nowMs);
  announcements.writeFile(assembly);

  // Not before: what fell due meanwhile would be missed.
  clock.start();
  running.start();
  closers.add(noticeSleep(running, announcements, ground));
  if (options.watch && options.assemblyDir === undefined) {
    const use = (next: Assembly) => takeOver(next, running, announcements, ground);
    const reloader = new Reloader({ ...ground, use, isInUse: (dir) => running.uses(dir) });
    closers.add(() => reloader.stop());
  }

  const { server, dynamo, faults, token } = ground;
  const { host, queue, scheduler } = running;
  return {
    get jobs() {
      return jobViews(running.assembly, (schedule) => scheduler.compiled(schedule), clock.nowMs());
    },
    urls: { lambda: server.url, dynamo: dynamo.endpoint },
    paths: { state: stateDir, assembly: assembly.dir, logs: logsDir },
    clock: {
      now: () => clock.nowMs(),
      speed: clock.speed,
      pace: () => clock.pace(),
      subscribe: (listen) => clock.subscribe(listen),
    },
    faults: faults.words,
    workers: () => host.workers(),
    subscribe: (listen) => listeners.subscribe(listen),
    async drain(maxMs) {
      await Promise.race([running.drain(), sleep(maxMs, undefined, { ref: false })]);
      await closers.close();
    },
    abort: closers.close,
    underWay: () => queue.underWay(),
    waiting: () => queue.waiting(),
    token,
    serve: (part) => server.serve(part),
  };
}

/** The one that was named, or the project's own, with its tables. */
async function firstAssembly(named: string | undefined, ground: Ground): Promise<Assembly> {
  const { stateDir, dynamo, tell } = ground;
  const dir = named === undefined ? join(stateDir, "cdk.out") : resolve(named);
  if (named === undefined) {
    tell({ kind: "progress", message: "Synthesizing the CDK app" });
    await synthesize(dir, ground);
  }
  const assembly = readAssembly(dir);
  for (const message of assembly.warnings) tell({ kind: "warning", message });
  await createTables(dynamo.endpoint, assembly.tables);
  return assembly;
}

/** Takes another assembly into use while it runs. @throws why not; then nothing has changed but tables that are new */
async function takeOver(
  next: Assembly,
  running: RunningAssembly,
  announcements: Announcements,
  { dynamo, clock, tell }: Ground,
): Promise<void> {
  await createTables(dynamo.endpoint, next.tables);
  const nowMs = wholeSecond(clock.nowMs());
  const message = `Reloaded: ${changesInWords(running.assembly, next)}`;
  running.replace(next, nowMs);
  for (const warning of next.warnings) tell({ kind: "warning", message: warning });
  announcements.writeFile(running.assembly);
  await announcements.writeFleet(running.assembly, nowMs);
  tell({ kind: "reloaded", message });
}

/** Says it, and notes it for the watchdog. The function returned ends that. */
function noticeSleep(running: RunningAssembly, announcements: Announcements, { clock, tell }: Ground): () => void {
  return watchForSleep(clock, (fromMs, untilMs) => {
    tell({ kind: "slept", fromMs, untilMs });
    announcements
      .noteAway(running.assembly, untilMs)
      .catch((error) => tell({ kind: "warning", message: `The sleep is not noted for the watchdog: ${error}` }));
  });
}

function wholeSecond(timeMs: number): number {
  return Math.floor(timeMs / 1000) * 1000;
}
