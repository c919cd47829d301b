import { keepUnchanged } from "./assembly-changes.ts";
import { AsyncQueue } from "./async-queue.ts";
import type { Assembly, FunctionDefinition } from "./definitions.ts";
import { Deliveries } from "./deliveries.ts";
import { fleetPlace, readPause } from "./fleet-list.ts";
import type { Ground } from "./runner-ground.ts";
import { SandboxHost } from "./sandbox-host.ts";
import { Scheduler, type SchedulerOptions } from "./scheduler.ts";

/** A cloud assembly at work: its schedules fill the queue, and sandboxes empty it. Another one can take its place. */
export class RunningAssembly {
  readonly host: SandboxHost;
  readonly queue: AsyncQueue;
  readonly scheduler: Scheduler;
  /** Those that are deployed now, by name. */
  readonly functions = new Map<string, FunctionDefinition>();
  readonly #deliveries: Deliveries;
  #assembly: Assembly;

  /**
   * Nothing of it runs before `start`.
   *
   * @param logsDir of the sandboxes
   * @param newSinceMs a whole second: when schedules that are new were first seen
   * @throws RunnerError BAD_ASSEMBLY for a schedule that is not valid, FOLDER_BROKEN
   */
  constructor(assembly: Assembly, ground: Ground, logsDir: string, newSinceMs: number) {
    const { stateDir, server, dynamo, accessKeyId, keeper, clock, faults, tell } = ground;
    const { functions } = this;
    this.#assembly = assembly;
    this.#deploy(assembly.functions);
    const around = { host: new URL(server.url).host, dynamoEndpoint: dynamo.endpoint, accessKeyId };
    const host = new SandboxHost({ logsDir, keeper, around, clock, faults, functions, tell });
    const run: SandboxHost["run"] = (fn, begin) => host.run(fn, begin);
    this.queue = new AsyncQueue({ stateDir, functions, clock, tell, deliveries: faults.deliveries, run });
    const deliveries = new Deliveries({ stateDir, clock, tell, accept: this.accept });
    const deliver: Deliveries["deliver"] = (schedule, timeMs) => deliveries.deliver(schedule, timeMs);
    const { schedules } = assembly;
    const pauseOf: SchedulerOptions["pauseOf"] = async (job) => {
      const place = fleetPlace(this.#assembly.functions);
      // A pause that cannot be read keeps nothing from being said.
      return place && readPause(place, job, dynamo.endpoint).catch(() => undefined);
    };
    const catchUpOf: SchedulerOptions["catchUpOf"] = (job) =>
      this.#assembly.functions.flatMap(({ jobs }) => jobs).find(({ name }) => name === job)?.catchUp;
    this.scheduler = new Scheduler({ stateDir, schedules, clock, newSinceMs, tell, deliver, pauseOf, catchUpOf });
    this.host = host;
    this.#deliveries = deliveries;
  }

  /** As it is now. */
  get assembly(): Assembly {
    return this.#assembly;
  }

  /** Puts an event in a function's queue and gives its request id. @throws where the disk does not take it */
  readonly accept: AsyncQueue["accept"] = (...event) => this.queue.accept(...event);

  /** Takes up what an earlier runner left, then fires the schedules. */
  start(): void {
    this.queue.resume();
    this.scheduler.start();
  }

  /**
   * Takes the whole of another one into use, at once.
   *
   * @param newSinceMs a whole second: when schedules that are new were first seen
   * @throws RunnerError BAD_ASSEMBLY for a schedule that is not valid; then nothing has changed
   */
  replace(next: Assembly, newSinceMs: number): void {
    this.scheduler.replace(next.schedules, newSinceMs);
    // From here on nothing fails.
    const functions = keepUnchanged(this.functions, next.functions);
    this.#deploy(functions);
    this.#assembly = { ...next, functions };
    // Not before: who hears of what fires looks at the assembly, and its functions have to be there.
    this.scheduler.resume();
    this.host.endOutdated();
    this.queue.functionsChanged();
  }

  /** Whether something that runs still needs files of this folder. */
  uses(dir: string): boolean {
    return this.#assembly.functions.some((fn) => fn.assetDir.startsWith(`${dir}/`)) || this.host.uses(dir);
  }

  /** Begins nothing more, and waits for what is under way. */
  async drain(): Promise<void> {
    this.scheduler.stop();
    this.host.stop();
    await this.queue.drain();
  }

  /** Ends at once: what is under way stays in the queue. */
  async close(): Promise<void> {
    this.scheduler.stop();
    this.#deliveries.stop();
    this.queue.stop();
    await this.host.close();
  }

  #deploy(functions: readonly FunctionDefinition[]): void {
    this.functions.clear();
    for (const fn of functions) this.functions.set(fn.name, fn);
  }
}
